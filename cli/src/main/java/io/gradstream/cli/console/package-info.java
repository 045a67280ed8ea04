// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The page that shows a cluster, and how {@code train} shows itself on it.
 */
package io.gradstream.cli.console;
