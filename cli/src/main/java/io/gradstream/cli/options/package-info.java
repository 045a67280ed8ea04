// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Options that several commands take and check, and the failures of commands. */
package io.gradstream.cli.options;
