// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.Examples;
import io.gradstream.training.MalformedDataException;
import io.gradstream.training.RealData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IdxReaderTest
{
    private static final String IMAGES = "00000803 00000002 00000002 00000003 0000FF 330001 FF0000 000000";
    private static final String LABELS = "00000801 00000002 09 00";

    @TempDir
    private Path directory;

    private Path file(final String name, final String hex) throws IOException
    {
        return Files.write(directory.resolve(name), HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void shouldReadPixelsAndLabels() throws IOException
    {
        final Examples examples = IdxReader.read(file("images", IMAGES), file("labels", LABELS));
        assertThat(examples.size()).isEqualTo(2);
        assertThat(examples.featureCount()).isEqualTo(7);
        assertThat(new int[]{ examples.label(0), examples.label(1) }).containsExactly(9, 0);
        assertThat(new int[]{ examples.endEntry(0), examples.endEntry(1) }).containsExactly(4, 6);
        final int[] features = new int[6];
        final float[] values = new float[6];
        for (int entry = 0; entry < 6; entry++)
        {
            features[entry] = examples.feature(entry);
            values[entry] = examples.value(entry);
        }
        assertThat(features).containsExactly(0, 3, 4, 6, 0, 1);
        assertThat(values).containsExactly(1f, 1f, 0.2f, 1f / 255, 1f, 1f);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "11223344 | " + LABELS + "| images: is not in IDX format, which begins with two zeros",
        "0000 | " + LABELS + "| images: is not in IDX format, which begins with two zeros",
        "00000D03 | " + LABELS + "| images: holds elements of type 13 in 3 dimensions: images are of type 8 in 3",
        IMAGES + "|" + IMAGES + "| labels: holds elements of type 8 in 3 dimensions: labels are of type 8 in 1",
        "00000803 00000002 0000 | " + LABELS + "| images: ends within its header",
        IMAGES + "| 00000801 00000003 010203 | labels: holds 3 labels, but DIR/images holds 2 images",
        IMAGES + "| 00000801 80000000 | labels: says that it holds 2147483648 labels: must be 1..2147483647",
        "00000803 00000002 00000000 00000003 | " + LABELS +
            "| images: images are of 0 x 3 pixels: must be 1..16777216 pixels",
        "00000803 00000002 FFFFFFFF FFFFFFFF 00 | " + LABELS +
            "| images: images are of -1 x -1 pixels: must be 1..16777216 pixels",
        "00000803 00000002 00000002 00000003 0000FF 330001 FF0000 0000 | " + LABELS +
            "| images: ends within element 1 of 2, counted from 0",
        IMAGES + "| 00000801 00000002 09 | labels: ends within element 1 of 2, counted from 0",
        IMAGES + "00 | " + LABELS + "| images: continues after the 2 elements of its header",
        IMAGES + "| " + LABELS + "00 | labels: continues after the 2 elements of its header",
    })
    void shouldNameFileWhenMalformed(final String images, final String labels, final String message) throws IOException
    {
        final Path imageFile = file("images", images);
        final Path labelFile = file("labels", labels);
        assertThatThrownBy(() -> IdxReader.read(imageFile, labelFile)).isInstanceOf(MalformedDataException.class)
            .hasMessage(directory + "/" + message.replace("DIR", directory.toString()));
    }

    @Test
    void shouldReadFashionMnist()
    {
        final Examples examples = IdxReader.read(
            RealData.file("fashion-mnist/t10k-images-idx3-ubyte.gz"),
            RealData.file("fashion-mnist/t10k-labels-idx1-ubyte.gz"));
        assertThat(examples.size()).isEqualTo(10_000);
        assertThat(examples.featureCount()).isEqualTo(1 + 28 * 28);
        final int[] counts = new int[10];
        double sum = 0.0;
        for (int example = 0; example < examples.size(); example++)
        {
            counts[examples.label(example)]++;
            for (int entry = 1 + examples.firstEntry(example); entry < examples.endEntry(example); entry++)
            {
                sum += examples.value(entry);
            }
        }
        assertThat(counts).containsOnly(1000);
        // its test images have a mean pixel of 0.2868
        assertThat(sum / (10_000 * 784)).isBetween(0.2867, 0.2869);
    }
}
