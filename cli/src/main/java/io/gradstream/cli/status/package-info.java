// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The command that shows what coordinators and servers know. */
package io.gradstream.cli.status;
