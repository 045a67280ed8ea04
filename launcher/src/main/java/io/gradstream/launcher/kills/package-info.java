// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Decides when servers and coordinators are killed and started again. Pure. */
package io.gradstream.launcher.kills;
