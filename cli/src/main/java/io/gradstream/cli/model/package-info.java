// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Models: out of a cluster and into one. */
package io.gradstream.cli.model;
