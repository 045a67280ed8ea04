// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.launcher.JsonText;
import io.gradstream.perf.measure.Summary;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The measurements of a replay run, in millions of bytes of log a second.
 *
 * @param bytes    of the log.
 * @param written  while it was written; includes making the gradients.
 * @param raw      Aeron Archive alone.
 * @param recovery replay, verify and apply.
 * @param ratio    of each round's recovery to the raw replay before it.
 */
record ReplayResult(long bytes, double written, Summary raw, Summary recovery, Summary ratio)
{
    private static final JsonText JSON = new JsonText(3);
    private static final String ROW = "  %-44s %s%n";

    static Summary ratios(final double[] recovery, final double[] raw)
    {
        final double[] ratios = new double[recovery.length];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = recovery[i] / raw[i];
        }

        return Summary.of(ratios);
    }

    /** Several lines, the last one ended. */
    String table(final ReplaySettings settings)
    {
        return String.format(Locale.ROOT,
            "Medians (min..max) of %d rounds over a log of %d MiB; records of %d rows of %d floats, sgd, %d rows; " +
            "profile %s; JDK %s%n", settings.rounds(), bytes >> 20, DenseParts.ROWS_PER_PART, ReplaySettings.DIM,
            settings.rows(), name(settings), Runtime.version().feature()) +
            String.format(Locale.ROOT, ROW, "raw Archive replay, empty handler, MB/s", text(raw, "%.0f")) +
            String.format(Locale.ROOT, ROW, "replay, verify, apply, MB/s", text(recovery, "%.0f")) +
            String.format(Locale.ROOT, ROW, "ratio", text(ratio, "%.2f"));
    }

    /** One line without its end. */
    String json(final ReplaySettings settings)
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("measurement", "replay");
        object.put("bytes", bytes);
        object.put("rounds", settings.rounds());
        object.put("rows", settings.rows());
        object.put("dim", ReplaySettings.DIM);
        object.put("profile", name(settings));
        object.put("processors", Runtime.getRuntime().availableProcessors());
        object.put("jdk", Runtime.version().toString());
        object.put("writtenMegabytesPerSecond", written);
        object.put("rawMegabytesPerSecond", raw);
        object.put("recoveryMegabytesPerSecond", recovery);
        object.put("ratio", ratio);

        return JSON.of(object);
    }

    private static String name(final ReplaySettings settings)
    {
        return settings.profile().name().toLowerCase(Locale.ROOT);
    }

    private static String text(final Summary summary, final String format)
    {
        return String.format(Locale.ROOT, format + " (" + format + ".." + format + ")",
            summary.median(), summary.min(), summary.max());
    }
}
