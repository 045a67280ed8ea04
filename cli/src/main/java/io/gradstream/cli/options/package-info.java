// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * What several commands take and check, and how they fail.
 */
package io.gradstream.cli.options;
