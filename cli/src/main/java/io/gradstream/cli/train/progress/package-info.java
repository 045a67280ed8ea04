// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Measures how a training run goes on, and shows and logs it. */
package io.gradstream.cli.train.progress;
