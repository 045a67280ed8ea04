// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * For which watermark a worker waits before a push leaves its spool, as its hello says: a server tells it at once when
 * that one moves, and of the others with the next message, at the latest with the next sign of life.
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
