// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.launcher.JsonText;
import io.gradstream.perf.measure.Summary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The failovers of a run as a table and as JSON.
 */
final class FailoverReport
{
    private static final JsonText JSON = new JsonText(3);
    private static final int[] PERCENTILES = {50, 90, 99};
    private static final int HUNDRED = 100;

    private final FailoverSettings settings;
    private final List<Failover> failovers;
    private final long lost;
    private final long doubled;
    private final long spurious;

    /**
     * Of all kills that counted.
     *
     * @param failovers one or more.
     * @param lost      pushes that were sent and not applied.
     * @param spurious  failovers without a dead process.
     */
    FailoverReport(
        final FailoverSettings settings,
        final List<Failover> failovers,
        final long lost,
        final long doubled,
        final long spurious)
    {
        if (failovers.isEmpty())
        {
            throw new IllegalStateException("no kill met an outstanding push: raise --rate");
        }
        this.settings = settings;
        this.failovers = new ArrayList<>(failovers);
        this.lost = lost;
        this.doubled = doubled;
        this.spurious = spurious;
    }

    /** Nearest rank: the smallest value that at least so many percent do not exceed. */
    static double percentile(final double[] sorted, final int percent)
    {
        final int rank = (sorted.length * percent + HUNDRED - 1) / HUNDRED;

        return sorted[Math.max(1, rank) - 1];
    }

    /** Several lines, the last one ended. */
    String table()
    {
        final double[] totals = totals();
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "%d kills of the primary of all %d partitions%s; %s; timing %s, profile %s, %.0f pushes/s; JDK %s%n",
            failovers.size(), settings.partitions(),
            settings.isLeaderKilled() ? " and of the coordinators' leader" : "",
            1 == settings.coordinators() ? "1 coordinator" : settings.coordinators() + " coordinators",
            settings.timing(), profile(),
            settings.rate() * settings.partitions(), Runtime.version().feature()));
        text.append(String.format(Locale.ROOT, "  kill to first acknowledgement of the last partition, ms: "));
        for (final int percent : PERCENTILES)
        {
            text.append(String.format(Locale.ROOT, "p%d %.0f  ", percent, percentile(totals, percent)));
        }
        text.append(String.format(Locale.ROOT, "max %.0f%n", totals[totals.length - 1]));
        for (int i = 0; i < Failover.PHASES.size(); i++)
        {
            final Summary phase = phase(i);
            text.append(String.format(Locale.ROOT, "    %-22s %8.1f (%.1f..%.1f)%n",
                Failover.PHASES.get(i), phase.median(), phase.min(), phase.max()));
        }
        text.append(String.format(Locale.ROOT, "  lost %d  doubled %d  spurious %d%n", lost, doubled, spurious));

        return text.toString();
    }

    /** One line without its end. */
    String json()
    {
        final double[] totals = totals();
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("measurement", "failover");
        object.put("runs", failovers.size());
        object.put("partitions", settings.partitions());
        object.put("coordinators", settings.coordinators());
        object.put("leaderKilled", settings.isLeaderKilled());
        object.put("timing", settings.timing());
        object.put("profile", profile());
        object.put("processors", Runtime.getRuntime().availableProcessors());
        object.put("jdk", Runtime.version().toString());
        for (final int percent : PERCENTILES)
        {
            object.put("p" + percent + "Ms", percentile(totals, percent));
        }
        object.put("maxMs", totals[totals.length - 1]);
        object.put("lost", lost);
        object.put("doubled", doubled);
        object.put("spurious", spurious);
        final Map<String, Object> phases = new LinkedHashMap<>();
        for (int i = 0; i < Failover.PHASES.size(); i++)
        {
            phases.put(Failover.PHASES.get(i), phase(i).median());
        }
        object.put("phasesMs", phases);

        return JSON.of(object);
    }

    private double[] totals()
    {
        final double[] totals = failovers.stream().mapToDouble(Failover::totalMs).toArray();
        Arrays.sort(totals);

        return totals;
    }

    private Summary phase(final int index)
    {
        return Summary.of(failovers.stream().mapToDouble((failover) -> failover.phaseMs(index)).toArray());
    }

    private String profile()
    {
        return settings.profile().name().toLowerCase(Locale.ROOT);
    }

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
}
