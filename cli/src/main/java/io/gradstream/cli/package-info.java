// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The command line: one command for each part of Gradstream. */
package io.gradstream.cli;
