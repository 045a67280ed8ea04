// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** How the values of rows are encoded in messages. */
package io.gradstream.codecs.values;
