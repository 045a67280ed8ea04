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
package io.gradstream.training;

import io.airlift.compress.zstd.ZstdOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DataFileTest
{
    /** Of {@code "1 1:1\n0 2:1\n"}, by the command {@code zstd}, with its checksum. */
    private static final String BY_ZSTD = "28b52ffd240c6100003120313a310a3020323a310a67c5955f";
    private static final byte[] CONTENT = content(300_000);

    @TempDir
    private Path directory;

    private static byte[] content(final int length)
    {
        final SeededRandom random = new SeededRandom(7);
        final byte[] content = new byte[length];
        for (int i = 0; i < length; i++)
        {
            content[i] = (byte)('a' + random.nextInt(1 + i % 20));
        }
        return content;
    }

    private static byte[] compressed(final String form, final byte[] content) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = "gzip".equals(form) ? new GZIPOutputStream(bytes) : new ZstdOutputStream(bytes))
        {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] readAll(final Path path)
    {
        try (DataFile file = DataFile.open(path))
        {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            final byte[] buffer = new byte[10_000];
            for (int length = file.read(buffer); length >= 0; length = file.read(buffer))
            {
                bytes.write(buffer, 0, length);
            }
            return bytes.toByteArray();
        }
    }

    private Path write(final byte[]... parts) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (final byte[] part : parts)
        {
            bytes.write(part);
        }
        return Files.write(directory.resolve("data.txt"), bytes.toByteArray());
    }

    @Test
    void shouldReadAsItIsWhenPlain() throws IOException
    {
        assertThat(readAll(write(CONTENT))).isEqualTo(CONTENT);
        assertThat(readAll(write(new byte[]{ 0x1F }))).containsExactly(0x1F);
        assertThat(readAll(write(new byte[0]))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldDecompressWhenMagicSaysSo(final String form) throws IOException
    {
        final byte[] compressed = compressed(form, CONTENT);
        assertThat(compressed.length).isLessThan(CONTENT.length);
        assertThat(readAll(write(compressed))).isEqualTo(CONTENT);
        assertThat(readAll(write(compressed(form, new byte[0])))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldReadAllWhenCompressedPartsFollowEachOther(final String form) throws IOException
    {
        final byte[] compressed = compressed(form, CONTENT);
        final byte[] twice = Arrays.copyOf(CONTENT, 2 * CONTENT.length);
        System.arraycopy(CONTENT, 0, twice, CONTENT.length, CONTENT.length);
        assertThat(readAll(write(compressed, compressed))).isEqualTo(twice);
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldFillBufferAcrossReads(final String form) throws IOException
    {
        try (DataFile file = DataFile.open(write(compressed(form, CONTENT))))
        {
            final byte[] most = new byte[CONTENT.length - 7];
            assertThat(file.readFully(most)).isEqualTo(most.length);
            assertThat(most).isEqualTo(Arrays.copyOf(CONTENT, most.length));
            assertThat(file.readFully(most)).isEqualTo(7);
            assertThat(file.readFully(most)).isZero();
        }
    }

    @Test
    void shouldReadWhatZstdWrote() throws IOException
    {
        final Path file = write(HexFormat.of().parseHex(BY_ZSTD));
        assertThat(new String(readAll(file), StandardCharsets.US_ASCII)).isEqualTo("1 1:1\n0 2:1\n");
        assertThat(LibsvmReader.read(file).size()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldRefuseWhenCutShortAnywhere(final String form) throws IOException
    {
        final byte[] whole = compressed(form, content(300));
        for (int length = 4; length < whole.length; length++)
        {
            final Path file = write(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> readAll(file)).as("length=%d of %d", length, whole.length)
                .isInstanceOf(MalformedDataException.class)
                .hasMessageMatching("\\Q" + file + "\\E: " + form +
                    " (header is cut short or damaged|data are cut short or damaged before byte " + length +
                    ", which is behind byte \\d+ of their content): .*");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldRefuseOrReadTheSameWhenAnyByteIsDamaged(final String form) throws IOException
    {
        final byte[] content = content(300);
        final byte[] whole = compressed(form, content);
        int refused = 0;
        for (int i = 4; i < whole.length; i++)
        {
            final byte[] damaged = whole.clone();
            damaged[i] ^= 0x55;
            final Path file = write(damaged);
            try
            {
                assertThat(readAll(file)).as("byte=%d", i).isEqualTo(content);
            }
            catch (final MalformedDataException ex)
            {
                assertThat(ex).hasMessageStartingWith(file + ": " + form).hasMessageContaining("cut short or damaged");
                refused++;
            }
        }

        // the time and the system in a header of gzip say nothing of the content
        assertThat(refused).isGreaterThanOrEqualTo(whole.length - 10);
    }

    @Test
    void shouldSayWhereWhenDamageIsFarIn() throws IOException
    {
        final byte[] whole = compressed("gzip", CONTENT);
        final Path file = write(Arrays.copyOf(whole, whole.length - 10));
        assertThatThrownBy(() -> readAll(file)).hasMessageMatching(
            ".* before byte " + (whole.length - 10) + ", which is behind byte [123]\\d{5} of their content: .*");
    }

    @Test
    void shouldSayWhatToDoWhenFileCannotBeOpened()
    {
        assertThatThrownBy(() -> DataFile.open(directory.resolve("absent")))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("absent: does not exist");
        assertThatThrownBy(() -> DataFile.open(directory))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("is a directory");
    }
}
