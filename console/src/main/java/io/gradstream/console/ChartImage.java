// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import javax.imageio.ImageIO;

/** Draws a chart into a PNG file. */
public final class ChartImage
{
    static final int WIDTH = 1_200;
    static final int LEFT = 84;
    static final int RIGHT = 24;
    static final int TOP = 88;
    static final int BOTTOM = 36;

    private static final String HEADLESS = "java.awt.headless";
    private static final String FORMAT = "png";
    private static final int FONT_SIZE = 13;
    private static final int ROW_HEIGHT = 18;
    private static final int LEGEND_ROW = 8;
    private static final int TITLE_Y = 24;
    private static final int LABEL_ROWS = 3;
    private static final int GAP = 10;
    private static final int TICK_GAP = 6;
    private static final int TICKS = 4;
    private static final int MAX_LABEL = 24;
    private static final double POINT = 6;
    private static final double BARS_SHARE = 0.7;
    private static final Color PAPER = Color.WHITE;
    private static final Color INK = new Color(0x1f2933);
    private static final Color GRID = new Color(0xe4e7eb);
    private static final Color BAND = new Color(0xfdecec);
    private static final Color FAINT = new Color(0x7b8794);
    private static final Color[] COLORS = {
        new Color(0x2563eb), new Color(0xd97706), new Color(0x059669), new Color(0x9333ea),
        new Color(0x0891b2), new Color(0xdb2777), new Color(0x65a30d), new Color(0x475569)};

    static
    {
        // else a DISPLAY that leads nowhere would be an error, and no window is ever opened
        System.setProperty(HEADLESS, "true");
    }

    private final Chart chart;
    private final Graphics2D graphics;

    private ChartImage(final Chart chart, final Graphics2D graphics)
    {
        this.chart = chart;
        this.graphics = graphics;
    }

    /**
     * Draw a chart and write it in place of a file that is there.
     *
     * @throws IOException if it cannot be written.
     */
    public static void write(final Chart chart, final Path file) throws IOException
    {
        if (!ImageIO.write(draw(chart), FORMAT, file.toFile()))
        {
            throw new IOException("this JDK cannot write PNG");
        }
    }

    static BufferedImage draw(final Chart chart)
    {
        final BufferedImage image = new BufferedImage(
            WIDTH, TOP + chart.panels().size() * chart.panelHeight() + BOTTOM, BufferedImage.TYPE_INT_RGB);
        final Graphics2D graphics = image.createGraphics();
        try
        {
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setColor(PAPER);
            graphics.fillRect(0, 0, WIDTH, image.getHeight());
            new ChartImage(chart, graphics).drawAll(image.getHeight() - BOTTOM);
        }
        finally
        {
            graphics.dispose();
        }

        return image;
    }

    /** The next 1, 2 or 5 times a power of ten. */
    static double roundStep(final double least)
    {
        final double power = Math.pow(10, Math.floor(Math.log10(least)));
        final double mantissa = least / power;
        return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
    }

