// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.InitialValues;
import io.gradstream.codecs.TableSpec;
import io.gradstream.training.model.Fingerprint;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(120)
class ModelFileTest
{
    private final TestModel model = TestModel.ofAllKinds();
    @TempDir
    private Path dir;
    private Path file;

    @BeforeEach
    void setUp() throws IOException
    {
        file = dir.resolve("a.model");
        model.metadata = "{\"column\":\"größe\"}";
        model.write(file);
    }

    @Test
    void shouldGiveBackWhatWasHandedOverByTableAndKey() throws IOException
    {
        final TestModel read = new TestModel();
        try (ModelFile opened = ModelFile.open(file))
        {
            opened.forEach(read);
            assertThat(opened.origin()).isEqualTo(TestModel.ORIGIN);
            assertThat(opened.tables()).extracting(TableEntry::rows).containsExactly(7L, 5L, 7L, 0L, 1L);
        }

        assertThat(read.specs).extracting(TableSpec::tableId).isSorted();
        assertThat(read.tables()).isEqualTo(model.tables());
        assertThat(read.rows).isEqualTo(model.sorted());
    }

    @Test
    void shouldBeTheSameFileWhateverOrderRowsComeIn() throws IOException
    {
        final Random random = new Random(1);
        for (int i = 0; i < 5; i++)
        {
            Collections.shuffle(model.rows, random);
            final Path other = dir.resolve("other" + i);
            model.write(other);
            assertThat(Files.readAllBytes(other)).isEqualTo(Files.readAllBytes(file));
        }
    }

