// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The commands that look into what a stopped node has recorded. */
package io.gradstream.cli.recording;
