// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** A page that shows a training run and its cluster while they run, the same for Prometheus, and as a picture. */
package io.gradstream.console;
