// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.Examples;
import io.gradstream.training.MalformedDataException;
import io.gradstream.training.form.LabelValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

class CsvReaderTest
{
    private static final int BITS = 20;

    @TempDir
    private Path directory;

    private Path file(final String content) throws IOException
    {
        return Files.writeString(directory.resolve("data"), content, StandardCharsets.UTF_8);
    }

    private static int category(final int first, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return first + (int)Long.remainderUnsigned(XxHash64.hash(bytes, bytes.length), (1 << BITS) - first);
    }

    private static TreeMap<Integer, Float> entries(final Examples examples, final int example)
    {
        final TreeMap<Integer, Float> entries = new TreeMap<>();
        for (int entry = examples.firstEntry(example); entry < examples.endEntry(example); entry++)
        {
            entries.put(examples.feature(entry), examples.value(entry));
        }
        return entries;
    }

    private static CsvFormat.Builder shop()
    {
        return CsvFormat.csv("price").numbers(List.of("age", "size")).leftOut(List.of("id"));
    }

    @Test
    void shouldMakeFeaturesOfColumnsWhenHeaderNamesThem() throws IOException
    {
        final Examples examples = CsvReader.read(
            file("id,size,colour,price,age\n7,2.5,red,-10.25,\n8,0,,3e2,-4\r\n"), shop().build());

        assertThat(examples.size()).isEqualTo(2);
        assertThat(examples.featureCount()).isEqualTo(1 << BITS);
        assertThat(examples.target(0)).isEqualTo(-10.25f);
        assertThat(examples.target(1)).isEqualTo(300f);
        assertThat(entries(examples, 0)).containsOnly(
            entry(0, 1f), entry(1, 2.5f), entry(category(3, "colour=red"), 1f));
        assertThat(entries(examples, 1)).containsOnly(entry(0, 1f), entry(2, -4f));
    }

    @Test
    void shouldUnquoteAsRfc4180WhenFieldsAreQuoted() throws IOException
    {
        final Examples examples = CsvReader.read(
            file("\uFEFF\"price\",name\r\n1,\"a,\"\"b\"\"\r\nc\"\r\n\n2,\"\"\n\"3\",\u00E4"),
            CsvFormat.csv("price").hasIntercept(false).build());

        assertThat(examples.size()).isEqualTo(3);
        assertThat(entries(examples, 0)).containsOnlyKeys(category(0, "name=a,\"b\"\r\nc"));
        assertThat(entries(examples, 1)).isEmpty();
        assertThat(entries(examples, 2)).containsOnlyKeys(category(0, "name=\u00E4"));
        assertThat(examples.target(2)).isEqualTo(3f);
    }

