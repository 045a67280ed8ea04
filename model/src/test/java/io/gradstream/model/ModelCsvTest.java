// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ModelCsvTest
{
    private static final TableSpec WEIGHTS = TableSpec.sparse(0, "weights", 2, "sgd/1 rate=1.0");
    private static final TableSpec COUNTS =
        new TableSpec(7, "counts", 1, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1");

    @TempDir
    private Path dir;

    @Test
    void shouldGiveBackTheSameBits() throws IOException
    {
        final TestModel model = TestModel.withoutPayloadsOfNaN();
        final Path file = dir.resolve("model.csv");
        model.write(dir.resolve("model"));
        try (ModelFile opened = ModelFile.open(dir.resolve("model")))
        {
            assertThat(ModelCsv.write(opened, file, false)).isEqualTo(model.rows.size());
            assertThatThrownBy(() -> ModelCsv.write(opened, file, false))
                .isInstanceOf(FileAlreadyExistsException.class);
        }

        final TestModel read = new TestModel();
        assertThat(ModelCsv.read(file, model.specs, read)).isEqualTo(model.rows.size());
        assertThat(read.tables()).isEqualTo(model.values().tables());
        assertThat(read.rows).isEqualTo(model.values().rows);
        assertThat(dir.toFile().list()).containsExactlyInAnyOrder("model", "model.csv");
    }

    @Test
    void shouldWriteAsDocumented() throws IOException
    {
        final TestModel model = new TestModel();
        model.table(TestModel.DENSE, 4);
        model.table(TestModel.SPARSE, 0);
        model.row(TestModel.DENSE.tableId(), 4, TestModel.floats(0.1f, 4));
        model.row(TestModel.SPARSE.tableId(), -7, TestModel.floats(Float.NEGATIVE_INFINITY, 4));
        model.write(dir.resolve("model"));
        try (ModelFile opened = ModelFile.open(dir.resolve("model")))
        {
            ModelCsv.write(opened, dir.resolve("csv"), false);
        }

        assertThat(Files.readAllLines(dir.resolve("csv"))).containsExactly(
            "table,key,value0,value1", "weights,-7,-Infinity,0.0", "\"de,nse \"\"one\"\"\",4,0.1,");
    }

    @Test
    void shouldReadWhatOthersWrite() throws IOException
    {
        final TestModel read = read("table,key,value0,value1\r\n\"weights\", 1 ,inf,-inf\r\n\r\ncounts,2,-3\r\n" +
            "weights,3,nan,1e-3\r\n");

        assertThat(read.rows).containsExactly(
            new TestModel.Row(0, 1, "0000807f000080ff"), new TestModel.Row(7, 2, "fdffffffffffffff"),
            new TestModel.Row(0, 3, "0000c07f6f12833a"));
    }

    @Test
    void shouldReadAMarkAndQuotesAndBlanksInTheHeader() throws IOException
    {
        final TestModel read = read("\uFEFF\"table\" , \"key\",value0,value1\n \"weights\" ,1,inf,-inf, \n \n");

        assertThat(read.rows).containsExactly(new TestModel.Row(0, 1, "0000807f000080ff"));
    }

    @Test
    void shouldNameTheLineThatIsWrong()
    {
        assertWrong("", "line 1", "header");
        assertWrong("key,table\n", "line 1", "header");
        assertWrong("table,key,value0,value1\nother,1,1,1\n", "line 2", "'other'");
        assertWrong("table,key,value0,value1\nweights,1,1\n", "line 2", "dim=2", "1 values");
        assertWrong("table,key,value0,value1\n\nweights,1,1,1,5\n", "line 3", "another value '5'");
        assertWrong("table,key,value0,value1\nweights,1.5,1,1\n", "line 2", "the key must be a whole number", "1.5");
        assertWrong("\u001F\uFEFF\b", "line 1", "is no plain text");
        assertWrong("t\0a\0b\0", "line 1", "is no plain text", "UTF-8");
        assertWrong("table,key,value0,value1\nweights,1,1,\n", "line 2", "FLOAT32");
        assertWrong("table,key,value0,value1\ncounts,1,1.5,\n", "line 2", "INT64", "1.5");
        assertWrong("table,key,value0,value1\n\"weights,1,1,1\n", "line 2", "quotation");
        assertWrong("table,key,value0,value1\nweights\n", "line 2", "0 values");
    }

    private TestModel read(final String text) throws IOException
    {
        final Path file = Files.writeString(dir.resolve("text.csv"), text);
        final TestModel read = new TestModel();
        ModelCsv.read(file, List.of(WEIGHTS, COUNTS), read);
        return read;
    }

    private void assertWrong(final String text, final String... messages)
    {
        assertThatThrownBy(() -> read(text)).isInstanceOf(ModelFileException.class)
            .hasMessageContaining("text.csv").hasMessageContainingAll(messages);
    }
}