    @Test
    void shouldFindRowsByKey() throws IOException
    {
        try (ModelFile opened = ModelFile.open(file))
        {
            for (final TestModel.Row row : model.rows)
            {
                final long index = opened.indexOf(row.tableId(), row.key());
                final byte[] expected = row.bytes();
                final UnsafeBuffer into = new UnsafeBuffer(new byte[expected.length + 3]);
                opened.row(row.tableId(), index, into, 2);
                assertThat(Arrays.copyOfRange(into.byteArray(), 2, 2 + expected.length)).isEqualTo(expected);
                assertThat(into.getByte(1)).isZero();
                assertThat(into.getByte(2 + expected.length)).isZero();
                assertThat(opened.key(row.tableId(), index)).isEqualTo(row.key());
            }
            assertThat(opened.indexOf(TestModel.SPARSE.tableId(), 2)).isEqualTo(ModelFile.NO_ROW);
            assertThat(opened.indexOf(TestModel.SINGLE.tableId(), -6)).isEqualTo(ModelFile.NO_ROW);
            assertThat(opened.indexOf(TestModel.SINGLE.tableId(), -4)).isEqualTo(ModelFile.NO_ROW);
            assertThat(opened.indexOf(TestModel.EMPTY.tableId(), 0)).isEqualTo(ModelFile.NO_ROW);
            assertThatThrownBy(() -> opened.indexOf(1, 0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tableId=1");
            for (final long index : new long[]{-1, 7, Long.MAX_VALUE})
            {
                assertThatThrownBy(() -> opened.row(0, index, new UnsafeBuffer(new byte[64]), 0))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    void shouldReadFloatsByKeyAndInitialValuesOfRowsThatAreMissing() throws IOException
    {
        final TableSpec spec = TestModel.SPARSE;
        final float[] values = new float[spec.dim() + 2];
        final float[] initial = new float[TestModel.EMPTY.dim()];
        try (ModelFile opened = ModelFile.open(file))
        {
            for (final TestModel.Row row : model.rows)
            {
                if (spec.tableId() == row.tableId())
                {
                    assertThat(opened.readFloats(spec.tableId(), row.key(), values, 1)).isTrue();
                    final float[] expected = new float[spec.dim()];
                    ByteBuffer.wrap(row.bytes()).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(expected);
                    assertThat(Arrays.copyOfRange(values, 1, 1 + spec.dim())).isEqualTo(expected);
                }
            }
            assertThat(values[0]).isZero();
            assertThat(values[1 + spec.dim()]).isZero();

            assertThat(opened.readFloats(TestModel.EMPTY.tableId(), 2, values, 0)).isFalse();
            InitialValues.fill(TestModel.EMPTY, 2, initial, 0);
            assertThat(values).isEqualTo(initial).doesNotContain(0f);
            assertThatThrownBy(() -> opened.readFloats(1, 0, values, 0))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("tableId=1");
            assertThatThrownBy(() -> opened.readFloats(TestModel.COUNTS.tableId(), 0, values, 0))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("INT64");
        }
    }

    @Test
    void shouldReadNothingOnceClosed() throws IOException
    {
        final ModelFile opened = ModelFile.open(file);
        opened.close();
        opened.close();

        assertThatThrownBy(() -> opened.indexOf(0, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> opened.row(0, 0, new UnsafeBuffer(new byte[64]), 0))
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> opened.forEach(new TestModel())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(opened::parametersSha256).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldReadAcrossWindows() throws IOException
    {
        final TestModel large = new TestModel();
        large.table(TestModel.SINGLE, 100);
        for (int key = 0; key < 1000; key++)
        {
            large.row(TestModel.SINGLE.tableId(), key, TestModel.floats(key, 100));
        }
        final Path path = dir.resolve("large");
        large.write(path);

        // windows of 4 KiB, which no row length divides
        final TestModel read = new TestModel();
        try (ModelFile opened = ModelFile.open(path, 12))
        {
            opened.forEach(read);
            assertThat(opened.indexOf(TestModel.SINGLE.tableId(), 999)).isEqualTo(999);
        }
        assertThat(read.rows).isEqualTo(large.rows);
    }

    @Test
    void shouldFindTheChangeOfAnyByte() throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        final Path changed = dir.resolve("changed");
        for (int i = 0; i < bytes.length; i++)
        {
            for (final int bits : new int[]{1, 0x80, 0xff})
            {
                bytes[i] ^= (byte)bits;
                Files.write(changed, bytes);
                assertThatThrownBy(() -> ModelFile.open(changed)).as("byte %d bits %x", i, bits)
                    .isInstanceOf(ModelFileException.class).hasMessageContaining("changed")
                    .hasMessageMatching("(?s).*(offset|cut off).*");
                bytes[i] ^= (byte)bits;
            }
        }
    }

    @Test
    void shouldFindEachLengthToWhichItIsCut() throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        final Path cut = dir.resolve("cut");
        for (int length = 0; length < bytes.length; length++)
        {
            Files.write(cut, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> ModelFile.open(cut)).as("length %d", length)
                .isInstanceOf(ModelFileException.class).hasMessageContaining("cut off");
        }
        Files.write(cut, Arrays.copyOf(bytes, bytes.length + 1));
        assertThatThrownBy(() -> ModelFile.open(cut)).isInstanceOf(ModelFileException.class)
            .hasMessageContaining("behind the end");
    }

    @Test
    void shouldSayWhetherHeaderOrRowsAreDamaged() throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        final int begin = headerLength(ByteBuffer.wrap(bytes));
        // the job's number, which any other would pass for; a key
        for (final int offset : new int[]{16, begin})
        {
            bytes[offset]++;
            Files.write(file, bytes);
            assertThatThrownBy(() -> ModelFile.open(file)).isInstanceOf(ModelFileException.class).hasMessageContaining(
                begin == offset ? "in its rows (offsets " + begin + ".." + (bytes.length - 1) + ")" :
                    "in its header (offsets 0.." + (begin - 1) + ")");
            bytes[offset]--;
        }
    }

    @Test
    void shouldFindWhatNoChecksumTells() throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ModelFormat.ORDER);
        final int begin = headerLength(bytes);
        final long first = bytes.getLong(begin);
        bytes.putLong(begin, bytes.getLong(begin + 32));
        assertDamaged(bytes, "rows out of order: table 'weights'", "offset " + (begin + 32));

        bytes.putLong(begin, first);
        final int lastOfDense = begin + 7 * 32 + 4 * 12;
        bytes.putLong(lastOfDense, 5);
        assertDamaged(bytes, "key=5 of table 'de,nse \"one\"'", "keys are 0..4");
    }

    @Test
    void shouldSayWhatIsNoModelAndWhatIsOfALaterVersion() throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[8] = 3;
        Files.write(file, bytes);
        assertThatThrownBy(() -> ModelFile.open(file)).isInstanceOf(ModelFileException.class)
            .hasMessageContaining("version 3 of").hasMessageContaining("reads versions 1 to 2");

        Files.writeString(file, "table,key,value0\n");
        assertThatThrownBy(() -> ModelFile.open(file)).isInstanceOf(ModelFileException.class)
            .hasMessageContaining("no model file");
    }

    @Test
    void shouldBeWrittenAsDocumented() throws IOException
    {
        final TestModel one = new TestModel();
        one.table(TestModel.EMPTY, 0);
        one.table(TestModel.SINGLE, 3);
        one.row(TestModel.SINGLE.tableId(), -5, TestModel.floats(0.5f, 3));
        one.metadata = "{}";
        final Path path = dir.resolve("one");
        one.write(path);

        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ModelFormat.ORDER);
        assertThat(text(bytes, 8)).isEqualTo("GRADMODL");
        assertThat(ints(bytes, 5)).containsExactly(2, 2, 12, 16, 3);
        assertThat(longs(bytes, 2)).containsExactly(345L, 1_790_000_000_123L);
        assertThat(ints(bytes, 4)).containsExactly(9, 1, 4, 0);
        assertThat(longs(bytes, 2)).containsExactly(0L, 0L);
        assertThat(bytes.getInt()).isEqualTo(2);
        assertThat(bytes.getFloat()).isEqualTo(0.25f);
        assertThat(bytes.getLong()).isEqualTo(-77);
        assertThat(text(bytes, bytes.getInt())).isEqualTo("empty");
        assertThat(text(bytes, bytes.getInt())).isEqualTo("sgd/1 rate=1.0");
        assertThat(ints(bytes, 4)).containsExactly(1023, 1, 1, 3);
        assertThat(longs(bytes, 2)).containsExactly(0L, 1L);
        bytes.position(bytes.position() + 16);
        assertThat(text(bytes, bytes.getInt())).isEqualTo("one\\");
        assertThat(text(bytes, bytes.getInt())).isEqualTo("assign/1");
        assertThat(text(bytes, bytes.getInt())).isEqualTo("{}");
        assertThat(crc(bytes, bytes.position())).isEqualTo(bytes.getInt());
        assertThat(bytes.getLong()).isEqualTo(-5);
        assertThat(bytes.getFloat()).isEqualTo(0.5f);
        assertThat(text(bytes, 3)).isEqualTo("\0\0\0");
        assertThat(crc(bytes, bytes.position())).isEqualTo(bytes.getInt());
        assertThat(bytes.remaining()).isZero();
    }

