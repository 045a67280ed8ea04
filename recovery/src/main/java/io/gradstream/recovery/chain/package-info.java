// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** One node in its chains: which neighbours live, who may be complained of, and when a lead is claimed. */
package io.gradstream.recovery.chain;
