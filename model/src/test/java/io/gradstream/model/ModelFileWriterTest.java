// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(120)
class ModelFileWriterTest
{
    private static final UnsafeBuffer ROW = new UnsafeBuffer(new byte[64]);
    private static final TableSpec SPEC = TestModel.SPARSE;
    private static final TableSpec OTHER = TableSpec.sparse(1, "other", 1, "sgd/1 rate=1.0");

    @TempDir
    private Path dir;

    @Test
    void shouldLeaveNothingWithoutFinish() throws IOException
    {
        final ModelFileWriter writer = ModelFileWriter.create(dir.resolve("model"), false);
        writer.onTable(SPEC, 0);
        for (int key = 0; key < 10_000; key++)
        {
            writer.onRow(0, key, ROW, 0);
        }
        assertThat(writer.rows()).isEqualTo(10_000);
        writer.close();
        writer.close();

        assertThat(dir).isEmptyDirectory();
        assertThatThrownBy(() -> writer.onRow(0, 1, ROW, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> writer.finish(TestModel.ORIGIN)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotWriteOverAFileUnlessTold() throws IOException
    {
        final Path file = Files.writeString(dir.resolve("model"), "precious");
        assertThatThrownBy(() -> ModelFileWriter.create(file, false)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> ModelFileWriter.create(dir, true)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("precious");

        try (ModelFileWriter writer = ModelFileWriter.create(file, true))
        {
            TestModel.ofAllKinds().giveTo(writer);
            assertThat(file).hasContent("precious");
            writer.finish(TestModel.ORIGIN);
        }
        ModelFile.open(file).close();
        assertThat(dir.toFile().list()).containsExactly("model");
    }

    @Test
    void shouldNotWriteOverAFileThatAppearedMeanwhile() throws IOException
    {
        final Path file = dir.resolve("model");
        try (ModelFileWriter writer = ModelFileWriter.create(file, false))
        {
            Files.writeString(file, "precious");
            assertThatThrownBy(() -> writer.finish(TestModel.ORIGIN)).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(file).hasContent("precious");
        assertThat(dir.toFile().list()).containsExactly("model");
    }

    @Test
    void shouldNameTheKeyThatComesTwiceAndLeaveNothing() throws IOException
    {
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("model"), false))
        {
            writer.onTable(SPEC, 0);
            writer.onTable(OTHER, 0);
            for (int key = 0; key < 100; key++)
            {
                writer.onRow(0, key, ROW, 0);
                writer.onRow(1, 100 - key, ROW, 0);
            }
            writer.onRow(1, 57, ROW, 0);
            assertThatThrownBy(() -> writer.finish(TestModel.ORIGIN)).isInstanceOf(ModelFileException.class)
                .hasMessageContaining("'other'").hasMessageContaining("key=57");
        }
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void shouldRefuseRowsAndTablesThatDoNotFit() throws IOException
    {
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("model"), false))
        {
            assertRefused(() -> writer.onRow(0, 1, ROW, 0), "tableId=0");
            assertRefused(() -> writer.onRow(-1, 1, ROW, 0), "tableId=-1");
            assertRefused(() -> writer.onRow(TableSpec.MAX_TABLES, 1, ROW, 0), "tableId=1024");
            assertRefused(() -> writer.onTable(TableSpec.AUDIT, 0), "tableId=-1");
            assertRefused(() -> writer.onTable(SPEC, -4), "stateLength=-4");
            assertRefused(() -> writer.onTable(SPEC, 3), "stateLength=3: must be a multiple of 4");
            assertRefused(() -> writer.onTable(SPEC, TableEntry.MAX_STATE_LENGTH + 4), "stateLength=1048580");
            writer.onTable(SPEC, TableEntry.MAX_STATE_LENGTH);
            assertRefused(() -> writer.onTable(SPEC, 0), "a second table");
            assertRefused(() -> writer.onTable(TableSpec.sparse(1, SPEC.name(), 1, "add/1"), 0), "a second table");
            writer.onTable(TestModel.DENSE, 0);
            assertRefused(() -> writer.onRow(TestModel.DENSE.tableId(), 5, ROW, 0), "key=5");
            assertRefused(() -> writer.onRow(TestModel.DENSE.tableId(), -1, ROW, 0), "keys are 0..4");
        }
    }

    @Test
    void shouldRefuseMoreRowsThanItsLimits() throws IOException
    {
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("model"), false, 3, 5 * 16))
        {
            writer.onTable(SPEC, 0);
            writer.onTable(OTHER, 0);
            for (int key = 0; key < 3; key++)
            {
                writer.onRow(0, key, ROW, 0);
                writer.onRow(1, key, ROW, 0);
            }
            assertThatThrownBy(() -> writer.onRow(0, 3, ROW, 0)).isInstanceOf(UncheckedIOException.class)
                .cause().isInstanceOf(ModelFileException.class).hasMessageContaining("'weights' has more than 3 rows");
            assertThatThrownBy(() -> writer.finish(TestModel.ORIGIN)).isInstanceOf(ModelFileException.class)
                .hasMessageContaining("rows=6").hasMessageContaining("-Xmx");
        }
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void shouldWriteManyRowsInLittleHeap() throws IOException
    {
        // 200,000 rows of 512 bytes, of which 16 each are sorted in the heap: the other 100 MB are in files
        final int count = 200_000;
        final TableSpec spec = TableSpec.sparse(0, "many", 64, "sgd/1 rate=1.0");
        final Path file = dir.resolve("model");
        final UnsafeBuffer row = new UnsafeBuffer(new byte[spec.valuesLength() + 256]);
        final long[] keys = new Random(3).longs(count).distinct().toArray();
        try (ModelFileWriter writer =
            ModelFileWriter.create(file, false, ModelFileWriter.MAX_ROWS_PER_TABLE, 16L * keys.length))
        {
            writer.onTable(spec, 256);
            for (final long key : keys)
            {
                row.putLong(0, key);
                row.putLong(row.capacity() - Long.BYTES, ~key);
                writer.onRow(0, key, row, 0);
            }
            writer.finish(TestModel.ORIGIN);
        }

        Arrays.sort(keys);
        final int[] seen = {0};
        try (ModelFile opened = ModelFile.open(file))
        {
            opened.forEach(new ModelHandler()
            {
                @Override
                public void onTable(final TableSpec table, final int stateLength)
                {
                    assertThat(table).isEqualTo(spec);
                }

                @Override
                public void onRow(
                    final int tableId, final long key, final DirectBuffer values, final int offset)
                {
                    if (key != keys[seen[0]++] || values.getLong(offset) != key ||
                        values.getLong(offset + row.capacity() - Long.BYTES) != ~key)
                    {
                        throw new AssertionError("row " + seen[0] + " key=" + key);
                    }
                }
            });
        }
        assertThat(seen[0]).isEqualTo(keys.length);
    }

    private static void assertRefused(final Runnable call, final String message)
    {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }
}
