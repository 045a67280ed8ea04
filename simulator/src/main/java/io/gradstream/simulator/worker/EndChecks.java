// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.simulator.world.Violation;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.AckLevel;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks the ends of iterations where clocks are added up: one leaves a process only after every partition has told it
 * that the end before is applied. Without that rule a partition may be more than one iteration behind another when the
 * process dies.
 */
final class EndChecks
{
    private final Client client;
    /** The sequences, by partition, of each end that this process has written. */
    private final List<long[]> ends = new ArrayList<>();
    /** By partition the last part that was applied by what any of its primaries has told. */
    private final long[] applied;

    EndChecks(final Client client)
    {
        this.client = client;
        applied = new long[client.partitions()];
    }

    /** The end of an iteration is written for all partitions. */
    void onWritten()
    {
        final long[] sequences = new long[applied.length];
        for (int i = 0; i < sequences.length; i++)
        {
            sequences[i] = client.session(i).lastSequence();
        }
        ends.add(sequences);
    }

    /** A duty cycle is over, or a message is about to leave. A new primary may say less than the one before. */
    void look()
    {
        for (int i = 0; i < applied.length; i++)
        {
            applied[i] = Math.max(applied[i], client.session(i).watermarks().of(AckLevel.APPLIED));
        }
    }

    /** The end of an iteration is about to leave the process. */
    void check(final int partition, final long sequence)
    {
        look();
        for (int i = 1; i < ends.size(); i++)
        {
            for (int other = 0; sequence == ends.get(i)[partition] && other < applied.length; other++)
            {
                Violation.check(applied[other] >= ends.get(i - 1)[other], Violation.Kind.MODEL_DIFFERS,
                    "an iteration ends before the one before is applied: partition, sequence, applied", other,
                    ends.get(i - 1)[other], applied[other]);
            }
        }
    }
}
