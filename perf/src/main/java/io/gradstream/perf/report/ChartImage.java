// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import javax.imageio.ImageIO;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.List;

/**
 * Draws a chart: places on the x axis, a colour for each series; lines on powers of ten, bars on a scale from zero.
 */
public final class ChartImage
{
    static final int WIDTH = 960;
    static final int HEIGHT = 540;

    private static final int LEFT = 90;
    private static final int RIGHT = 30;
    private static final int TOP = 60;
    private static final int LEGEND_ROW = 20;
    private static final int LABELS = 40;
    private static final int MARK = 6;
    private static final int FONT = 13;
    private static final int MAX_LABEL = 24;
    private static final double BARS_SHARE = 0.7;
    private static final int BAR_TICKS = 5;
    private static final MathContext TICK_DIGITS = new MathContext(3);
    private static final List<Color> COLOURS = List.of(new Color(0x1f77b4), new Color(0xff7f0e), new Color(0x2ca02c),
        new Color(0xd62728), new Color(0x9467bd), new Color(0x8c564b), new Color(0x7f7f7f));

    private final BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    private final Graphics2D graphics = image.createGraphics();
    private final Chart chart;
    private final int bottom;
    /** Ends of the y axis: of bars figures, of lines their powers of ten. */
    private final double lowest;
    private final double highest;

    private ChartImage(final Chart chart)
    {
        this.chart = chart;
        bottom = HEIGHT - LABELS - LEGEND_ROW * chart.series().size();
        final double[] values = chart.series().values().stream().flatMap(List::stream)
            .filter((value) -> value > 0 && Double.isFinite(value)).mapToDouble(Double::doubleValue).toArray();
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (final double value : values)
        {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        final boolean isEmpty = 0 == values.length;
        lowest = isEmpty || chart.isBars() ? 0 : Math.floor(Math.log10(least));
        highest = isEmpty ? 1 : chart.isBars() ? most : Math.max(lowest + 1, Math.ceil(Math.log10(most)));
    }

    /** Draw a chart into a PNG file, in place of what is there. */
    public static void write(final Chart chart, final Path file) throws IOException
    {
        final BufferedImage drawn = draw(chart);
        if (!ImageIO.write(drawn, "png", file.toFile()))
        {
            throw new IOException("this JDK writes no PNG: " + file);
        }
    }

    static BufferedImage draw(final Chart chart)
    {
        final ChartImage drawing = new ChartImage(chart);
        try
        {
            drawing.drawAll();
            return drawing.image;
        }
        finally
        {
            drawing.graphics.dispose();
        }
    }

    private void drawAll()
    {
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, WIDTH, HEIGHT);
        graphics.setColor(Color.BLACK);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, FONT));
        graphics.drawString(chart.title(), LEFT, TOP / 2);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT));
        drawAxes();
        int index = 0;
        for (final String name : chart.series().keySet())
        {
            graphics.setColor(COLOURS.get(index % COLOURS.size()));
            drawSeries(chart.series().get(name), index);
            drawLegend(name, index++);
        }
    }

    private void drawAxes()
    {
        final double tick = chart.isBars() ? highest / BAR_TICKS : 1;
        for (int i = 0; i <= Math.round((highest - lowest) / tick); i++)
        {
            final double value = chart.isBars() ? i * tick : Math.pow(10, lowest + i);
            final int y = y(value);
            graphics.setColor(Color.LIGHT_GRAY);
            graphics.drawLine(LEFT, y, WIDTH - RIGHT, y);
            graphics.setColor(Color.BLACK);
            final String text = BigDecimal.valueOf(value).round(TICK_DIGITS).stripTrailingZeros().toPlainString();
            graphics.drawString(text, LEFT - MARK - graphics.getFontMetrics().stringWidth(text), y + MARK / 2);
        }
        for (int i = 0; i < chart.categories().size(); i++)
        {
            final String label = chart.categories().get(i);
            final String text = label.length() > MAX_LABEL ? label.substring(0, MAX_LABEL - 1) + "\u2026" : label;
            // neighbours do not run into each other: each second one a line lower
            final int row = chart.isBars() ? i % 2 : 0;
            graphics.drawString(text, x(i) - graphics.getFontMetrics().stringWidth(text) / 2,
                bottom + FONT + MARK + row * FONT);
        }
    }

    private void drawSeries(final List<Double> values, final int series)
    {
        graphics.setStroke(new BasicStroke(2));
        int previous = -1;
        for (int i = 0; i < values.size(); i++)
        {
            if (!(values.get(i) > 0 && Double.isFinite(values.get(i))))
            {
                continue;
            }
            final int y = y(values.get(i));
            if (chart.isBars())
            {
                final double width = BARS_SHARE * step() / chart.series().size();
                final int left = (int)(x(i) - BARS_SHARE * step() / 2 + series * width);
                graphics.fillRect(left, y, Math.max(1, (int)width - 1), bottom - y);
            }
            else
            {
                graphics.fillOval(x(i) - MARK / 2, y - MARK / 2, MARK, MARK);
                if (previous >= 0)
                {
                    graphics.drawLine(x(previous), y(values.get(previous)), x(i), y);
                }
            }
            previous = i;
        }
    }

    private void drawLegend(final String name, final int index)
    {
        final int y = bottom + LABELS + index * LEGEND_ROW;
        graphics.fillRect(LEFT, y, MARK * 2, MARK * 2);
        graphics.setColor(Color.BLACK);
        graphics.drawString(name, LEFT + MARK * 3, y + MARK * 2);
    }

    private double step()
    {
        return (double)(WIDTH - LEFT - RIGHT) / chart.categories().size();
    }

    private int x(final int category)
    {
        return LEFT + (int)((category + 0.5) * step());
    }

    private int y(final double value)
    {
        final double place = chart.isBars() ? value : Math.log10(value);
        return bottom - (int)((place - lowest) / (highest - lowest) * (bottom - TOP));
    }
}