    /** A figure with as many decimals as its neighbours, one step away, need. */
    static String label(final double figure, final double step)
    {
        final int decimals = (int)Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)));
        return String.format(Locale.ROOT, "%,." + decimals + "f", figure);
    }

    private void drawAll(final int bottom)
    {
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, FONT_SIZE + 2));
        graphics.setColor(INK);
        graphics.drawString(chart.title(), LEFT, TITLE_Y);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT_SIZE));
        graphics.setColor(BAND);
        chart.bands().forEach((band) ->
            graphics.fill(new Rectangle2D.Double(x(band.from()), TOP, x(band.to()) - x(band.from()), bottom - TOP)));
        int top = TOP;
        for (final Chart.Panel panel : chart.panels())
        {
            drawPanel(panel, top);
            top += chart.panelHeight();
        }
        drawTicks(bottom);
        drawMarkers(bottom);
    }

    private void drawPanel(final Chart.Panel panel, final int top)
    {
        final Scale scale = Scale.of(panel, drawLegend(panel, top), top + chart.panelHeight() - FONT_SIZE);
        drawGrid(scale);
        for (int i = 0; i < panel.series().size(); i++)
        {
            graphics.setColor(COLORS[i % COLORS.length]);
            if (Chart.Form.BARS == panel.form())
            {
                drawBars(panel.series(), i, scale);
            }
            else
            {
                drawLine(panel.series().get(i), scale, Chart.Form.POINTS == panel.form());
            }
        }
    }

    /** The panel's title, and after it the names of its series if there are several; returns where figures begin. */
    private int drawLegend(final Chart.Panel panel, final int top)
    {
        int y = top + FONT_SIZE;
        graphics.setColor(INK);
        graphics.drawString(panel.title() + (Scale.isEmpty(panel) ? " (none)" : ""), LEFT, y);
        int x = LEFT + graphics.getFontMetrics().stringWidth(panel.title()) + GAP;
        for (int i = 0; panel.series().size() > 1 && i < panel.series().size(); i++)
        {
            final String name = panel.series().get(i).name();
            final int width = LEGEND_ROW + GAP / 2 + graphics.getFontMetrics().stringWidth(name);
            if (x + width > WIDTH - RIGHT)
            {
                x = LEFT;
                y += ROW_HEIGHT;
            }
            graphics.setColor(COLORS[i % COLORS.length]);
            graphics.fillRect(x, y - LEGEND_ROW, LEGEND_ROW, LEGEND_ROW);
            graphics.setColor(INK);
            graphics.drawString(name, x + LEGEND_ROW + GAP / 2, y);
            x += width + 2 * GAP;
        }

        return y + FONT_SIZE;
    }

    private void drawGrid(final Scale scale)
    {
        for (int tick = 0; tick <= Math.round((scale.high - scale.low) / scale.step); tick++)
        {
            final double figure = scale.figure(tick);
            final double y = scale.y(figure);
            graphics.setColor(GRID);
            graphics.draw(new Line2D.Double(LEFT, y, WIDTH - RIGHT, y));
            graphics.setColor(FAINT);
            final String label = label(figure, scale.isLogarithmic() ? figure : scale.step);
            graphics.drawString(label, LEFT - LEGEND_ROW - graphics.getFontMetrics().stringWidth(label),
                (float)(y + FONT_SIZE / 3.0));
        }
    }

    private void drawLine(final Chart.Series series, final Scale scale, final boolean hasPoints)
    {
        final Stroke before = graphics.getStroke();
        graphics.setStroke(new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        int last = -1;
        for (int i = 0; i < series.figures().length; i++)
        {
            if (scale.shows(series.figures()[i]))
            {
                final double x = x(series.places()[i]);
                final double y = scale.y(series.figures()[i]);
                if (hasPoints)
                {
                    graphics.fill(new Ellipse2D.Double(x - POINT / 2, y - POINT / 2, POINT, POINT));
                }
                // a figure alone is seen too; points are joined over figures that are not there
                graphics.draw(last < 0 ? new Line2D.Double(x, y, x + 1, y) :
                    new Line2D.Double(x(series.places()[last]), scale.y(series.figures()[last]), x, y));
                last = i;
            }
            else if (!hasPoints)
            {
                last = -1;
            }
        }
        graphics.setStroke(before);
    }

    private void drawBars(final List<Chart.Series> all, final int index, final Scale scale)
    {
        final Chart.Series series = all.get(index);
        final double share = BARS_SHARE * (WIDTH - LEFT - RIGHT) / series.figures().length;
        final double width = share / all.size();
        for (int i = 0; i < series.figures().length; i++)
        {
            if (scale.shows(series.figures()[i]))
            {
                final double y = scale.y(series.figures()[i]);
                graphics.fill(new Rectangle2D.Double(
                    x(series.places()[i]) - share / 2 + index * width, y, Math.max(1, width - 1), scale.bottom - y));
            }
        }
    }

    private void drawTicks(final int bottom)
    {
        graphics.setColor(FAINT);
        double end = 0;
        int row = 0;
        for (final Chart.Tick tick : chart.ticks())
        {
            final String label = tick.label().length() > MAX_LABEL ?
                tick.label().substring(0, MAX_LABEL - 1) + "\u2026" : tick.label();
            final double width = graphics.getFontMetrics().stringWidth(label);
            final double x = Math.min(x(tick.place()) - width / 2, WIDTH - width);
            // neighbours do not run into each other
            row = x < end ? 1 - row : 0;
            end = x + width + GAP;
            graphics.drawString(label, (float)x, bottom + FONT_SIZE + TICK_GAP + row * FONT_SIZE);
        }
    }

    private void drawMarkers(final int bottom)
    {
        final double[] ends = new double[LABEL_ROWS];
        final Stroke before = graphics.getStroke();
        for (final Chart.Marker marker : chart.markers())
        {
            final double x = x(Math.max(0, Math.min(1, marker.place())));
            graphics.setColor(marker.color());
            graphics.setStroke(new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1,
                new float[]{4, 3}, 0));
            graphics.draw(new Line2D.Double(x, TOP - FONT_SIZE / 2.0, x, bottom));
            graphics.setStroke(before);
            final int width = graphics.getFontMetrics().stringWidth(marker.label()) + GAP;
            final boolean isLeft = x + width > WIDTH - RIGHT;
            int row = 0;
            while (row < LABEL_ROWS - 1 && ends[row] > (isLeft ? x - width : x))
            {
                row++;
            }
            ends[row] = isLeft ? x : x + width;
            graphics.drawString(marker.label(), (float)(isLeft ? x - width : x + 3),
                TOP - FONT_SIZE / 2f - (LABEL_ROWS - 1 - row) * FONT_SIZE);
        }
    }

    private static double x(final double place)
    {
        return LEFT + place * (WIDTH - LEFT - RIGHT);
    }

    /** The vertical scale of a panel. Of a logarithmic one, its ends and its step are powers of ten. */
    private record Scale(Chart.Form form, double low, double high, double step, double top, double bottom)
    {
        static Scale of(final Chart.Panel panel, final double top, final double bottom)
        {
            final boolean isLogarithmic = Chart.Form.POINTS == panel.form();
            double min = Chart.Form.BARS == panel.form() ? 0 : Double.POSITIVE_INFINITY;
            double max = Double.NEGATIVE_INFINITY;
            for (final Chart.Series series : panel.series())
            {
                for (final double figure : series.figures())
                {
                    if (isShown(figure, panel.form()))
                    {
                        min = Math.min(min, isLogarithmic ? Math.log10(figure) : figure);
                        max = Math.max(max, isLogarithmic ? Math.log10(figure) : figure);
                    }
                }
            }
            if (isEmpty(panel))
            {
                return new Scale(panel.form(), 0, 1, 1, top, bottom);
            }
            final double step = isLogarithmic ? 1 :
                roundStep(Math.max(max - min, Math.max(Math.abs(max), 1) * 1e-6) / TICKS);
            final double low = Math.floor(min / step) * step;
            return new Scale(
                panel.form(), low, Math.max(low + step, Math.ceil(max / step) * step), step, top, bottom);
        }

        static boolean isEmpty(final Chart.Panel panel)
        {
            return panel.series().stream().flatMapToDouble((series) -> Arrays.stream(series.figures()))
                .noneMatch((figure) -> isShown(figure, panel.form()));
        }

        private static boolean isShown(final double figure, final Chart.Form form)
        {
            return Double.isFinite(figure) && (Chart.Form.LINES == form || figure > 0);
        }

        boolean isLogarithmic()
        {
            return Chart.Form.POINTS == form;
        }

        boolean shows(final double figure)
        {
            return isShown(figure, form);
        }

        double figure(final int tick)
        {
            return isLogarithmic() ? Math.pow(10, low + tick) : low + tick * step;
        }

        double y(final double figure)
        {
            return bottom - ((isLogarithmic() ? Math.log10(figure) : figure) - low) / (high - low) * (bottom - top);
        }
    }
}
