// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.launcher.JsonText;
import io.gradstream.perf.measure.MachineLoad;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lines of a run, with each target and its baseline: for people, for programs and for sheets. */
public final class TargetReport
{
    private static final JsonText JSON = new JsonText(4);
    private static final String ROW = "%-4s %-WIDTHs %-8s %10s %22s %10s %10s %7s %7s %-20s %-9s %s";
    private static final List<String> COLUMNS = List.of("target", "measure", "unit", "ours", "min", "max", "baseline",
        "bestPeer", "ratio", "spread", "cpu", "bound", "met", "machineBusyShare", "stealShare", "note");
    private static final String NOT_MEASURED = "not measured";
    private static final int SMALL = 10;
    private static final int LARGE = 1_000;
    private static final double PERCENT = 100;

    private final String measurement;
    private final Map<String, Object> settings;
    private final Machine machine;
    private final List<TargetLine> lines;

    /**
     * The report of a run.
     *
     * @param measurement name of the command.
     * @param settings    of the measurement, by their options.
     */
    public TargetReport(
        final String measurement,
        final Map<String, Object> settings,
        final Machine machine,
        final List<TargetLine> lines)
    {
        this.measurement = measurement;
        this.settings = settings;
        this.machine = machine;
        this.lines = List.copyOf(lines);
    }

