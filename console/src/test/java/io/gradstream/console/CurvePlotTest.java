// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The picture has a curve where there are samples, a line where there is a kill, and a panel for each metric.
 */
class CurvePlotTest
{
    private static final int LOSS_BLUE = 0x2563eb;
    private static final int KILL_RED = 0xdc2626;

    @TempDir
    private Path directory;

    @Test
    void shouldDrawAFallingCurveFromLeftToRight()
    {
        final BufferedImage image = ChartImage.draw(CurvePlot.chart(history(false)));

        final int middle = (ChartImage.LEFT + ChartImage.WIDTH - ChartImage.RIGHT) / 2;
        final int early = topOf(image, ChartImage.LEFT + 20, LOSS_BLUE);
        final int late = topOf(image, ChartImage.WIDTH - ChartImage.RIGHT - 20, LOSS_BLUE);
        assertThat(early).isPositive().isLessThan(topOf(image, middle, LOSS_BLUE));
        assertThat(topOf(image, middle, LOSS_BLUE)).isLessThan(late);
        assertThat(late).isLessThan(ChartImage.TOP + CurvePlot.PANEL_HEIGHT);
        assertThat(topOf(ChartImage.draw(CurvePlot.chart(Histories.empty())), middle, LOSS_BLUE))
            .as("nothing to draw").isNegative();
    }

    @Test
    void shouldMarkAKillWhereItWas()
    {
        final BufferedImage image = ChartImage.draw(CurvePlot.chart(history(true)));

        final int middle = (ChartImage.LEFT + ChartImage.WIDTH - ChartImage.RIGHT) / 2;
        assertThat(hasNear(image, middle, KILL_RED)).isTrue();
        assertThat(hasNear(image, ChartImage.LEFT + 100, KILL_RED)).isFalse();
        assertThat(hasNear(ChartImage.draw(CurvePlot.chart(history(false))), middle, KILL_RED)).isFalse();
    }

    @Test
    void shouldGiveEachMetricAPanel() throws IOException
    {
        final RunHistory history = history(false);
        final int without = ChartImage.draw(CurvePlot.chart(history)).getHeight();
        history.onMetric(new MetricSample(Histories.BEGAN_MS + 500, 1, "auc", 0.7, true));
        history.onMetric(new MetricSample(Histories.BEGAN_MS + 900, 2, "auc", 0.8, true));
        final Path file = directory.resolve("curves.png");
        CurvePlot.check(file);
        CurvePlot.write(history, file);

        final BufferedImage written = ImageIO.read(file.toFile());
        assertThat(written.getHeight()).isEqualTo(without + CurvePlot.PANEL_HEIGHT);
    }

    @Test
    void shouldRefuseAFileThatCannotBeWrittenBeforeAnythingStarts() throws IOException
    {
        assertThatThrownBy(() -> CurvePlot.check(directory.resolve("nowhere").resolve("curves.png")))
            .isInstanceOf(IOException.class).hasMessageContaining("name a file in a directory that is there");
        assertThatThrownBy(() -> CurvePlot.check(directory)).isInstanceOf(IOException.class);
        assertThat(Files.list(directory)).as("a check leaves nothing").isEmpty();
    }

    private static RunHistory history(final boolean isKilled)
    {
        final RunHistory history = Histories.empty();
        for (int i = 0; i <= 20; i++)
        {
            history.onSample(Histories.sample(i, 1 - i / 25.0));
        }
        if (isKilled)
        {
            history.onMark(new Mark(Histories.BEGAN_MS + 5_000, Mark.Kind.KILL, "kill -9 of server 0"));
        }

        return history;
    }

    private static int topOf(final BufferedImage image, final int x, final int rgb)
    {
        for (int y = 0; y < ChartImage.TOP + CurvePlot.PANEL_HEIGHT; y++)
        {
            if ((image.getRGB(x, y) & 0xffffff) == rgb)
            {
                return y;
            }
        }

        return -1;
    }

    /** Of the line, or of where it is half over white. */
    private static boolean hasNear(final BufferedImage image, final int x, final int rgb)
    {
        for (int near = x - 2; near <= x + 2; near++)
        {
            for (int y = ChartImage.TOP; y < image.getHeight() - ChartImage.BOTTOM; y++)
            {
                final int pixel = image.getRGB(near, y);
                if (isNear(pixel >> 16, rgb >> 16) && isNear(pixel >> 8, rgb >> 8) && isNear(pixel, rgb))
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static boolean isNear(final int value, final int wanted)
    {
        return Math.abs((value & 0xff) - (wanted & 0xff)) <= 60;
    }
}
