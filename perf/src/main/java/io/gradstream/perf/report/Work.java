// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.perf.measure.ByteSize;

/**
 * The work that a system was asked to do. The same words for the same work let our figures and a peer's be put side by
 * side.
 *
 * @param isPush true for a push until the server has applied it, false for a pull.
 * @param bytes  of a transfer.
 * @param depth  transfers outstanding.
 */
public record Work(boolean isPush, int bytes, int depth)
{
    /** The measure of its median latency, in microseconds. */
    public String latency()
    {
        return text() + ", p50";
    }

    /** The measure of its payload, in millions of bytes a second. */
    public String goodput()
    {
        return text() + ", goodput";
    }

    private String text()
    {
        return (isPush ? "push " : "pull ") + ByteSize.text(bytes) + ", depth " + depth;
    }
}
