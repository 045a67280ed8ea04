// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * One copy of a partition: its recovery states from an empty directory to the head of a chain, and its two neighbours
 * in that chain.
 */
package io.gradstream.recovery.replica;
