// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Rebuilds the state of a partition from recorded files, at any position they still hold, and exports it. */
package io.gradstream.server.recording;
