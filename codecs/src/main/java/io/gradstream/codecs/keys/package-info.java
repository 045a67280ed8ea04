// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Key caching: a list of keys that the other end of a connection has is named by its number. */
package io.gradstream.codecs.keys;
