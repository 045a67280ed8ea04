/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.perf.goal;

import io.gradstream.launcher.JsonText;
import io.gradstream.perf.report.TargetLine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lines of targets as a small table for people, and as one JSON object for programs.
 */
final class GoalText
{
    private static final JsonText JSON = new JsonText(4);
    private static final String ROW = "%-4s %-64s %28s %-8s %10s %7s %9s %-4s%n";

    private GoalText()
    {
    }

    /** Several lines, the last one ended. */
    static String table(final List<TargetLine> lines)
    {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT, ROW,
            "", "median (min..max)", "ours", "", "baseline", "ratio", "wanted", ""));
        for (final TargetLine line : lines)
        {
            text.append(String.format(Locale.ROOT, ROW, line.id(), line.measure(),
                String.format(Locale.ROOT, "%.2f (%.2f..%.2f)",
                    line.ours().median(), line.ours().min(), line.ours().max()),
                line.unit(), number(line.baseline()), number(line.ratio()), line.bound().text(),
                line.isMet() ? "met" : "MISS"));
            if (!line.note().isEmpty())
            {
                text.append("       ").append(line.note()).append(System.lineSeparator());
            }
        }

        return text.toString();
    }

    /**
     * One line without its end.
     *
     * @param measurement its name.
     */
    static String json(final String measurement, final List<TargetLine> lines)
    {
        final List<Object> all = new ArrayList<>();
        for (final TargetLine line : lines)
        {
            final Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", line.id());
            one.put("measure", line.measure());
            one.put("unit", line.unit());
            one.put("ours", line.ours());
            one.put("baseline", line.baseline());
            one.put("ratio", line.ratio());
            one.put("bound", line.bound().text());
            one.put("isMet", line.isMet());
            one.put("note", line.note());
            all.add(one);
        }
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("measurement", measurement);
        object.put("processors", Runtime.getRuntime().availableProcessors());
        object.put("jdk", Runtime.version().toString());
        object.put("targets", all);

        return JSON.of(object);
    }

    private static String number(final double value)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }
}
