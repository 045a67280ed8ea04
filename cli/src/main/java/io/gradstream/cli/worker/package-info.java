// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The command that runs one slot of a training job. */
package io.gradstream.cli.worker;
