// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import io.gradstream.console.Chart.Band;
import io.gradstream.console.Chart.Form;
import io.gradstream.console.Chart.Marker;
import io.gradstream.console.Chart.Panel;
import io.gradstream.console.Chart.Series;
import io.gradstream.console.Chart.Tick;

import java.awt.Color;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A chart of a history's curves: loss, metrics, examples a second and push latency over one axis of time, with kills
 * and failovers marked.
 */
public final class CurvePlot
{
    static final int PANEL_HEIGHT = 210;

    private static final int TICKS = 8;
    private static final double MS_PER_S = 1_000;
    private static final double US_PER_MS = 1_000;
    private static final Map<Mark.Kind, Color> MARKS = Map.of(
        Mark.Kind.KILL, new Color(0xdc2626), Mark.Kind.FAILOVER, new Color(0x9333ea),
        Mark.Kind.SERVICE_BACK, new Color(0x059669), Mark.Kind.ELECTION, new Color(0xd97706));

    private final HistoryView view;
    private final long beginMs;
    private final double spanMs;

    private CurvePlot(final HistoryView view)
    {
        this.view = view;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (final SampleSeries.Point<ProgressSample> point : view.progress())
        {
            first = Math.min(first, point.value().timeMs());
            last = Math.max(last, point.value().timeMs());
        }
        beginMs = Long.MAX_VALUE == first ? view.startMs() : first;
        spanMs = Math.max(1, last - beginMs);
    }

    /**
     * Check, before a long run, that there will be a picture at its end.
     *
     * @param file to write.
     * @throws IOException that says what is missing: a directory, the JDK's part that draws, or its fonts.
     */
    public static void check(final Path file) throws IOException
    {
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".png"))
        {
            throw new IOException(file + ": the picture is a PNG: give it a name that ends with .png");
        }
        final Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || !Files.isDirectory(directory) || !Files.isWritable(directory))
        {
            throw new IOException(file + " cannot be written: name a file in a directory that is there and writable");
        }
        try
        {
            GraphicsEnvironment.getLocalGraphicsEnvironment();
            ChartImage.draw(chart(new RunHistory("", 0, 0)));
        }
        catch (final Error | RuntimeException ex)
        {
            throw new IOException("this JDK cannot draw (" + ex + "): install its desktop part and a font, as with" +
                " apt-get install fontconfig fonts-dejavu-core, or leave the picture out", ex);
        }
    }

    /**
     * Draw and write.
     *
     * @param history to draw.
     * @param file    to write; one that is there is replaced.
     * @throws IOException if it cannot be written.
     */
    public static void write(final RunHistory history, final Path file) throws IOException
    {
        ChartImage.write(chart(history), file);
    }

    static Chart chart(final RunHistory history)
    {
        final CurvePlot plot = new CurvePlot(history.since(0));
        return new Chart(
            plot.view.title(), PANEL_HEIGHT, plot.panels(), plot.ticks(), plot.outages(), plot.markers());
    }

    private List<Panel> panels()
    {
        final List<Panel> panels = new ArrayList<>();
        panels.add(panel("loss", curve("loss", ProgressSample::loss)));
        final Map<String, List<MetricSample>> metrics = new LinkedHashMap<>();
        view.metrics().forEach((point) ->
            metrics.computeIfAbsent(point.value().name(), (name) -> new ArrayList<>()).add(point.value()));
        metrics.forEach((name, points) -> panels.add(panel(name, new Series(name,
            points.stream().mapToDouble((point) -> place(point.timeMs())).toArray(),
            points.stream().mapToDouble(MetricSample::value).toArray()))));
        panels.add(panel("examples/s", curve("examples/s", ProgressSample::examplesPerSecond)));
        panels.add(panel("push latency, ms",
            curve("p50", (sample) -> sample.pushP50Us() / US_PER_MS),
            curve("p99", (sample) -> sample.pushP99Us() / US_PER_MS)));

        return panels;
    }

    private static Panel panel(final String title, final Series... series)
    {
        return new Panel(title, Form.LINES, List.of(series));
    }

    private Series curve(final String name, final ToDoubleFunction<ProgressSample> value)
    {
        return new Series(name,
            view.progress().stream().mapToDouble((point) -> place(point.value().timeMs())).toArray(),
            view.progress().stream().mapToDouble((point) -> value.applyAsDouble(point.value())).toArray());
    }

    private List<Tick> ticks()
    {
        final List<Tick> ticks = new ArrayList<>();
        final double step = ChartImage.roundStep(spanMs / MS_PER_S / TICKS);
        for (int tick = 0; tick * step <= spanMs / MS_PER_S; tick++)
        {
            ticks.add(new Tick(tick * step * MS_PER_S / spanMs, ChartImage.label(tick * step, step) + " s"));
        }

        return ticks;
    }

    /** From a kill until all is served again. */
    private List<Band> outages()
    {
        final List<Band> outages = new ArrayList<>();
        long fromMs = Long.MAX_VALUE;
        for (final SampleSeries.Point<Mark> point : view.marks())
        {
            final Mark mark = point.value();
            if (Mark.Kind.KILL == mark.kind())
            {
                fromMs = Math.min(fromMs, mark.timeMs());
            }
            else if (Mark.Kind.SERVICE_BACK == mark.kind() && fromMs < mark.timeMs())
            {
                outages.add(new Band(place(fromMs), place(mark.timeMs())));
                fromMs = Long.MAX_VALUE;
            }
        }

        return outages;
    }

    private List<Marker> markers()
    {
        return view.marks().stream().map(SampleSeries.Point::value).filter((mark) -> MARKS.containsKey(mark.kind()))
            .map((mark) -> new Marker(place(mark.timeMs()), HistoryJson.label(mark.kind()).replace('_', ' '),
                MARKS.get(mark.kind()))).toList();
    }

    private double place(final long timeMs)
    {
        return (timeMs - beginMs) / spanMs;
    }
}
