// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The command that trains on a local cluster, kills parts of it, and says what was learned and lost. */
package io.gradstream.cli.train;
