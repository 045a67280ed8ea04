// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import java.util.List;
import java.util.Locale;

/**
 * One kill that counted: when things happened to the partition that came back last, in nanoseconds since just
 * before SIGKILL.
 *
 * @param suspectedNs the coordinator heard of the first suspicion.
 * @param decidedNs   the coordinator named another head.
 * @param promotedNs  the coordinator heard that the new head has started its epoch.
 * @param ackNs       the worker had the first acknowledgement from the new head.
 */
record Failover(long suspectedNs, long decidedNs, long promotedNs, long ackNs)
{
    /** Names of the phases, which add up to the whole. */
    static final List<String> PHASES = List.of("suspected", "decided", "promoted", "firstAcknowledgement");

    private static final double NS_PER_MS = 1e6;

    /** From the kill to the first acknowledgement, milliseconds. */
    double totalMs()
    {
        return ackNs / NS_PER_MS;
    }

    /**
     * How long a phase took. The last begins when the coordinator hears that the new head has started its epoch.
     * That may be after the worker has its acknowledgement: then the phase is negative, and the one before it took
     * that much less.
     *
     * @param index into {@link #PHASES}.
     */
    double phaseMs(final int index)
    {
        return switch (index)
        {
            case 0 -> suspectedNs / NS_PER_MS;
            case 1 -> (decidedNs - suspectedNs) / NS_PER_MS;
            case 2 -> (promotedNs - decidedNs) / NS_PER_MS;
            case 3 -> (ackNs - promotedNs) / NS_PER_MS;
            default -> throw new IllegalArgumentException("invalid index=" + index + ": must be 0..3");
        };
    }

    String text()
    {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%.0f ms:", totalMs()));
        for (int i = 0; i < PHASES.size(); i++)
        {
            text.append(String.format(Locale.ROOT, " %s %.0f", PHASES.get(i), phaseMs(i)));
        }

        return text.toString();
    }
}
