// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChartImageTest
{
    private static final int FIRST = 0xff2563eb;
    private static final int SECOND = 0xffd97706;

    @TempDir
    private Path directory;

    @Test
    void shouldWriteAPictureWithEachSeriesInAColourOfItsOwn() throws IOException
    {
        final Path file = directory.resolve("latency.png");

        ChartImage.write(chart(false, List.of(10.0, Double.NaN, 1_000.0), List.of(20.0, 30.0, 40.0)), file);

        final BufferedImage image = ImageIO.read(file.toFile());
        assertThat(image.getWidth()).isEqualTo(ChartImage.WIDTH);
        assertThat(count(image, FIRST)).isPositive();
        assertThat(count(image, SECOND)).isPositive();
    }

    @Test
    void shouldDrawTallerBarsOfLargerFigures()
    {
        final BufferedImage image = ChartImage.draw(chart(true, List.of(2.0, 2.0, 2.0), List.of(90.0, 90.0, 90.0)));

        assertThat(count(image, SECOND)).isGreaterThan(2 * count(image, FIRST));
    }

    @Test
    void shouldDrawNothingOfFiguresThatAreNotThere()
    {
        final List<Double> none = List.of(Double.NaN, 0.0, -1.0);
        final BufferedImage image = ChartImage.draw(chart(true, none, none));

        // what is left is the legend
        assertThat(count(image, FIRST)).isPositive().isLessThan(200);
    }

    @Test
    void shouldRefuseASeriesOfAnotherLength()
    {
        assertThatThrownBy(() -> chart(true, List.of(1.0), List.of(1.0, 2.0, 3.0)))
            .hasMessageContaining("invalid series ours: has 1 values for 3 places");
    }

    private static Chart chart(final boolean isBars, final List<Double> ours, final List<Double> raw)
    {
        final Map<String, List<Double>> series = new LinkedHashMap<>();
        series.put("ours", ours);
        series.put("raw", raw);

        return Chart.ofCategories(
            "title", isBars ? Chart.Form.BARS : Chart.Form.POINTS, List.of("4 KiB", "64 KiB", "1 MiB"), series);
    }

    private static int count(final BufferedImage image, final int colour)
    {
        int count = 0;
        for (int x = 0; x < image.getWidth(); x++)
        {
            for (int y = 0; y < image.getHeight(); y++)
            {
                count += colour == image.getRGB(x, y) ? 1 : 0;
            }
        }

        return count;
    }
}
