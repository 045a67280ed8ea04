// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.RenderingHints;
import java.awt.Stroke;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import javax.imageio.ImageIO;


/**
 * Draws a history's curves into a PNG file: loss, metrics, examples a second and push latency over one axis of time,
 * with kills and failovers marked.
 */
public final class CurvePlot
{
    static final int WIDTH = 1_200;
    static final int PANEL_HEIGHT = 210;
    static final int LEFT = 84;
    static final int RIGHT = 24;
    static final int TOP = 88;
    static final int BOTTOM = 36;

    private static final String HEADLESS = "java.awt.headless";
    private static final int PANEL_TOP = 26;
    private static final int FONT_SIZE = 13;
    private static final int TITLE_Y = 24;
    private static final int LABEL_ROWS = 3;
    private static final int LABEL_GAP = 10;
    private static final int TICKS = 4;
    private static final double MS_PER_S = 1_000;
    private static final double US_PER_MS = 1_000;
    private static final String FORMAT = "png";
    private static final Color PAPER = Color.WHITE;
    private static final Color INK = new Color(0x1f2933);
    private static final Color GRID = new Color(0xe4e7eb);
    private static final Color OUTAGE = new Color(0xfdecec);
    private static final Color FAINT = new Color(0x7b8794);
    private static final Color[] LINES = {
        new Color(0x2563eb), new Color(0xd97706), new Color(0x059669), new Color(0x9333ea),
        new Color(0x0891b2), new Color(0xdb2777), new Color(0x65a30d), new Color(0x475569)};
    private static final Map<Mark.Kind, Color> MARKS = Map.of(
        Mark.Kind.KILL, new Color(0xdc2626), Mark.Kind.FAILOVER, new Color(0x9333ea),
        Mark.Kind.SERVICE_BACK, new Color(0x059669), Mark.Kind.ELECTION, new Color(0xd97706));

    /** One line of a panel: times in ms since 1970 and values. */
    private record Curve(String name, double[] timesMs, double[] values)
    {
    }

