// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DataFileTest
{
    /** Of {@code "1 1:1\n0 2:1\n"}, by the command {@code zstd}, with its checksum. */
    private static final String BY_ZSTD = "28b52ffd240c6100003120313a310a3020323a310a67c5955f";
    private static final byte[] CONTENT = content(300_000);

    /** What damage may make of the head of a frame. */
    private static final String UNREAD = "not read: the frame at byte \\d+ (needs a dictionary|has a window)";

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
                    ", which is after byte \\d+ of their content): .*");
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
                assertThat(ex).hasMessageStartingWith(file + ": " + form)
                    .hasMessageMatching(".*(cut short or damaged|" + UNREAD + ").*");
                refused++;
            }
        }

        // the time and the system in a header of gzip say nothing of the content
        assertThat(refused).isGreaterThanOrEqualTo(whole.length - 10);
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldRefuseWhenALaterPartIsCutShortAnywhere(final String form) throws IOException
    {
        final byte[] part = compressed(form, content(300));
        for (int length = 1; length < part.length; length++)
        {
            final Path file = write(part, Arrays.copyOf(part, length));
            assertThatThrownBy(() -> readAll(file)).as("length=%d of %d", length, part.length)
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining(file + ": " + form + " data are cut short or damaged before byte " +
                    (part.length + length) + ", which is after byte ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldRefuseOrReadTheSameWhenAByteOfALaterPartIsDamaged(final String form) throws IOException
    {
        final byte[] content = content(300);
        final byte[] twice = Arrays.copyOf(content, 2 * content.length);
        System.arraycopy(content, 0, twice, content.length, content.length);
        final byte[] part = compressed(form, content);
        int refused = 0;
        for (int i = 0; i < part.length; i++)
        {
            final byte[] damaged = part.clone();
            damaged[i] ^= 0x55;
            final Path file = write(part, damaged);
            try
            {
                assertThat(readAll(file)).as("byte=%d", i).isEqualTo(twice);
            }
            catch (final MalformedDataException ex)
            {
                assertThat(ex).hasMessageMatching("\\Q" + file + ": " + form +
                    "\\E data are (cut short or damaged before byte \\d+, which is after byte \\d+ of .*|" +
                    UNREAD + ".*)");
                refused++;
            }
        }

        // the time and the system in a header of gzip say nothing of the content
        assertThat(refused).isGreaterThanOrEqualTo(part.length - 6);
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldPassOverZerosAtTheEndAndRefuseAnythingElse(final String form) throws IOException
    {
        final byte[] part = compressed(form, CONTENT);
        for (final int zeros : new int[]{ 1, 3, 4, 100_000 })
        {
            assertThat(readAll(write(part, new byte[zeros]))).isEqualTo(CONTENT);
            assertThatThrownBy(() -> readAll(write(part, new byte[zeros], part)))
                .hasMessageContaining("other bytes follow the zeros");
        }
        for (final String tail : new String[]{ "\n", "ab", "abc", "1 1:1\n" })
        {
            assertThatThrownBy(() -> readAll(write(part, tail.getBytes(StandardCharsets.US_ASCII))))
                .isInstanceOf(MalformedDataException.class).hasMessageContaining("cut short or damaged");
        }
    }

    @Test
    void shouldPassOverSkippableFrames() throws IOException
    {
        final byte[] skippable = HexFormat.of().parseHex("5f2a4d1803000000aabbcc");
        final byte[] empty = HexFormat.of().parseHex("502a4d1800000000");
        final byte[] frame = compressed("zstd", CONTENT);
        final byte[] twice = Arrays.copyOf(CONTENT, 2 * CONTENT.length);
        System.arraycopy(CONTENT, 0, twice, CONTENT.length, CONTENT.length);

        assertThat(readAll(write(skippable, frame, empty, empty, frame, skippable))).isEqualTo(twice);
        assertThat(readAll(write(empty))).isEmpty();
        for (int length = 1; length < skippable.length; length++)
        {
            final byte[] cut = Arrays.copyOf(skippable, length);
            assertThatThrownBy(() -> readAll(write(frame, cut))).as("length=%d", length)
                .hasMessageContaining("zstd data are cut short or damaged before byte " + (frame.length + cut.length));
        }
    }

    @Test
    void shouldRefuseFrameThatHoldsLessThanItSays() throws IOException
    {
        // one raw block of two bytes in a frame of one segment, without a checksum, that says it holds three
        final Path file = write(HexFormat.of().parseHex("28b52ffd2003110000610a"));
        assertThatThrownBy(() -> readAll(file)).isInstanceOf(MalformedDataException.class)
            .hasMessageContaining("the frames say that they hold 3 bytes");
        assertThat(readAll(write(HexFormat.of().parseHex("28b52ffd2002110000610a")))).containsExactly('a', '\n');
    }

    @Test
    void shouldSayWhatToDoWhenAFrameNeedsMoreThanIsRead() throws IOException
    {
        assertThatThrownBy(() -> readAll(write(HexFormat.of().parseHex("28b52ffd0088010000"))))
            .hasMessageContaining("has a window of 134217728 bytes").hasMessageContaining("without --long");
        assertThatThrownBy(() -> readAll(write(HexFormat.of().parseHex("28b52ffd01500701000000"))))
            .hasMessageContaining("needs a dictionary: compress without one");
    }

    @Test
    void shouldReadHeadersOfGzipWithAllTheyMayHave() throws IOException
    {
        final byte[] plain = compressed("gzip", CONTENT);
        final byte[] flags = HexFormat.of().parseHex("1f8b081e000000000003" + "0300010203" + "6e616d6500" + "6300");
        final CRC32 checksum = new CRC32();
        checksum.update(flags);
        final byte[] ofHeader = { (byte)checksum.getValue(), (byte)(checksum.getValue() >>> 8) };
        final byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
        assertThat(readAll(write(flags, ofHeader, rest))).isEqualTo(CONTENT);
        ofHeader[1] ^= 1;
        assertThatThrownBy(() -> readAll(write(plain, flags, ofHeader, rest)))
            .hasMessageContaining("the checksum of the header of member 2 differs");
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void shouldRefuseAnArchiveInCompressedData(final String form) throws IOException
    {
        final byte[] tar = new byte[1024];
        System.arraycopy("data.svm".getBytes(StandardCharsets.US_ASCII), 0, tar, 0, 8);
        System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);
        final Path file = write(compressed(form, tar));
        assertThatThrownBy(() -> readAll(file)).isInstanceOf(MalformedDataException.class)
            .hasMessage(file + ": its " + form + " content is a tar archive: extract the data file from it and name" +
                " that one");
    }

    @Test
    void shouldSayWhereWhenDamageIsFarIn() throws IOException
    {
        final byte[] whole = compressed("gzip", CONTENT);
        final Path file = write(Arrays.copyOf(whole, whole.length - 10));
        assertThatThrownBy(() -> readAll(file)).hasMessageMatching(
            ".* before byte " + (whole.length - 10) + ", which is after byte [123]\\d{5} of their content: .*");
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
