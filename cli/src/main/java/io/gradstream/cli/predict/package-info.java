// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The command that predicts with a model that was saved. */
package io.gradstream.cli.predict;