    @Test
    void shouldKeepWhatTheModelIs() throws IOException
    {
        // longer than a window and than what windows overlap by, with characters of two bytes
        final TestModel large = TestModel.ofAllKinds();
        large.metadata = "ö".repeat(3 * 1024 * 1024) + "end";
        final Path path = dir.resolve("large");
        large.write(path);

        try (ModelFile opened = ModelFile.open(path, 12); ModelFile small = ModelFile.open(file))
        {
            assertThat(opened.metadata().equals(large.metadata)).isTrue();
            assertThat(small.metadata()).isEqualTo(model.metadata);
        }
    }

    @Test
    void shouldRefuseMoreMetadataThanAFileCanHave() throws IOException
    {
        final String longest = "x".repeat(ModelFormat.MAX_METADATA_LENGTH);
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("longest"), false))
        {
            writer.metadata(longest);
            assertThatThrownBy(() -> writer.metadata(longest + "x")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most " + ModelFormat.MAX_METADATA_LENGTH);
        }
    }

    /** The file was written by the program of version 1. */
    @Test
    void shouldReadFilesOfVersionOne() throws IOException
    {
        final Path old = dir.resolve("old");
        try (InputStream in = ModelFileTest.class.getResourceAsStream("/version-1.model"))
        {
            Files.copy(in, old);
        }

        final TestModel read = new TestModel();
        try (ModelFile opened = ModelFile.open(old))
        {
            opened.forEach(read);
            assertThat(opened.origin()).isEqualTo(TestModel.ORIGIN);
            assertThat(opened.metadata()).isEmpty();
        }
        assertThat(read.tables()).isEqualTo(model.tables());
        assertThat(read.rows).isEqualTo(model.sorted());
    }

    @Test
    void shouldHaveTheFingerprintOfTraining() throws IOException
    {
        final Fingerprint fingerprint = new Fingerprint();
        final TestModel floats = new TestModel();
        final Random random = new Random(5);
        for (final TableSpec spec : List.of(TestModel.SPARSE, TableSpec.sparse(2, "wide", 8192, "sgd/1 rate=1.0")))
        {
            floats.table(spec, 16);
            for (long key = -3; key < 20; key++)
            {
                final float[] values = new float[spec.dim()];
                final UnsafeBuffer row = new UnsafeBuffer(new byte[spec.valuesLength() + 16]);
                for (int i = 0; i < values.length; i++)
                {
                    values[i] = Float.intBitsToFloat(random.nextInt());
                    row.putInt(i * Float.BYTES, Float.floatToRawIntBits(values[i]), ModelFormat.ORDER);
                }
                fingerprint.add(spec.tableId(), key, values, 0, values.length);
                floats.row(spec.tableId(), key, row.byteArray());
            }
        }
        Collections.shuffle(floats.rows, random);
        final Path path = dir.resolve("floats");
        floats.write(path);

        try (ModelFile opened = ModelFile.open(path))
        {
            assertThat(opened.parametersSha256()).isEqualTo(fingerprint.finish());
        }
    }

    @Test
    void shouldHaveTheFingerprintOfTrainingWithRowsThatNoExampleTouched() throws IOException
    {
        final TestModel touched = new TestModel();
        final TableSpec spec = TableSpec.sparse(0, "weights", 1, "sgd/1 rate=1.0");
        final long[] keys = new long[40];
        final float[] weights = new float[keys.length];
        touched.table(spec, 4);
        for (int key = 0; key < keys.length; key++)
        {
            keys[key] = key;
            if (key % 3 == 1 && key < 35)
            {
                weights[key] = 1f / key;
                touched.row(0, key, TestModel.floats(weights[key], 4));
            }
        }
        touched.row(0, -1, TestModel.floats(7, 4));
        touched.row(0, 40, TestModel.floats(8, 4));
        final Path path = dir.resolve("touched");
        touched.write(path);

        try (ModelFile opened = ModelFile.open(path); ModelFile other = ModelFile.open(file))
        {
            assertThat(opened.parametersSha256(0, keys.length))
                .isEqualTo(Fingerprint.of(0, keys, keys.length, weights, 1));
            assertThatThrownBy(() -> other.parametersSha256(TestModel.EMPTY.tableId(), 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'empty'");
        }
    }

    private void assertDamaged(final ByteBuffer bytes, final String... messages) throws IOException
    {
        final int trailer = bytes.capacity() - ModelFormat.CHECKSUM_LENGTH;
        bytes.putInt(trailer, crc(bytes, trailer));
        final Path damaged = dir.resolve("damaged");
        Files.write(damaged, bytes.array());
        assertThatThrownBy(() -> ModelFile.open(damaged)).isInstanceOf(ModelFileException.class)
            .hasMessageContainingAll(messages);
    }

    private int headerLength(final ByteBuffer bytes)
    {
        final int rows = 7 * 32 + 5 * 12 + 7 * 32 + 15;
        return bytes.capacity() - ModelFormat.CHECKSUM_LENGTH - rows;
    }

    private static int crc(final ByteBuffer bytes, final int length)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, length);
        return (int)crc.getValue();
    }

    private static String text(final ByteBuffer bytes, final int length)
    {
        final byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.US_ASCII);
    }

    private static List<Integer> ints(final ByteBuffer bytes, final int count)
    {
        final Integer[] ints = new Integer[count];
        Arrays.setAll(ints, (i) -> bytes.getInt());
        return List.of(ints);
    }

    private static List<Long> longs(final ByteBuffer bytes, final int count)
    {
        final Long[] longs = new Long[count];
        Arrays.setAll(longs, (i) -> bytes.getLong());
        return List.of(longs);
    }
}
