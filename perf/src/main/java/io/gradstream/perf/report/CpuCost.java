// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import java.util.Locale;

/**
 * Processor time that a rate costs, in seconds for each unit of work.
 *
 * @param unit          of work.
 * @param seconds       of all processes together; NaN if not all of them are known.
 * @param workerSeconds of workers, with media drivers and coordinators; NaN if it is not known.
 * @param serverSeconds of servers, of raw Aeron's echo process, or NaN if it is not known.
 */
public record CpuCost(Unit unit, double seconds, double workerSeconds, double serverSeconds)
{
    /** The cost of a figure that is no rate, or whose processes were not measured. */
    public static final CpuCost NONE = new CpuCost(Unit.GIGABYTE, Double.NaN, Double.NaN, Double.NaN);

    /** The cost of the sum of both sides. */
    public static CpuCost of(final Unit unit, final double workerSeconds, final double serverSeconds)
    {
        return new CpuCost(unit, workerSeconds + serverSeconds, workerSeconds, serverSeconds);
    }

    /** The cost of which it is not known who took it. */
    public static CpuCost ofAll(final Unit unit, final double seconds)
    {
        return new CpuCost(unit, seconds, Double.NaN, Double.NaN);
    }

    /** True if a part of it is known. */
    public boolean isKnown()
    {
        return Double.isFinite(seconds) || Double.isFinite(workerSeconds);
    }

    /** As people write it, worker and server, such as "1.31 + 1.91 s/GB"; "-" if it is not known. */
    public String text()
    {
        final String parts = Double.isFinite(workerSeconds) ?
            figure(workerSeconds) + " + " + figure(serverSeconds) : figure(seconds);
        return isKnown() ? parts + " s/" + unit.symbol : "-";
    }

    private static String figure(final double value)
    {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "?";
    }

    /** The work that a cost is counted for. */
    public enum Unit
    {
        /** A billion bytes of values that were pushed, pulled or sent. */
        GIGABYTE("GB", "Gb"),
        /** A million examples, or ratings, that were trained on. */
        MILLION_EXAMPLES("Mex", "MillionExamples");

        private final String symbol;
        private final String fieldName;

        Unit(final String symbol, final String fieldName)
        {
            this.symbol = symbol;
            this.fieldName = fieldName;
        }

        /** End of the name of a JSON field, after "CpuSecondsPer". */
        String fieldName()
        {
            return fieldName;
        }
    }
}
