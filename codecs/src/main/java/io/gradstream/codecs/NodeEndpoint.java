// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * A node and its address.
 *
 * @param nodeId   its number.
 * @param endpoint host:port of its ingress.
 */
public record NodeEndpoint(int nodeId, String endpoint)
{
}