    @Test
    void shouldReadCriteoWhenColumnsHaveNoNames() throws IOException
    {
        final List<String> fields = new ArrayList<>(List.of("1"));
        for (int i = 1; i <= 13; i++)
        {
            fields.add(i == 2 ? "-1" : i == 3 ? "" : Integer.toString(i));
        }
        for (int i = 1; i <= 26; i++)
        {
            fields.add(i == 26 ? "" : "68fd1e6" + (i % 10));
        }
        final Path file = directory.resolve("day_0.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file)))
        {
            out.write((String.join("\t", fields) + "\n0" + "\t".repeat(39) + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        final Examples examples = CsvReader.read(file, CsvFormat.criteo().build());
        assertThat(examples.size()).isEqualTo(2);
        assertThat(examples.label(0)).isEqualTo(1);
        assertThat(examples.label(1)).isZero();
        assertThat(entries(examples, 1)).containsOnlyKeys(0);
        final TreeMap<Integer, Float> entries = entries(examples, 0);
        assertThat(entries).hasSize(1 + 12 + 25).doesNotContainKey(3);
        assertThat(entries).containsEntry(1, (float)Math.log(2)).containsEntry(2, (float)-Math.log(2))
            .containsEntry(13, (float)Math.log(14)).containsEntry(category(14, "15=68fd1e61"), 1f);
    }

    @Test
    void shouldNumberColumnsOfCriteoWithoutLabelsAsWithThem() throws IOException
    {
        final String features = "\t1".repeat(13) + "\t68fd1e61".repeat(26);
        final CsvFormat format = CsvFormat.criteo().isLabelIgnored(true).build();
        final TreeMap<Integer, Float> labelled =
            entries(CsvReader.read(file("1" + features), CsvFormat.criteo().build()), 0);

        assertThatThrownBy(() -> CsvReader.read(file("1" + features + "\nyes" + features), CsvFormat.criteo().build()))
            .hasMessageEndingWith(":2: column 1: label must be a finite number, got 'yes'");
        final TreeMap<Integer, Float> unlabelled = entries(CsvReader.read(file(features.substring(1)), format), 0);
        final Examples ignored = CsvReader.read(file("none" + features), format);

        assertThat(unlabelled).isEqualTo(labelled);
        assertThat(entries(ignored, 0)).isEqualTo(labelled);
        assertThat(ignored.target(0)).isZero();
    }

    @Test
    void shouldLeaveOutLabelsThatAreIgnored() throws IOException
    {
        final CsvFormat format = CsvFormat.csv("y").isLabelIgnored(true).build();
        final TreeMap<Integer, Float> without = entries(CsvReader.read(file("a,b\nx,z\n"), format), 0);

        assertThat(entries(CsvReader.read(file("a,y,b\nx,?,z\n"), format), 0)).isEqualTo(without).hasSize(3);
    }

    @Test
    void shouldKnowColumnsByNameWhereverTheyAreInAFile() throws IOException
    {
        final Path first = file("y,a,b,c\n1,9,1,x\n");
        final Path second = Files.writeString(directory.resolve("second"), "c,b,y,a\nx,1,1,9\n");
        final CsvFormat.Builder format = CsvFormat.csv("y").numbers(List.of("a", "b"));
        final Examples both = CsvReader.read(List.of(first, second), format.build());
        assertThat(entries(both, 1)).isEqualTo(entries(both, 0)).containsEntry(1, 9f).containsEntry(2, 1f);

        final CsvFormat known = format.columns(CsvReader.columns(first, format.build())).build();
        assertThat(entries(CsvReader.read(second, known), 0)).isEqualTo(entries(both, 0));
    }

    @Test
    void shouldRefuseColumnsThatWereNotTrainedOn() throws IOException
    {
        final CsvFormat.Builder format =
            CsvFormat.csv("y").numbers(List.of("a", "b")).leftOut(List.of("id"));
        final List<Column> columns = CsvReader.columns(file("id,y,a,b,c\n"), format.build());
        assertThat(columns).extracting(Column::kind).containsExactly(Column.Kind.LEFT_OUT, Column.Kind.LABEL,
            Column.Kind.NUMBER, Column.Kind.NUMBER, Column.Kind.CATEGORY);
        format.columns(columns).leftOut(List.of("extra"));

        assertThat(CsvReader.read(file("c,extra,b,a,y\nx,9,1,9,1\n"), format.build()).size()).isEqualTo(1);
        assertRefused("y,b,d,c\n1,1,1,x\n", format, "absent 'a'; unknown 'd'");
        assertRefused("y,b,a,c,d\n1,1,1,x,1\n", format,
            "unknown 'd'; what is not to be read is named by --exclude-columns");
        assertRefused("b,a,c\n1,1,x\n", format, "absent 'y'");
        assertRefused("y,b,a,c,a\n1,1,1,x,1\n", format, "more than one column 'a'");
        assertThat(CsvReader.read(file("b,a,c\n1,1,x\n"), format.isLabelIgnored(true).build()).size()).isEqualTo(1);
        assertRefused("y,b,a,c\n1,1,1,x\n", format.leftOut(List.of("c")), "column 'c' was trained on");
    }

    @Test
    void shouldKnowTheFirstColumnAfterAByteOrderMark() throws IOException
    {
        final CsvFormat format = CsvFormat.csv("y").numbers(List.of("a")).build();
        assertThat(CsvReader.columns(file("\uFEFFa,y\n1,0\n"), format)).extracting(Column::name)
            .containsExactly("a", "y");
    }

    private void assertRefused(final String content, final CsvFormat.Builder format, final String message)
        throws IOException
    {
        final Path file = file(content);
        assertThatThrownBy(() -> CsvReader.read(file, format.build())).isInstanceOf(MalformedDataException.class)
            .hasMessageStartingWith(file + ":1: ").hasMessageContaining(message);
    }

    @Test
    void shouldKeepNumbersOfColumnsWhereOnlyTheLabelIsAbsent() throws IOException
    {
        final CsvFormat.Builder format = CsvFormat.csv("2").hasHeader(false).numbers(List.of("3"));
        final CsvFormat known = format.columns(CsvReader.columns(file("x,1,5\n"), format.build()))
            .isLabelIgnored(true).build();

        assertThat(entries(CsvReader.read(file("x,5\n"), known), 0))
            .isEqualTo(entries(CsvReader.read(file("x,1,5\n"), known), 0)).containsEntry(1, 5f);
    }

    @Test
    void shouldSayWhatColumnsOfNumbersWereLike() throws IOException
    {
        final CsvFormat format = CsvFormat.csv("y").numbers(List.of("a", "b")).build();
        final Path file = file("b,y,c,a\n-1,0,x,2\n,1,y,4\n-3,1,x,6\n");
        final DataStatistics statistics = DataStatistics.of(
            CsvReader.read(file, format), CsvReader.columns(file, format), format.firstNumber(), 2);

        assertThat(statistics.classes()).containsExactly(1, 2);
        assertThat(statistics.numbers()).extracting(DataStatistics.NumberColumn::name).containsExactly("b", "a");
        assertThat(statistics.numbers()).extracting(DataStatistics.NumberColumn::feature).containsExactly(1, 2);
        assertThat(statistics.numbers()).extracting(DataStatistics.NumberColumn::min).containsExactly(-3f, 2f);
        assertThat(statistics.numbers()).extracting(DataStatistics.NumberColumn::max).containsExactly(0f, 6f);
        assertThat(statistics.numbers().get(0).mean()).isEqualTo(-4f / 3);
        assertThat(statistics.numbers().get(1).deviation()).isEqualTo((float)Math.sqrt(8.0 / 3));
    }

    @Test
    void shouldAddUpWhenCategoriesMeet() throws IOException
    {
        final StringBuilder line = new StringBuilder("1");
        for (int i = 0; i < 500; i++)
        {
            line.append(",x").append(i);
        }
        final Examples examples = CsvReader.read(
            file(line.toString()), CsvFormat.csv("1").hasHeader(false).hashBits(4).build());
        final TreeMap<Integer, Float> entries = entries(examples, 0);
        assertThat(entries).hasSize(16).containsEntry(0, 1f);
        assertThat(entries.values().stream().mapToDouble(Float::doubleValue).sum()).isEqualTo(501.0);
        // 500 in 15 features: 33 each, give or take
        assertThat(entries.tailMap(1).values()).allSatisfy((count) -> assertThat(count).isBetween(12f, 60f));
    }

    @Test
    void shouldReadWhenRecordsCrossBuffersAndFiles() throws IOException
    {
        final StringBuilder content = new StringBuilder("y,x,c\n");
        for (int i = 0; i < 20_000; i++)
        {
            content.append(i).append(',').append(i + 1).append(",\"").append("w".repeat(i % 50)).append("\"\n");
        }
        final Path file = file(content.toString());
        final CsvFormat format = CsvFormat.csv("y").numbers(List.of("x")).build();
        final Examples examples = CsvReader.read(List.of(file, file), format);
        assertThat(examples.size()).isEqualTo(40_000);
        for (int i = 0; i < examples.size(); i++)
        {
            assertThat(examples.target(i)).isEqualTo(i % 20_000);
            assertThat(examples.value(examples.firstEntry(i) + 1)).isEqualTo(i % 20_000 + 1f);
            assertThat(examples.endEntry(i) - examples.firstEntry(i)).isEqualTo(i % 50 == 0 ? 2 : 3);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "1,1,red,x,3    | column 4 ('price'): label must be a finite number, got 'x': two labels that are words are " +
            "named by --label-values",
        "1,1,red,,3     | column 4 ('price'): label must be a finite number, got '': is it missing? " +
            "Leave such lines out",
        "1,1x,red,2,3   | column 2 ('size'): must be a finite number or empty, got '1x'",
        "1,NaN,red,2,3  | column 2 ('size'): must be a finite number or empty, got 'NaN'",
        "1,1e99,red,2,3 | column 2 ('size'): must be a finite number or empty, got '1e99': " +
            "numbers reach from -3.4e38 to 3.4e38",
        "1,1,red,2      | 4 columns where there should be 5: a separator is missing, or one too many " +
            "that is not in quotes",
        "1,1,red,2,3,4  | 6 columns where there should be 5: a separator is missing, or one too many " +
            "that is not in quotes",
        "1,1,re\"d,2,3   | column 3: a quote inside a field that does not begin with one",
        "1,1,\"re\"d,2,3 | column 3: text after the closing quote",
        "1,1,\"red,2,3   | column 3: the file ends inside quotes",
    })
    void shouldNameFileLineAndColumnWhenMalformed(final String line, final String message) throws IOException
    {
        final Path file = file("id,size,colour,price,age\n\n1,1,\"a\",2,3\n" + line + "\n1,1,red,2,3\n");
        assertThatThrownBy(() -> CsvReader.read(file, shop().build()))
            .isInstanceOf(MalformedDataException.class).hasMessage(file + ":4: " + message);
    }

    @Test
    void shouldTrimBlanksAroundFieldsButNotInQuotes() throws IOException
    {
        final TreeMap<Integer, Float> plain = entries(CsvReader.read(file("y,c,d\n1,red,\" x\"\n"),
            CsvFormat.csv("y").build()), 0);

        assertThat(entries(CsvReader.read(file(" y ,\tc, d\n 1 ,  red\t, \" x\" \r\n  \n"),
            CsvFormat.csv("y").build()), 0)).isEqualTo(plain).hasSize(3);
        assertThat(entries(CsvReader.read(file("y\tc\td\n1 \t red\t x\n"), CsvFormat.tsv("y").build()), 0))
            .containsKey(category(1, "c=red")).containsKey(category(1, "d=x"));
    }

    @Test
    void shouldReadNumbersWithADecimalCommaAndLabelsThatAreWords() throws IOException
    {
        final CsvFormat format = CsvFormat.csv("y").separator(';').numbers(List.of("a")).decimalPoint(',')
            .labels(new LabelValues("no", "yes")).build();
        final Examples examples = CsvReader.read(file("y;a\nyes;1,5\nno;-2\n"), format);

        assertThat(new float[]{ examples.target(0), examples.target(1) }).containsExactly(1, 0);
        assertThat(entries(examples, 0)).containsEntry(1, 1.5f);
        assertThatThrownBy(() -> CsvReader.read(file("y;a\nyes;1.5\n"), format))
            .hasMessageEndingWith(":2: column 2 ('a'): must be a finite number or empty, got '1.5'");
        assertThatThrownBy(() -> CsvReader.read(file("y;a\nmaybe;1\n"), format))
            .hasMessageEndingWith(":2: column 1 ('y'): label must be no or yes, got 'maybe'");
    }

    @Test
    void shouldCountLinesInsideQuotes() throws IOException
    {
        final Path file = file("y,c\n1,\"a\nb\nc\"\nbad,d\n");
        assertThatThrownBy(() -> CsvReader.read(file, CsvFormat.csv("y").build()))
            .hasMessage(file + ":5: column 1 ('y'): label must be a finite number, got 'bad':" +
                " two labels that are words are named by --label-values");
    }

    @Test
    void shouldSayWhatIsWrongWithFilesAsAWhole() throws IOException
    {
        final CsvFormat format = CsvFormat.csv("y").build();
        final Path other = Files.writeString(directory.resolve("other"), "y,x\n1,2\n");
        final Path file = file("y,c\n1,a\n");
        assertThatThrownBy(() -> CsvReader.read(List.of(file, other), format))
            .hasMessage(other + ":1: the columns are not those of the model, or of the first file: absent 'c'; " +
                "unknown 'x'");
        assertThatThrownBy(() -> CsvReader.read(List.of(), format)).hasMessageContaining("name at least one");
        for (final String content : List.of("", "\n", "y,c\n"))
        {
            assertThatThrownBy(() -> CsvReader.read(file(content), format)).hasMessage(file + ": holds no examples");
        }
        assertThatThrownBy(() -> CsvReader.read(file("a,b\n1,2\n"), format))
            .isInstanceOf(MalformedDataException.class).hasMessage(file + ":1: no column 'y' among 2 columns: a, b");
        assertThatThrownBy(() -> CsvReader.read(file("y,y\n1,2\n"), format))
            .hasMessage(file + ":1: more than one column 'y'");
    }

    @Test
    void shouldRefuseFormatThatCannotBe()
    {
        assertThatThrownBy(() -> CsvFormat.csv("y").hashBits(31).build()).hasMessageContaining("must be 4..30");
        assertThatThrownBy(() -> CsvFormat.csv("y").numbers(List.of("y")).build()).hasMessageContaining("'y'");
        assertThatThrownBy(() -> CsvFormat.criteo().hashBits(4).numbers(CsvColumns.numbered(2, 16)).build())
            .hasMessageContaining("must leave room");
    }

    @Test
    void shouldRefuseOnlyWhenRecordIsLongerThanLimit() throws IOException
    {
        final CsvFormat format = CsvFormat.csv("1").hasHeader(false).build();
        final String longest = "1," + "x".repeat(CsvRecords.MAX_RECORD_LENGTH - 1);
        assertThat(CsvReader.read(file(longest), format).size()).isEqualTo(1);
        assertThatThrownBy(() -> CsvReader.read(file(longest + "x"), format)).hasMessageContaining("record is longer");
    }
}
