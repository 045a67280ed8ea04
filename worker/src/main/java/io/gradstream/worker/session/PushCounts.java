// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * The counts and sums of this process's pushes to one partition, in the terms of the audit table.
 * <p>
 * The count of pushes alone would not show one push lost and another one applied twice. The sums over sequences would
 * not show a push that was applied under the sequence of another. The sum over contents does.
 */
public final class PushCounts
{
    private long count;
    private long sequenceSum;
    private long sequenceSquareSum;
    private long contentSum;

    void add(final long sequence)
    {
        count++;
        sequenceSum += sequence;
        sequenceSquareSum += sequence * sequence;
    }

    /** Add the content of the push counted last, by its hash as in its audit row. */
    public void addContent(final long contentHash)
    {
        contentSum += contentHash;
    }

    /** Number of pushes without clocks. */
    public long count()
    {
        return count;
    }

    /** Sum of their sequences, modulo 2^64. */
    public long sequenceSum()
    {
        return sequenceSum;
    }

    /** Sum of the squares of their sequences, modulo 2^64. */
    public long sequenceSquareSum()
    {
        return sequenceSquareSum;
    }

    /** Sum of the hashes of their contents, modulo 2^64; 0 if the client does not audit. */
    public long contentSum()
    {
        return contentSum;
    }
}
