// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import org.agrona.DirectBuffer;

/** The way of a session's messages to the primary. */
@FunctionalInterface
public interface Outbound
{
    /** Send one message to the primary of a partition; false if it was not taken: offer it again later. */
    boolean offer(int partition, DirectBuffer buffer, int offset, int length);
}