    /** Several lines, the last one ended. */
    public String table()
    {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "%nperf %s%s%n%s; JDK %s; commit %s%nmachine at worst: %s%nours and baseline: medians; " +
            "spread: widest window; CPU: worker + server%n", measurement,
            settings.entrySet().stream().map((set) -> " --" + set.getKey() + "=" + set.getValue())
                .collect(Collectors.joining()), machine.name(), machine.jdk(), machine.commit(),
            worstLoad().text()));
        final int width = lines.stream().mapToInt((line) -> line.measure().length()).max().orElse(1);
        final String row = ROW.replace("WIDTH", Integer.toString(width));
        text.append(String.format(Locale.ROOT, row, "", "measure", "unit", "ours", "min..max", "baseline", "best peer",
            "ratio", "spread", "CPU", "bound", "met").stripTrailing()).append('\n');
        for (final TargetLine line : lines)
        {
            final String met = Stream.of(met(line), busy(line), line.note())
                .filter((part) -> !part.isEmpty()).collect(Collectors.joining("  "));
            final String range = Double.isFinite(line.ours().min()) ?
                figure(line.ours().min()) + ".." + figure(line.ours().max()) : "-";
            text.append(String.format(Locale.ROOT, row, line.id(), line.measure(), line.unit(),
                figure(line.ours().median()), range, figure(line.baseline()), figure(line.bestPeer()),
                ratio(line.ratio()), spread(line), line.cost().text(), line.bound().text(), met).stripTrailing())
                .append('\n');
        }

        return text.toString();
    }

    /** One line without its end. */
    public String json()
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("measurement", measurement);
        object.put("settings", settings);
        object.put("machine", machine.name());
        object.put("jdk", machine.jdk());
        object.put("commit", machine.commit());
        object.put("isMeasured", lines.stream().allMatch(TargetLine::isMeasured));
        object.put("maxBusyShare", MachineLoad.MAX_SHARE);
        object.put("targets", lines.stream().map(TargetReport::fields).toList());

        return JSON.of(object);
    }

    /**
     * One sentence about the figures that do not count since the machine was busy, and what to do; empty if there are
     * none.
     */
    public String advice()
    {
        final long refused = lines.stream().filter(TargetLine::isRefused).count();
        final MachineLoad worst = worstLoad();

        return 0 == refused ? "" : String.format(Locale.ROOT, "%d of %d figures are not measured, as the machine " +
            "was busy: at worst %s, where %.0f %% each are allowed; %s, and measure again", refused, lines.size(),
            worst.text(), PERCENT * MachineLoad.MAX_SHARE, worst.othersShare() > MachineLoad.MAX_SHARE ?
            "stop what else runs here" : "take a machine whose host has less to do");
    }

    /** Comma-separated, with a line of names; figures in full, empty where there is none. */
    public String csv()
    {
        final StringBuilder text = new StringBuilder(String.join(",", COLUMNS)).append('\n');
        for (final TargetLine line : lines)
        {
            text.append(cells(line, TargetReport::plain).stream().map(TargetReport::quoted)
                .collect(Collectors.joining(","))).append('\n');
        }

        return text.toString();
    }

    /** A section with a table. */
    public String markdown()
    {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "# Targets%n%n%s; JDK %s; commit %s. Machine at worst: %s.%n%n", machine.name(), machine.jdk(),
            machine.commit(), worstLoad().text()));
        if (!advice().isEmpty())
        {
            text.append(advice()).append(".\n\n");
        }
        text.append(markdownRow(COLUMNS));
        text.append(markdownRow(COLUMNS.stream().map((unused) -> "---").toList()));
        lines.forEach((line) -> text.append(markdownRow(cells(line, TargetReport::figure))));

        return text.toString();
    }

    /** The largest shares that others and the host took during any measure. */
    private MachineLoad worstLoad()
    {
        return lines.stream().map(TargetLine::machine).reduce(MachineLoad.UNKNOWN, MachineLoad::worst);
    }

    private static Map<String, Object> fields(final TargetLine line)
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("id", line.id());
        object.put("measure", line.measure());
        object.put("unit", line.unit());
        object.put("ours", line.ours().median());
        object.put("min", line.ours().min());
        object.put("max", line.ours().max());
        object.put("baseline", line.baseline());
        object.put("bestPeer", line.bestPeer());
        object.put("ratio", line.ratio());
        object.put("spread", line.spread());
        object.put("target", line.bound().text());
        object.put("met", line.hasTarget() && !line.isRefused() ? line.isMet() : null);
        object.put("isMeasured", line.isMeasured());
        object.put("machineBusyShare", line.machine().othersShare());
        object.put("stealShare", line.machine().stealShare());
        object.put("note", line.note());
        object.put("windows", line.ours().windows());
        if (line.cost().isKnown())
        {
            final String unit = line.cost().unit().fieldName();
            object.put("cpuSecondsPer" + unit, line.cost().seconds());
            object.put("workerCpuSecondsPer" + unit, line.cost().workerSeconds());
            object.put("serverCpuSecondsPer" + unit, line.cost().serverSeconds());
        }

        return object;
    }

    private static List<String> cells(final TargetLine line, final DoubleFunction<String> text)
    {
        final List<String> cells = new ArrayList<>(List.of(line.id(), line.measure(), line.unit()));
        for (final double value : new double[]{
            line.ours().median(), line.ours().min(), line.ours().max(), line.baseline(), line.bestPeer(),
            line.ratio(), line.spread()})
        {
            cells.add(text.apply(value));
        }
        cells.addAll(List.of(line.cost().isKnown() ? line.cost().text() : text.apply(Double.NaN),
            line.bound().text(), met(line), text.apply(line.machine().othersShare()),
            text.apply(line.machine().stealShare()), line.note()));

        return cells;
    }

    private static String markdownRow(final List<String> cells)
    {
        return cells.stream().map((cell) -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /** A cell in quotes where RFC 4180 asks for them. */
    private static String quoted(final String cell)
    {
        return cell.matches("(?s).*[,\"\n\r].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }

    private static String met(final TargetLine line)
    {
        return !line.hasTarget() ? "" : line.isRefused() ? NOT_MEASURED : line.isMet() ? "yes" : "no";
    }

    private static String busy(final TargetLine line)
    {
        return line.isRefused() ? "busy: " + line.machine().text() : "";
    }

    private static String plain(final double value)
    {
        return Double.isFinite(value) ? Double.toString(value) : "";
    }

    private static String figure(final double value)
    {
        if (!Double.isFinite(value))
        {
            return "-";
        }
        return String.format(Locale.ROOT, value < SMALL ? "%.2f" : value < LARGE ? "%.1f" : "%.0f", value);
    }

    /** A ratio with one digit more than bounds have, which shows the side of its bound on which it is. */
    private static String ratio(final double value)
    {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "-";
    }

    private static String spread(final TargetLine line)
    {
        return Double.isFinite(line.spread()) ? String.format(Locale.ROOT, "%.0f %%", 100 * line.spread()) : "-";
    }
}
