// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ModelNpzTest
{
    private static final TableSpec ONE = TableSpec.sparse(4, "one", 1, "sgd/1 rate=1.0");
    private static final TableSpec TWO = TableSpec.sparse(4, "two", 2, "sgd/1 rate=1.0");
    private static final byte[] KEY = longs(-9);

    @TempDir
    private Path dir;

    @Test
    void shouldGiveBackTablesAndTheSameBits() throws IOException
    {
        final TestModel model = TestModel.ofAllKinds();
        final Path file = write(model);

        final TestModel read = new TestModel();
        assertThat(ModelNpz.read(file, List.of(), read)).isEqualTo(model.rows.size());
        assertThat(read.tables()).isEqualTo(model.values().tables());
        assertThat(read.rows).isEqualTo(model.values().rows);
        assertThat(dir.toFile().list()).containsExactlyInAnyOrder("model", "model.npz");
    }

    @Test
    void shouldBeTheSameFileForTheSameModel() throws IOException
    {
        final Path file = write(TestModel.ofAllKinds());
        final Path other = dir.resolve("other.npz");
        try (ModelFile opened = ModelFile.open(dir.resolve("model")))
        {
            assertThatThrownBy(() -> ModelNpz.write(opened, file, false))
                .isInstanceOf(FileAlreadyExistsException.class);
            ModelNpz.write(opened, other, false);
        }
        assertThat(Files.readAllBytes(other)).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void shouldWriteArraysAsNumPySpecifies() throws IOException
    {
        final TestModel model = new TestModel();
        model.table(TestModel.SPARSE, 0);
        model.row(0, -2, longs(5));
        model.row(0, 3, longs(6));
        try (ZipFile zip = new ZipFile(write(model).toFile()))
        {
            assertThat(zip.stream().map(ZipEntry::getName))
                .containsExactly("weights.spec.npy", "weights.keys.npy", "weights.values.npy");
            assertArray(zip, "weights.keys.npy",
                "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", longs(-2, 3));
            assertArray(zip, "weights.values.npy",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", longs(5, 6));
            final String json = TableJson.of(TestModel.SPARSE);
            final byte[] text = new byte[4 * json.length()];
            for (int i = 0; i < json.length(); i++)
            {
                text[4 * i] = (byte)json.charAt(i);
            }
            assertArray(zip, "weights.spec.npy",
                "{'descr': '<U" + json.length() + "', 'fortran_order': False, 'shape': (), }", text);
        }
    }

    @Test
    void shouldReadArraysWithASpecificationThatIsGiven() throws IOException
    {
        final Path file = zip(Map.of("one.keys.npy", npy("<i8", "(1,)", KEY),
            "one.values.npy", npy("<f4", "(1,)", new byte[]{1, 2, 3, 4})));

        final TestModel read = new TestModel();
        ModelNpz.read(file, List.of(ONE, TWO), read);
        assertThat(read.specs).containsExactly(ONE);
        assertThat(read.rows).containsExactly(new TestModel.Row(4, -9, "01020304"));
    }

    @Test
    void shouldNameTheArrayThatIsWrong() throws IOException
    {
        final byte[] keys = npy("<i8", "(1,)", KEY);
        final byte[] values = npy("<f4", "(1, 2)", new byte[8]);
        assertThat(ModelNpz.read(zip(Map.of("two.keys.npy", keys, "two.values.npy", values)),
            List.of(TWO), new TestModel())).isEqualTo(1);

        assertWrong(Map.of(), "no array <table>.keys");
        assertWrong(Map.of("two.keys.npy", keys), "no array two.values");
        assertWrong(Map.of("x.keys.npy", keys), "no array x.spec", "no specification");
        assertWrong(Map.of("two.keys.npy", npy("<i4", "(1,)", KEY), "two.values.npy", values),
            "two.keys.npy", "'<i4' (1,): must be '<i8' (1,)");
        assertWrong(Map.of("two.keys.npy", keys, "two.values.npy", npy("<f8", "(1, 2)", new byte[16])),
            "two.values.npy", "must be '<f4' (1, 2)");
        assertWrong(Map.of("two.keys.npy", keys, "two.values.npy", npy("<f4", "(2,)", new byte[8])),
            "two.values.npy", "must be '<f4' (1, 2)");
        assertWrong(Map.of("two.keys.npy", keys, "two.values.npy", npy("<f4", "(1, 2)", new byte[7])), "cut off");
        assertWrong(Map.of("two.keys.npy", npy("<i8", "(1,)", new byte[9]), "two.values.npy", values), "goes on");
        assertWrong(Map.of("two.keys.npy", keys, "two.values.npy", new byte[20]), "no NumPy array");
        assertWrong(Map.of("two.keys.npy", new byte[3], "two.values.npy", values), "cut off");
        final byte[] fortran = new String(values, StandardCharsets.ISO_8859_1).replace("False", "True ")
            .getBytes(StandardCharsets.ISO_8859_1);
        assertWrong(Map.of("two.keys.npy", keys, "two.values.npy", fortran), "Fortran");
    }

    @Test
    void shouldFindDamageInTheMiddleOfAnArray() throws IOException
    {
        final byte[] values = npy("<f4", "(1, 2)", new byte[]{11, 12, 13, 14, 15, 16, 17, 18});
        final Path file = zip(Map.of("two.keys.npy", npy("<i8", "(1,)", KEY), "two.values.npy", values));
        // level 0: the bytes stand in the file as they are
        final byte[] bytes = Files.readAllBytes(file);
        final String text = new String(bytes, StandardCharsets.ISO_8859_1);
        bytes[text.indexOf("\u000b\f\r\u000e")]++;
        Files.write(file, bytes);
        assertThatThrownBy(() -> ModelNpz.read(file, List.of(TWO), new TestModel()))
            .isInstanceOf(ModelFileException.class).hasMessageContaining("two.values.npy is damaged");

        Files.write(file, Arrays.copyOf(bytes, bytes.length - 30));
        assertThatThrownBy(() -> ModelNpz.read(file, List.of(TWO), new TestModel()))
            .isInstanceOf(ModelFileException.class).hasMessageContaining("no sound .npz");
    }

    @Test
    void shouldReadSpecificationsAsPythonWritesThem() throws IOException
    {
        final String json = TableJson.of(TestModel.DENSE);
        assertThat(TableJson.parse(json)).isEqualTo(TestModel.DENSE);
        assertThat(TableJson.parse(TableJson.of(TestModel.SINGLE))).isEqualTo(TestModel.SINGLE);
        assertThat(TableJson.parse(TableJson.of(TestModel.EMPTY))).isEqualTo(TestModel.EMPTY);
        assertThat(TableJson.parse(TableJson.of(TestModel.COUNTS))).isEqualTo(TestModel.COUNTS);
        assertThat(TableJson.parse(json.replace("de,nse", "\\u0064e,n\\u0073e").replace("{", "{\n \"x\": null,")))
            .isEqualTo(TestModel.DENSE);
        for (final String wrong : List.of("", "{}", "[1]", json + "}", json.substring(0, json.length() - 1),
            json.replace("\"dim\": 1, ", ""), json.replace("\"dim\": 1", "\"dim\": 0"),
            json.replace("FLOAT32", "FLOAT64"), json.replace("\"dim\": 1", "\"dim\" 1")))
        {
            assertThatThrownBy(() -> TableJson.parse(wrong)).as(wrong).isInstanceOf(ModelFileException.class);
        }
    }

    private Path write(final TestModel model) throws IOException
    {
        final Path file = dir.resolve("model.npz");
        model.write(dir.resolve("model"));
        try (ModelFile opened = ModelFile.open(dir.resolve("model")))
        {
            assertThat(ModelNpz.write(opened, file, false)).isEqualTo(model.rows.size());
        }
        return file;
    }

    private Path zip(final Map<String, byte[]> entries) throws IOException
    {
        final Path file = dir.resolve("by-hand.npz");
        try (OutputStream out = Files.newOutputStream(file); ZipOutputStream zip = new ZipOutputStream(out))
        {
            zip.setLevel(0);
            for (final Map.Entry<String, byte[]> each : entries.entrySet())
            {
                zip.putNextEntry(new ZipEntry(each.getKey()));
                zip.write(each.getValue());
                zip.closeEntry();
            }
        }
        return file;
    }

    private void assertWrong(final Map<String, byte[]> entries, final String... messages) throws IOException
    {
        final Path file = zip(entries);
        assertThatThrownBy(() -> ModelNpz.read(file, List.of(TWO), new TestModel()))
            .isInstanceOf(ModelFileException.class).hasMessageContaining("by-hand.npz")
            .hasMessageContainingAll(messages);
    }

    private static void assertArray(final ZipFile zip, final String name, final String dictionary, final byte[] data)
        throws IOException
    {
        final byte[] bytes = zip.getInputStream(zip.getEntry(name)).readAllBytes();
        final int headerLength = bytes.length - data.length;
        assertThat(Arrays.copyOf(bytes, 8)).containsExactly((byte)0x93, 'N', 'U', 'M', 'P', 'Y', (byte)1, (byte)0);
        assertThat(ByteBuffer.wrap(bytes).order(ModelFormat.ORDER).getShort(8)).isEqualTo((short)(headerLength - 10));
        assertThat(headerLength % 64).isZero();
        assertThat(bytes[headerLength - 1]).isEqualTo((byte)'\n');
        assertThat(new String(bytes, 10, headerLength - 11, StandardCharsets.ISO_8859_1).stripTrailing())
            .isEqualTo(dictionary);
        assertThat(Arrays.copyOfRange(bytes, headerLength, bytes.length)).isEqualTo(data);
    }

    private static byte[] npy(final String type, final String shape, final byte[] data)
    {
        final String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + "}\n";
        final ByteBuffer bytes = ByteBuffer.allocate(12 + header.length() + data.length).order(ModelFormat.ORDER);
        bytes.put((byte)0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII)).put((byte)2).put((byte)0);
        bytes.putInt(header.length()).put(header.getBytes(StandardCharsets.US_ASCII)).put(data);
        return bytes.array();
    }

    private static byte[] longs(final long... values)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES).order(ModelFormat.ORDER);
        bytes.asLongBuffer().put(values);
        return bytes.array();
    }
}
