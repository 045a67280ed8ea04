// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

/**
 * What ends the duty cycle of a partition, for tests of other packages that have no replica.
 */
public final class DutyCycle
{
    private DutyCycle()
    {
    }

    /** Log the sum of what it has brought, and those of clocks that all slots have ended; returns the records. */
    public static int end(final Partition partition)
    {
        return partition.endCycle() + partition.doClockWork(0);
    }
}
