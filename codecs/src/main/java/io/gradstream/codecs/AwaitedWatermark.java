// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * The watermark that a worker awaits before a push leaves its spool; the worker's hello names it. The server tells the
 * worker at once when this watermark moves. It tells of the others with the next message, at the latest with the next
 * sign of life.
 */
public final class AwaitedWatermark
{
    /** The worker is told at once of each. */
    public static final int ANY = 0;
    /** The primary has applied it. */
    public static final int APPLIED = 1;
    /** Every replica in sync has applied it. */
    public static final int REPLICATED = 2;
    /** Every replica in sync has it on record. */
    public static final int RECORDED = 3;

    private AwaitedWatermark()
    {
    }
}
