// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.form.LabelValues;
import io.gradstream.training.form.LibsvmFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LibsvmReaderTest
{
    @TempDir
    private Path directory;

    private Path file(final String content) throws IOException
    {
        return Files.writeString(directory.resolve("data.txt"), content, StandardCharsets.ISO_8859_1);
    }

    private static byte[] gzip(final String content) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes))
        {
            out.write(content.getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldReadLabelsEntriesAndCommentsWhenWellFormed() throws IOException
    {
        final Examples examples = LibsvmReader.read(
            file("# a comment\r\n+1 0:1 7:-2.5 # another 9:9\r\n\r\n  \t\n-1\n1\t3:+1e-3 2147483646:0.1"));

        assertThat(examples.size()).isEqualTo(3);
        assertThat(examples.featureCount()).isEqualTo(Integer.MAX_VALUE);
        assertThat(new int[]{ examples.label(0), examples.label(1), examples.label(2) }).containsExactly(1, 0, 1);
        assertThat(new int[]{ examples.endEntry(0), examples.endEntry(1), examples.endEntry(2) })
            .containsExactly(2, 2, 4);
        assertThat(new int[]{ examples.feature(0), examples.feature(1), examples.feature(2), examples.feature(3) })
            .containsExactly(0, 7, 3, 2147483646);
        assertThat(new float[]{ examples.value(0), examples.value(1), examples.value(2), examples.value(3) })
            .containsExactly(1.0f, -2.5f, 1e-3f, 0.1f);
    }

    @Test
    void shouldSortIndicesAndPassOverBlanksAroundColons() throws IOException
    {
        final Examples examples = LibsvmReader.read(file("1 7:3 2: 0.5  5 :1.5\n0 9 : -2\r\r\n"));

        assertThat(examples.size()).isEqualTo(2);
        assertThat(new int[]{ examples.feature(0), examples.feature(1), examples.feature(2), examples.feature(3) })
            .containsExactly(2, 5, 7, 9);
        assertThat(new float[]{ examples.value(0), examples.value(1), examples.value(2), examples.value(3) })
            .containsExactly(0.5f, 1.5f, 3f, -2f);
    }

    @Test
    void shouldReadLabelsAndDecimalsOfAnotherFormat() throws IOException
    {
        final LibsvmFormat format = new LibsvmFormat(ExampleRule.binary(), new LabelValues("1", "2"), ',', 9);
        final Examples examples = LibsvmReader.read(List.of(file("2 1:0,5\n+1 2:1\n2.0 9:1e-1\n")), format);

        assertThat(new float[]{ examples.target(0), examples.target(1), examples.target(2) }).containsExactly(1, 0, 1);
        assertThat(examples.value(0)).isEqualTo(0.5f);
        assertThatThrownBy(() -> LibsvmReader.read(List.of(file("2 1:0.5\n")), format))
            .hasMessageContaining(":1: value must be a finite number, got '1:0.5'");
        assertThatThrownBy(() -> LibsvmReader.read(List.of(file("2 10:1\n")), format))
            .hasMessageContaining(":1: index must be at most 9, got '10:1'");
        assertThatThrownBy(() -> LibsvmReader.read(List.of(file("0 1:1\n")), format))
            .hasMessageContaining(":1: label must be 1 or 2, got '0'");
    }

    @Test
    void shouldRefuseLongFileWithLineEndsOfOldMacs() throws IOException
    {
        final Path file = file("1 1:1\r".repeat(LibsvmReader.MAX_LINE_LENGTH / 6 + 1));
        assertThatThrownBy(() -> LibsvmReader.read(file)).isInstanceOf(MalformedDataException.class)
            .hasMessageContaining(":1: a carriage return stands inside the line");
    }

    @Test
    void shouldRoundValuesAsJavaDoesWhenDecimalsAreShortOrLong() throws IOException
    {
        final SeededRandom random = new SeededRandom(11);
        final StringBuilder content = new StringBuilder("1");
        final float[] expected = new float[5000];
        for (int i = 0; i < expected.length; i++)
        {
            final String whole = Integer.toString(random.nextInt(1 << (1 + random.nextInt(30))));
            final String fraction = Long.toString(random.nextLong() >>> random.nextInt(63)).replace("-", "");
            final String number = (random.nextInt(2) == 0 ? "-" : "") + whole + "." + fraction;
            expected[i] = Float.parseFloat(number);
            content.append(' ').append(i).append(':').append(number);
        }

        final Examples examples = LibsvmReader.read(file(content.toString()));
        for (int i = 0; i < expected.length; i++)
        {
            assertThat(examples.value(i)).isEqualTo(expected[i]);
        }
    }

    @Test
    void shouldReadFilesAsOneSetWhenOneIsCompressed() throws IOException
    {
        final Path plain = file("1 1:1\n0 2:1\n");
        final Path compressed = Files.write(directory.resolve("no-suffix"), gzip("1 5:1\n"));
        final Examples examples = LibsvmReader.read(List.of(plain, compressed));

        assertThat(examples.size()).isEqualTo(3);
        assertThat(examples.feature(2)).isEqualTo(5);
    }

    @Test
    void shouldReadWhenLinesCrossBuffers() throws IOException
    {
        final StringBuilder content = new StringBuilder();
        final int lines = 20_000;
        for (int i = 0; i < lines; i++)
        {
            content.append(i & 1).append(" 1:1 ").append(2 + i).append(":1\n");
        }

        final Examples examples = LibsvmReader.read(file(content.toString()));
        assertThat(examples.size()).isEqualTo(lines);
        for (int i = 0; i < lines; i++)
        {
            assertThat(examples.feature(2 * i + 1)).isEqualTo(2 + i);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2 1:1       | label must be 0 or 1, or -1 or +1, got '2': labels of two other values are named by " +
            "--label-values",
        "1,0,3       | label must be 0 or 1, or -1 or +1, got '1,0,3': are these separated values (--format csv), or " +
            "is ',' the decimal sign (--decimal ,)?",
        "x 1:1       | label must be 0 or 1, or -1 or +1, got 'x'",
        "-1 1:1      | labels 0 and -1 are mixed: use 0/1 or -1/+1 throughout, got '-1'",
        "1 1:1 1:2   | index 1 is in this line twice, got '1:2'",
        "1 4:1 3:2 4:3 | index 4 is in this line twice",
        "1 4 1:1     | expected index:value with a whole index of at least 0, got '4'",
        "1 4: 5:1    | value must be a finite number, got '4: 5:1'",
        "1 4 : 5 :   | expected index:value with a whole index of at least 0, got ':'",
        "1 -4:1      | expected index:value with a whole index of at least 0, got '-4:1'",
        "1 qid:3     | expected index:value with a whole index of at least 0, got 'qid:3': " +
            "groups of ranking data are not read: leave qid out",
        "1 5         | expected index:value with a whole index of at least 0, got '5'",
        "1 :5        | expected index:value with a whole index of at least 0, got ':5'",
        "1 2147483647:1 | index must be at most 2147483646, got '2147483647:1'",
        "1 99999999999999999999999999999999999999999999999999:1 | " +
            "index must be at most 2147483646, got '9999999999999999999999999999999999999999...'",
        "1 3:nan     | value must be a finite number, got '3:nan'",
        "1 3:NaN     | value must be a finite number, got '3:NaN'",
        "1 3:1e99    | value must be a finite number, got '3:1e99': numbers reach from -3.4e38 to 3.4e38",
        "1 3:1f      | value must be a finite number, got '3:1f'",
        "1 3:        | value must be a finite number, got '3:'",
        "1 3:.       | value must be a finite number, got '3:.'",
        "1 3:1:2     | value must be a finite number, got '3:1:2'",
        "1 3:1\u00071 | value must be a finite number, got '3:1?1'"
    })
    void shouldNameFileAndLineWhenLineIsMalformed(final String line, final String message) throws IOException
    {
        final Path file = file("0 1:1\n\n" + line + "\n0 1:1\n");
        assertThatThrownBy(() -> LibsvmReader.read(file))
            .isInstanceOf(MalformedDataException.class)
            .hasMessage(file + ":3: " + message);
    }

    @Test
    void shouldSayWhatToDoWhenFileCannotBeUsed() throws IOException
    {
        assertThatThrownBy(() -> LibsvmReader.read(directory.resolve("absent")))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("absent: does not exist");
        assertThatThrownBy(() -> LibsvmReader.read(directory))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("is a directory");
        assertThatThrownBy(() -> LibsvmReader.read(List.of()))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("name at least one");
        for (final String content : List.of("", "\n\n", "# only a comment"))
        {
            final Path file = file(content);
            assertThatThrownBy(() -> LibsvmReader.read(file))
                .isInstanceOf(MalformedDataException.class).hasMessage(file + ": holds no examples");
        }
    }

    @Test
    void shouldRefuseWhenGzipIsCutShort() throws IOException
    {
        final byte[] whole = gzip("1 1:1\n".repeat(1000));
        final Path file = Files.write(directory.resolve("cut.gz"), Arrays.copyOf(whole, whole.length - 10));
        assertThatThrownBy(() -> LibsvmReader.read(file))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("gzip data are cut short or damaged");
    }

    @Test
    void shouldRefuseOnlyWhenLineIsLongerThanLimit() throws IOException
    {
        final byte[] line = new byte[LibsvmReader.MAX_LINE_LENGTH + 1];
        Arrays.fill(line, (byte)' ');
        line[0] = '1';
        final Path longest = directory.resolve("longest");
        Files.write(longest, Arrays.copyOf(line, LibsvmReader.MAX_LINE_LENGTH));
        assertThat(LibsvmReader.read(longest).size()).isEqualTo(1);

        final Path tooLong = Files.write(directory.resolve("too-long"), line);
        assertThatThrownBy(() -> LibsvmReader.read(tooLong))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("too-long:1: line is longer than");
    }
}
