// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.launcher.JsonText;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Machine;
import io.gradstream.benchmarks.PeersSettings.PeerCase;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of peers, as a table for people and as one JSON object for programs. */
final class PeersReport
{
    private static final JsonText JSON = new JsonText(3);
    private static final String ROW = "  %-26s %32s %30s";

    private final PeersSettings settings;
    private final List<PeerResult> results;

    PeersReport(final PeersSettings settings, final List<PeerResult> results)
    {
        this.settings = settings;
        this.results = results;
    }

    /** Several lines, the last one ended. */
    String table()
    {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT,
            "Medians (min..max) of %d windows of %.1f s, peers in turn; profile %s; JDK %s%n",
            settings.windows(), settings.windowNs() / 1e9, profile(), Runtime.version().feature()));
        PeerCase last = null;
        for (final PeerResult result : results)
        {
            final PeerCase of = new PeerCase(result.measure(), result.size(), result.depth());
            if (!of.equals(last))
            {
                text.append(String.format(Locale.ROOT, "%n" + ROW + "%n",
                    result.measure().id() + " " + ByteSize.text(result.size()) + ", depth " + result.depth(),
                    "p50 us", "MB/s"));
            }
            last = of;
            final boolean isSkipped = PeerResult.Origin.SKIPPED == result.origin();
            final String note = isSkipped ? "SKIPPED: " + result.note() : result.note();
            text.append(String.format(Locale.ROOT, ROW + "%s%n", result.peer(),
                summary(result.p50Us()), summary(result.megabytesPerSecond()), note.isEmpty() ? "" : "  " + note));
        }

        return text.toString();
    }

    /** One line without its end. */
    String json()
    {
        final Machine machine = Machine.here();
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("measurement", "peers");
        object.put("windows", settings.windows());
        object.put("windowSeconds", settings.windowNs() / 1e9);
        object.put("profile", profile());
        object.put("processors", Runtime.getRuntime().availableProcessors());
        object.put("machine", machine.name());
        object.put("jdk", machine.jdk());
        object.put("commit", machine.commit());
        final List<Object> lines = new ArrayList<>();
        results.forEach((result) -> lines.add(json(result)));
        object.put("results", lines);

        return JSON.of(object);
    }

    private String profile()
    {
        return settings.profile().name().toLowerCase(Locale.ROOT);
    }

    private static String summary(final Summary summary)
    {
        return Double.isFinite(summary.median()) ?
            String.format(Locale.ROOT, "%.1f (%.1f..%.1f)", summary.median(), summary.min(), summary.max()) : "-";
    }

    private static Map<String, Object> json(final PeerResult result)
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("peer", result.peer());
        object.put("measure", result.measure().id());
        object.put("size", result.size());
        object.put("depth", result.depth());
        object.put("origin", result.origin().name().toLowerCase(Locale.ROOT));
        object.put("p50Us", result.p50Us());
        object.put("megabytesPerSecond", result.megabytesPerSecond());
        object.put("note", result.note());

        return object;
    }
}
