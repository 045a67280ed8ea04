// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Processes that this one starts, and what parent and child say to each other on their pipes. */
package io.gradstream.launcher.process;
