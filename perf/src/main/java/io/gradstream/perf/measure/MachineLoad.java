// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The shares of the machine's processor time that a measure could not have while it was taken.
 *
 * @param othersShare share of all processors that other processes took, from 0 to 1; NaN if it is not known.
 * @param stealShare  share that the host of a virtual machine gave to others, from 0 to 1; NaN if it is not known.
 */
public record MachineLoad(double othersShare, double stealShare)
{
    /** Largest share of others, and largest share of steal, beside which a figure counts as measured. */
    public static final double MAX_SHARE = 0.05;

    /** The load of a machine that does not tell it, or of a measure that was too short. */
    public static final MachineLoad UNKNOWN = new MachineLoad(Double.NaN, Double.NaN);

    /** Shortest measure that is judged: the system samples some of its counts a hundred times a second. */
    static final long MIN_NS = TimeUnit.SECONDS.toNanos(2);

    private static final double PERCENT = 100;

    /** True if one of the shares is known. */
    public boolean isKnown()
    {
        return !Double.isNaN(othersShare) || !Double.isNaN(stealShare);
    }

    /** True if others, or the host, took more than is allowed; false if it is not known. */
    public boolean isBusy()
    {
        return othersShare > MAX_SHARE || stealShare > MAX_SHARE;
    }

    /** The larger of each share: the load of a figure that comes from two measures. */
    public MachineLoad worst(final MachineLoad other)
    {
        return new MachineLoad(max(othersShare, other.othersShare), max(stealShare, other.stealShare));
    }

    /** The same, without knowledge of other processes: some may belong to the measure. */
    public MachineLoad ofStealAlone()
    {
        return new MachineLoad(Double.NaN, stealShare);
    }

    /** Both shares as people write them. */
    public String text()
    {
        return "others " + percent(othersShare) + ", steal " + percent(stealShare);
    }

    /** The load between two moments. */
    static MachineLoad between(final MachineTimes begin, final MachineTimes end)
    {
        final double all = end.all() - begin.all();
        return all <= 0 ? UNKNOWN : new MachineLoad(
            Math.min(1, begin.othersUntil(end) / all), Math.max(0, (end.stolen() - begin.stolen()) / all));
    }

    private static double max(final double first, final double second)
    {
        return Double.isNaN(first) ? second : Double.isNaN(second) ? first : Math.max(first, second);
    }

    private static String percent(final double share)
    {
        return Double.isNaN(share) ? "unknown" : String.format(Locale.ROOT, "%.1f %%", PERCENT * share);
    }

    /** Takes the load from its making on. */
    public static final class Meter
    {
        private final Supplier<MachineTimes> source;
        private final long leastNs;
        private final long beginNs = System.nanoTime();
        private final MachineTimes begin;

        /** A meter of this machine, from now on. */
        public Meter()
        {
            this(Meter::now, MIN_NS);
        }

        /** A meter of a source, which is null where the system does not tell, and of a least time. */
        Meter(final Supplier<MachineTimes> source, final long leastNs)
        {
            this.source = source;
            this.leastNs = leastNs;
            begin = source.get();
        }

        /** The load since this was made; unknown if that was too short, or if the system does not tell. */
        public MachineLoad read()
        {
            if (null == begin || System.nanoTime() - beginNs < leastNs)
            {
                return UNKNOWN;
            }
            final MachineTimes end = source.get();
            return null == end ? UNKNOWN : between(begin, end);
        }

        private static MachineTimes now()
        {
            try
            {
                return MachineTimes.now();
            }
            catch (final IOException | IllegalArgumentException ignore)
            {
                return null;
            }
        }
    }
}
