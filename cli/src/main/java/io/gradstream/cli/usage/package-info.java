// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The names and the help of options: groups, and the names that options had before. */
package io.gradstream.cli.usage;
