// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
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
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(120)
class ModelFileTest
{
    private static final int CHECKSUM_OFFSET = 8 + "{\"__metadata__\":{\"crc32c\":\"".length();

    private final TestModel model = TestModel.ofAllKinds();
    @TempDir
    private Path dir;
    private Path file;

    @BeforeEach
    void setUp() throws IOException
    {
        file = dir.resolve("a.safetensors");
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
        final TestModel small = new TestModel();
        small.table(TestModel.SINGLE, 4);
        small.row(TestModel.SINGLE.tableId(), -5, TestModel.floats(0.5f, 4));
        small.row(TestModel.SINGLE.tableId(), 7, TestModel.floats(Float.NaN, 4));
        small.metadata = "ö";
        final Path sound = dir.resolve("small");
        small.write(sound);
        final byte[] bytes = Files.readAllBytes(sound);
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
            .hasMessageContaining("after the end");
    }

    @Test
    void shouldNameTheArrayThatIsDamaged() throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        final int begin = headerLength(bytes);
        // after all arrays of integers, in the order of tables: 7 rows of 2 values, and of 4 of state
        final int state = begin + (7 + 5 + 7 + 1) * 8 + 7 * 3 * 8 + 7 * 2 * 4;
        final Map<Integer, String> places = Map.of(
            begin, "array weights.keys (offsets " + begin + ".." + (begin + 55) + ")",
            state + 111, "array weights.state (offsets " + state + ".." + (state + 111) + ")",
            bytes.length - 1, "array one\\.state (offsets " + (bytes.length - 4) + ".." + (bytes.length - 1) + ")",
            new String(bytes, StandardCharsets.UTF_8).indexOf("16"), "its header (offsets 0.." + (begin - 1) + ")",
            begin - 1, "its header");
        for (final Map.Entry<Integer, String> place : places.entrySet())
        {
            // a blank after the header stays one
            bytes[place.getKey()] ^= begin - 1 == place.getKey() ? ' ' ^ '\n' : 1;
            Files.write(file, bytes);
            assertThatThrownBy(() -> ModelFile.open(file)).isInstanceOf(ModelFileException.class)
                .hasMessageContainingAll("is damaged in " + place.getValue(), "export the model again");
            bytes[place.getKey()] ^= begin - 1 == place.getKey() ? ' ' ^ '\n' : 1;
        }
    }

    @Test
    void shouldFindWhatNoChecksumTells() throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(MappedWindows.ORDER);
        final int begin = headerLength(bytes.array());
        final long first = bytes.getLong(begin);
        bytes.putLong(begin, bytes.getLong(begin + 8));
        assertRefused(repaired(bytes), "rows out of order: table 'weights'", "offset " + (begin + 8));

        bytes.putLong(begin, first);
        final int lastOfDense = begin + 7 * 8 + 4 * 8;
        bytes.putLong(lastOfDense, 5);
        assertRefused(repaired(bytes), "key=5 of table 'de,nse \"one\"'", "keys are 0..4");
    }

    @Test
    void shouldRefuseAHeaderThatMakesNoModel() throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(MappedWindows.ORDER);
        // the same length, so that all offsets stay
        for (final String[] each : new String[][]{
            {"\\\"dim\\\":2", "\\\"dim\\\":3", "array weights.values is F32 [7, 2], must be F32 [7, 3]"},
            {"\\\"dim\\\":2", "\\\"dim\\\":0", "invalid dim=0"},
            {"\\\"tableId\\\":3", "\\\"tableId\\\":0", "tableId=0 comes after tableId=0"},
            {"\\\"name\\\":\\\"empty", "\\\"name\\\":\\\"emptx", "there is no array emptx.keys"},
            {"\\\"elementType\\\":\\\"INT64", "\\\"elementType\\\":\\\"INT32", "INT32"},
            {"\\\"dim\\\":3", "\\\"dom\\\":3", "makes no model"},
            {"\"servers\":\"3\"", "\"servers\":\"x\"", "\"x\""},
            {"\"job\":", "\"jab\":", "makes no model"},
            {"\"tables\":\"[", "\"tables\":\"x", "makes no model"}})
        {
            assertRefused(repaired(changed(bytes, each[0], each[1])), each[2], "docs/MODELS.md");
        }
    }

    @Test
    void shouldSayWhatIsNoModelAndWhatIsOfAnotherVersion() throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(MappedWindows.ORDER);
        assertRefused(repaired(changed(bytes, "\"gradstream\":\"3\"", "\"gradstream\":\"4\"")),
            "is of version 4", "reads version 3", "use the program that wrote it");
        assertRefused(changed(bytes, "\"gradstream\":\"3\"", "\"gradstreak\":\"3\"").array(),
            "was not written by Gradstream", "model import --schema-from");
        assertRefused("table,key,value0\n".getBytes(StandardCharsets.US_ASCII), "no model file", ".safetensors");
        // written by the program before, whose format was its own
        try (InputStream in = ModelFileTest.class.getResourceAsStream("/before-0.1.0.model"))
        {
            assertRefused(in.readAllBytes(), "is a model file of Gradstream before 0.1.0",
                "export the model again with this version");
        }
    }

    @Test
    void shouldBeWrittenAsDocumented() throws IOException
    {
        final TestModel one = new TestModel();
        one.table(TestModel.EMPTY, 0);
        one.table(TestModel.SINGLE, 4);
        one.row(TestModel.SINGLE.tableId(), -5, TestModel.floats(0.5f, 4));
        one.metadata = "{\"a\": \"<ö>\"}";
        final Path path = dir.resolve("one");
        one.write(path);

        final byte[] bytes = Files.readAllBytes(path);
        final int length = headerLength(bytes);
        assertThat(length % 8).isZero();
        final String header = new String(bytes, 8, length - 8, StandardCharsets.UTF_8);
        assertThat(header.substring(CHECKSUM_OFFSET + 1).stripTrailing()).isEqualTo(
            ",\"gradstream\":\"3\",\"job\":\"12\",\"clock\":\"345\",\"partitions\":\"16\",\"servers\":\"3\"," +
            "\"exportedAtMs\":\"1790000000123\",\"tables\":\"[{\\\"tableId\\\":9,\\\"name\\\":\\\"empty\\\"," +
            "\\\"dim\\\":4,\\\"elementType\\\":\\\"FLOAT32\\\",\\\"rows\\\":0,\\\"initialiser\\\":2," +
            "\\\"initialiserSeed\\\":-77,\\\"initialiserScale\\\":0.25,\\\"function\\\":\\\"sgd/1 rate=1.0\\\"}," +
            "{\\\"tableId\\\":1023,\\\"name\\\":\\\"one\\\\\\\\\\\",\\\"dim\\\":1,\\\"elementType\\\":" +
            "\\\"FLOAT32\\\",\\\"rows\\\":0,\\\"initialiser\\\":0,\\\"initialiserSeed\\\":0," +
            "\\\"initialiserScale\\\":0.0,\\\"function\\\":\\\"assign/1\\\"}]\"," +
            "\"crc32c.empty.keys\":\"00000000\",\"crc32c.one\\\\.keys\":\"" + crc(bytes, length, 8) + "\"," +
            "\"crc32c.empty.values\":\"00000000\",\"crc32c.one\\\\.values\":\"" + crc(bytes, length + 8, 4) + "\"," +
            "\"crc32c.one\\\\.state\":\"" + crc(bytes, length + 12, 4) + "\"," +
            "\"description\":\"{\\\"a\\\": \\\"<ö>\\\"}\"}," +
            "\"empty.keys\":{\"dtype\":\"I64\",\"shape\":[0],\"data_offsets\":[0,0]}," +
            "\"one\\\\.keys\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]}," +
            "\"empty.values\":{\"dtype\":\"F32\",\"shape\":[0,4],\"data_offsets\":[8,8]}," +
            "\"one\\\\.values\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[8,12]}," +
            "\"one\\\\.state\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[12,16]}}");
        put(bytes, CHECKSUM_OFFSET, "00000000");
        assertThat(header.substring(0, CHECKSUM_OFFSET + 1)).isEqualTo(
            "{\"__metadata__\":{\"crc32c\":\"" + crc(bytes, 0, length) + "\"");
        final ByteBuffer arrays = ByteBuffer.wrap(bytes, length, bytes.length - length).order(MappedWindows.ORDER);
        assertThat(arrays.getLong()).isEqualTo(-5);
        assertThat(arrays.getFloat()).isEqualTo(0.5f);
        assertThat(arrays.getInt()).isZero();
        assertThat(arrays.remaining()).isZero();
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
        // with its quotation marks
        final String longest = "x".repeat(ModelFileWriter.MAX_METADATA_LENGTH - 2);
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("longest"), false))
        {
            writer.metadata(longest);
            assertThatThrownBy(() -> writer.metadata(longest + "x")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most " + ModelFileWriter.MAX_METADATA_LENGTH);
        }
        assertThat(ModelFileWriter.hasRoomFor(longest)).isTrue();
        assertThat(ModelFileWriter.hasRoomFor("\"" + longest.substring(1))).as("it is escaped").isFalse();
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
                    row.putInt(i * Float.BYTES, Float.floatToRawIntBits(values[i]), MappedWindows.ORDER);
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

    private void assertRefused(final byte[] bytes, final String... messages) throws IOException
    {
        final Path other = dir.resolve("other");
        Files.write(other, bytes);
        assertThatThrownBy(() -> ModelFile.open(other)).isInstanceOf(ModelFileException.class)
            .hasMessageContaining("other").hasMessageContainingAll(messages);
    }

    private static ByteBuffer changed(final ByteBuffer bytes, final String text, final String other)
    {
        final String all = new String(bytes.array(), StandardCharsets.ISO_8859_1);
        assertThat(all).contains(text);
        assertThat(other).hasSameSizeAs(text);
        return ByteBuffer.wrap(all.replace(text, other).getBytes(StandardCharsets.ISO_8859_1))
            .order(MappedWindows.ORDER);
    }

    /** With right checksums again. */
    private static byte[] repaired(final ByteBuffer model)
    {
        final byte[] bytes = model.array().clone();
        final int length = headerLength(bytes);
        final String header = new String(bytes, 8, length - 8, StandardCharsets.UTF_8);
        for (final Map.Entry<String, JsonElement> each : JsonParser.parseString(header).getAsJsonObject().entrySet())
        {
            if (each.getValue().getAsJsonObject().has("dtype"))
            {
                final JsonArray offsets = each.getValue().getAsJsonObject().getAsJsonArray("data_offsets");
                final int begin = offsets.get(0).getAsInt();
                final String name = new Gson().toJson("crc32c." + each.getKey());
                put(bytes, indexOf(bytes, name + ":\"") + name.length() + 2,
                    crc(bytes, length + begin, offsets.get(1).getAsInt() - begin));
            }
        }
        put(bytes, CHECKSUM_OFFSET, "00000000");
        put(bytes, CHECKSUM_OFFSET, crc(bytes, 0, length));
        return bytes;
    }

    private static int indexOf(final byte[] bytes, final String text)
    {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
    }

    private static void put(final byte[] bytes, final int offset, final String text)
    {
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, offset, text.length());
    }

    private static int headerLength(final byte[] bytes)
    {
        return 8 + (int)ByteBuffer.wrap(bytes).order(MappedWindows.ORDER).getLong();
    }

    private static String crc(final byte[] bytes, final int offset, final int length)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return String.format("%08x", (int)crc.getValue());
    }
}
