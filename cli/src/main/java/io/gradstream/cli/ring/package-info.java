// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The command that shows how partitions are placed on nodes. */
package io.gradstream.cli.ring;