    static
    {
        // else a DISPLAY that leads nowhere would be an error, and no window is ever opened
        System.setProperty(HEADLESS, "true");
    }

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
            image(new RunHistory("", 0, 0));
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
        if (!ImageIO.write(image(history), FORMAT, file.toFile()))
        {
            throw new IOException("this JDK cannot write PNG");
        }
    }

    static BufferedImage image(final RunHistory history)
    {
        final CurvePlot plot = new CurvePlot(history.since(0));
        final Map<String, List<Curve>> panels = plot.panels();
        final BufferedImage image = new BufferedImage(
            WIDTH, TOP + panels.size() * PANEL_HEIGHT + BOTTOM, BufferedImage.TYPE_INT_RGB);
        final Graphics2D graphics = image.createGraphics();
        try
        {
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            plot.draw(graphics, panels, image.getHeight());
        }
        finally
        {
            graphics.dispose();
        }

        return image;
    }

    private Map<String, List<Curve>> panels()
    {
        final Map<String, List<Curve>> panels = new LinkedHashMap<>();
        panels.put("loss", List.of(curve("loss", ProgressSample::loss)));
        final Map<String, List<double[]>> metrics = new LinkedHashMap<>();
        view.metrics().forEach((point) -> metrics.computeIfAbsent(point.value().name(), (name) -> new ArrayList<>())
            .add(new double[]{point.value().timeMs(), point.value().value()}));
        metrics.forEach((name, points) -> panels.put(name, List.of(new Curve(name,
            points.stream().mapToDouble((point) -> point[0]).toArray(),
            points.stream().mapToDouble((point) -> point[1]).toArray()))));
        panels.put("examples/s", List.of(curve("examples/s", ProgressSample::examplesPerSecond)));
        panels.put("push latency, ms", List.of(
            curve("p50", (sample) -> sample.pushP50Us() / US_PER_MS),
            curve("p99", (sample) -> sample.pushP99Us() / US_PER_MS)));

        return panels;
    }

    private Curve curve(final String name, final ToDoubleFunction<ProgressSample> value)
    {
        return new Curve(name,
            view.progress().stream().mapToDouble((point) -> point.value().timeMs()).toArray(),
            view.progress().stream().mapToDouble((point) -> value.applyAsDouble(point.value())).toArray());
    }

    private void draw(final Graphics2D graphics, final Map<String, List<Curve>> panels, final int height)
    {
        graphics.setColor(PAPER);
        graphics.fillRect(0, 0, WIDTH, height);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, FONT_SIZE + 2));
        graphics.setColor(INK);
        graphics.drawString(view.title(), LEFT, TITLE_Y);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT_SIZE));
        drawOutages(graphics, TOP + panels.size() * PANEL_HEIGHT);
        int top = TOP;
        for (final Map.Entry<String, List<Curve>> panel : panels.entrySet())
        {
            drawPanel(graphics, panel.getKey(), panel.getValue(), top);
            top += PANEL_HEIGHT;
        }
        drawTimes(graphics, top);
        drawMarks(graphics, top);
    }

    private void drawPanel(final Graphics2D graphics, final String title, final List<Curve> curves, final int top)
    {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (final Curve curve : curves)
        {
            for (final double value : curve.values)
            {
                min = Double.isFinite(value) ? Math.min(min, value) : min;
                max = Double.isFinite(value) ? Math.max(max, value) : max;
            }
        }
        final boolean isEmpty = min > max;
        final double step = isEmpty ? 1 : roundStep(Math.max(max - min, Math.max(Math.abs(max), 1) * 1e-6) / TICKS);
        final double low = isEmpty ? 0 : Math.floor(min / step) * step;
        final double high = isEmpty ? 1 : Math.max(low + step, Math.ceil(max / step) * step);

        graphics.setColor(INK);
        graphics.drawString(title + (isEmpty ? " (none)" : ""), LEFT, top + FONT_SIZE);
        drawGrid(graphics, top, low, high, step);
        for (int i = 0; i < curves.size(); i++)
        {
            graphics.setColor(LINES[i % LINES.length]);
            if (curves.size() > 1)
            {
                graphics.drawString(curves.get(i).name, WIDTH - RIGHT - (curves.size() - i) * 4 * FONT_SIZE,
                    top + FONT_SIZE);
            }
            drawCurve(graphics, curves.get(i), top, low, high);
        }
    }

    private static void drawGrid(
        final Graphics2D graphics, final int top, final double low, final double high, final double step)
    {
        final long ticks = Math.round((high - low) / step);
        for (int tick = 0; tick <= ticks; tick++)
        {
            final double value = low + tick * step;
            final double y = y(value, top, low, high);
            graphics.setColor(GRID);
            graphics.draw(new Line2D.Double(LEFT, y, WIDTH - RIGHT, y));
            graphics.setColor(FAINT);
            final String label = label(value, step);
            graphics.drawString(label, LEFT - 8 - graphics.getFontMetrics().stringWidth(label),
                (float)(y + FONT_SIZE / 3.0));
        }
    }

    private void drawCurve(
        final Graphics2D graphics, final Curve curve, final int top, final double low, final double high)
    {
        final Path2D path = new Path2D.Double();
        boolean isDown = false;
        for (int i = 0; i < curve.values.length; i++)
        {
            final boolean isPoint = Double.isFinite(curve.values[i]);
            if (isPoint)
            {
                final double x = x(curve.timesMs[i]);
                final double y = y(curve.values[i], top, low, high);
                if (isDown)
                {
                    path.lineTo(x, y);
                }
                else
                {
                    path.moveTo(x, y);
                    // a point alone is seen too
                    path.lineTo(x + 1, y);
                }
            }
            isDown = isPoint;
        }
        final Stroke before = graphics.getStroke();
        graphics.setStroke(new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        graphics.draw(path);
        graphics.setStroke(before);
    }

    private void drawTimes(final Graphics2D graphics, final int bottom)
    {
        graphics.setColor(FAINT);
        final double step = roundStep(spanMs / MS_PER_S / (2 * TICKS));
        final int ticks = (int)Math.floor(spanMs / MS_PER_S / step);
        for (int tick = 0; tick <= ticks; tick++)
        {
            final String label = label(tick * step, step) + " s";
            graphics.drawString(label, (float)(x(beginMs + tick * step * MS_PER_S) -
                graphics.getFontMetrics().stringWidth(label) / 2.0), bottom + FONT_SIZE + 6);
        }
    }

    /** From a kill until all is served again. */
    private void drawOutages(final Graphics2D graphics, final int bottom)
    {
        graphics.setColor(OUTAGE);
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
                graphics.fill(new Rectangle2D.Double(x(fromMs), TOP, x(mark.timeMs()) - x(fromMs), bottom - TOP));
                fromMs = Long.MAX_VALUE;
            }
        }
    }

    private void drawMarks(final Graphics2D graphics, final int bottom)
    {
        final double[] ends = new double[LABEL_ROWS];
        final Stroke before = graphics.getStroke();
        for (final SampleSeries.Point<Mark> point : view.marks())
        {
            final Color color = MARKS.get(point.value().kind());
            if (null != color)
            {
                final double x = Math.max(LEFT, Math.min(WIDTH - RIGHT, x(point.value().timeMs())));
                graphics.setColor(color);
                graphics.setStroke(new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1,
                    new float[]{4, 3}, 0));
                graphics.draw(new Line2D.Double(x, TOP - FONT_SIZE / 2.0, x, bottom));
                graphics.setStroke(before);
                final String label = HistoryJson.label(point.value().kind()).replace('_', ' ');
                final int width = graphics.getFontMetrics().stringWidth(label) + LABEL_GAP;
                final boolean isLeft = x + width > WIDTH - RIGHT;
                int row = 0;
                while (row < LABEL_ROWS - 1 && ends[row] > (isLeft ? x - width : x))
                {
                    row++;
                }
                ends[row] = isLeft ? x : x + width;
                graphics.drawString(label, (float)(isLeft ? x - width : x + 3),
                    TOP - FONT_SIZE / 2f - (LABEL_ROWS - 1 - row) * FONT_SIZE);
            }
        }
        graphics.setStroke(before);
    }

    private double x(final double timeMs)
    {
        return LEFT + (timeMs - beginMs) / spanMs * (WIDTH - LEFT - RIGHT);
    }

    private static double y(final double value, final int top, final double low, final double high)
    {
        final int height = PANEL_HEIGHT - PANEL_TOP - FONT_SIZE;
        return top + PANEL_TOP + height * (1 - (value - low) / (high - low));
    }

    /** The next 1, 2 or 5 times a power of ten. */
    private static double roundStep(final double least)
    {
        final double power = Math.pow(10, Math.floor(Math.log10(least)));
        final double mantissa = least / power;
        return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
    }

    private static String label(final double value, final double step)
    {
        final int decimals = (int)Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)));
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
