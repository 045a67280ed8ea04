// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Starts the processes of a local cluster, watches them and ends them, for commands, measurements and tests. */
package io.gradstream.launcher;
