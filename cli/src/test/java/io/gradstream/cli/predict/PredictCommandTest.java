// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.predict;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.ModelDescription;
import io.gradstream.codecs.TableSpec;
import io.gradstream.training.read.Column;
import io.gradstream.training.read.DataStatistics;
import io.gradstream.model.ModelFileWriter;
import io.gradstream.model.ModelOrigin;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;

class PredictCommandTest
{
    private static final String DATA = "data";

    @TempDir
    private Path dir;

    private final StringWriter err = new StringWriter();
    private final StringWriter out = new StringWriter();

    /** A logistic model of the intercept and the number that follows it. */
    @BeforeEach
    void writeModel() throws IOException
    {
        writeModel("");
    }

    private void writeModel(final String metadata) throws IOException
    {
        final TableSpec spec = TableSpec.sparse(0, "weights", 1, "sgd/1 rate=0.1");
        final UnsafeBuffer row = new UnsafeBuffer(new byte[Float.BYTES]);
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("model"), true))
        {
            writer.metadata(metadata);
            writer.onTable(spec, 0);
            for (int key = 0; key < 2; key++)
            {
                row.putFloat(0, key, ByteOrder.LITTLE_ENDIAN);
                writer.onRow(0, key, row, 0);
            }
            writer.finish(new ModelOrigin(1, ModelOrigin.NO_CLOCK, 1, 1, 0));
        }
    }

    @Test
    void shouldSayWhyAMetricIsNotDefined() throws IOException
    {
        assertThat(predict("y,a\n1,2\n1,3\n", "--format=csv", "--number-columns=a", "--label=y")).isZero();

        assertThat(err.toString()).contains("auc n/a (all 2 labels are 1) on 2 examples");
    }

    @Test
    void shouldLeaveOutLabelsThatAreNotLookedAt() throws IOException
    {
        final String[] arguments = {"--format=csv", "--number-columns=a", "--label=y", "--no-labels"};

        assertThat(predict("a\n2\n", arguments)).isZero();
        final String without = out.toString();
        out.getBuffer().setLength(0);
        assertThat(predict("y,a\n1,2\n", arguments)).isZero();

        assertThat(out.toString()).isEqualTo(without).startsWith("0.88");
        assertThat(err.toString()).doesNotContain("warning");
    }

    @Test
    void shouldWarnWhenNumbersOfColumnsMayHaveMoved() throws IOException
    {
        assertThat(predict("2\n", "--format=csv", "--no-header", "--number-columns=1", "--no-labels")).isZero();

        assertThat(err.toString()).contains("columns are known by their number");
    }

    @Test
    void shouldWarnWhenAllButTheInterceptIsUnknown() throws IOException
    {
        assertThat(predict("a\nx\n", "--format=csv", "--no-labels")).isZero();

        assertThat(err.toString()).contains("asked for 1 times, the model has 0");
    }

    @Test
    void shouldTakeFormatAndColumnsFromTheModel() throws IOException
    {
        writeModel(description("--no-header", List.of("1", "2", "3")));
        assertThat(predict("1,0.5,2\n")).as(err.toString()).isZero();
        assertThat(err.toString()).contains("accuracy 1.0").doesNotContain("does not say");
        assertThat(predict("1,0.5,2,x\n", "--exclude-columns=4")).as(err.toString()).isZero();

        writeModel(description("--log-scale", List.of("y", "a", "b")));
        out.getBuffer().setLength(0);
        assertThat(predict("y,a,b\n1,0.5,2\n")).as(err.toString()).isZero();
        final String predicted = out.toString();
        out.getBuffer().setLength(0);
        assertThat(predict("b,y,a\n2,1,0.5\n")).as(err.toString()).isZero();
        assertThat(out.toString()).isEqualTo(predicted);
        out.getBuffer().setLength(0);
        assertThat(predict("b\tid\ta\n2\tx\t0.5\n", "--format=tsv", "--exclude-columns=id", "--no-labels")).isZero();
        assertThat(out.toString()).isEqualTo(predicted);
        writeModel(description("--log-scale", List.of("y", "a", "b")).replace("--format=csv", "--format=tsv"));
        out.getBuffer().setLength(0);
        assertThat(predict("\"b\"\t\"y\"\t\"a\"\n2\t1\t\"0.5\"\n", "--format=csv", "--separator=\\t")).isZero();
        assertThat(out.toString()).isEqualTo(predicted);
        // the weights are 0 and 1, of a and b; b is taken as log(1 + 2)
        assertThat(Float.parseFloat(predicted)).isEqualTo((float)(1 / (1 + 1 / 3.0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--hash-bits=11", "--log-scale=false", "--no-intercept=false", "--number-columns=a",
        "--format=libsvm", "--format=criteo", "--label=b"})
    void shouldRefuseOptionsThatContradictTheModel(final String option) throws IOException
    {
        writeModel(description("--log-scale", List.of("y", "a", "b")));

        assertThat(predict("y,a,b\n1,0.5,2\n", option)).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains(option + " contradicts --model " + dir.resolve("model"))
            .contains("leave it out");
    }

    @Test
    void shouldTakeHowAFileIsWrittenOtherwiseThanTheModelsData() throws IOException
    {
        writeModel(description("--log-scale", List.of("y", "a", "b")));
        assertThat(predict("y,a,b\n1,0.5,2\n0,0.5,2\n")).as(err.toString()).isZero();
        final String predicted = out.toString();
        final String metrics = err.toString();

        for (final List<String> other : List.of(
            List.of("y;a;b\n1;0,5;2\n0;0,5;2\n", "--separator=;", "--decimal=,"),
            List.of("y,a,b\nyes,0.5,2\nno,0.5,2\n", "--label-values=no,yes"),
            List.of("1,0.5,2\n0,0.5,2\n", "--no-header")))
        {
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
            assertThat(predict(other.get(0), other.subList(1, other.size()).toArray(String[]::new)))
                .as(err.toString()).isZero();
            assertThat(out.toString()).isEqualTo(predicted);
            assertThat(err.toString()).isEqualTo(metrics);
        }
    }

    @Test
    void shouldRefuseLabelsInTheOtherOrderAndColumnsWithoutNamesOfAnotherNumber() throws IOException
    {
        writeModel(description("--label-values=no,yes", List.of("y", "a", "b")));

        assertThat(predict("y,a,b\nyes,0.5,2\n", "--label-values=yes,no")).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains("--label-values=yes,no contradicts --model");
        err.getBuffer().setLength(0);
        assertThat(predict("y,a,b\n2,0.5,2\n", "--label-values=1,2")).as(err.toString()).isZero();
        err.getBuffer().setLength(0);
        assertThat(predict("1,0.5\n", "--no-header")).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains(":1: 2 columns without names, where there should be 3, in the same order");
    }

    @Test
    void shouldTakeOptionsThatSayTheSameAsTheModel() throws IOException
    {
        writeModel(description("--log-scale", List.of("y", "a", "b")));

        assertThat(predict("y,a,b\n1,0.5,2\n", "--format=csv", "--number-columns=b,a", "--hash-bits=10",
            "--log-scale", "--no-intercept", "--label=y")).as(err.toString()).isZero();
    }

    @Test
    void shouldRefuseColumnsThatTheModelDoesNotHave() throws IOException
    {
        writeModel(description("--log-scale", List.of("y", "a", "b")));

        assertThat(predict("y,a,c\n1,0.5,2\n")).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains(dir.resolve(DATA) + ":1: ").contains("absent 'b'; unknown 'c'");
    }

    @Test
    void shouldNameFileAndLineOfALabelThatTheModelDoesNotHave() throws IOException
    {
        writeModel(description("--log-scale", List.of("y", "a", "b")));

        assertThat(predict("y,a,b\n1,0.5,2\n2,0.5,2\n")).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains(dir.resolve(DATA) + ":3: column 1 ('y'): label must be 0 or 1, got '2': ")
            .contains("are named by --label-values").contains("say --no-labels");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--out=elsewhere", "--model=other", "--no-such-option=1"})
    void shouldTakeNoOtherOptionsFromAModel(final String option) throws IOException
    {
        writeModel(description(option, List.of("y", "a", "b")));

        assertThat(predict("y,a,b\n1,0.5,2\n")).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains("was made with " + option + ", which this program does not know");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no JSON", "{}", "{\"version\":2}", "[]"})
    void shouldRefuseModelsThatAreDescribedOtherwise(final String metadata) throws IOException
    {
        writeModel(metadata);

        assertThat(predict("y,a,b\n1,0.5,2\n")).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains("--model " + dir.resolve("model"));
    }

    @Test
    void shouldSayThatAModelDoesNotSayWhatItsFeaturesAre() throws IOException
    {
        assertThat(predict("a\n2\n", "--format=csv", "--number-columns=a", "--label=y", "--no-labels")).isZero();

        assertThat(err.toString()).contains("does not say what its features are");
    }

    @Test
    void shouldRefuseImagesOfAnotherSize() throws IOException
    {
        writeModel(new ModelDescription(1, "test", List.of("--format=idx"), List.of("--model=softmax"), List.of(),
            new DataStatistics(1, 5, 4, 0, 0, 0, List.of(), List.of())).json());
        final byte[] images = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 1, 1};

        assertThat(predict(new String(images, StandardCharsets.ISO_8859_1), "--no-labels"))
            .isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains("images are of 2 pixels").contains("images of 4");
    }

    /** Of a label and two numbers. */
    private static String description(final String option, final List<String> names)
    {
        return new ModelDescription(1, "test", List.of("--format=csv", "--label=" + names.get(0), "--number-columns=" +
            names.get(1) + "," + names.get(2), "--hash-bits=10", "--no-intercept", option), List.of("--model=logistic"),
            List.of(new Column(names.get(0), Column.Kind.LABEL), new Column(names.get(1), Column.Kind.NUMBER),
                new Column(names.get(2), Column.Kind.NUMBER)),
            new DataStatistics(1, 1024, 2, 1, 1, 1, List.of(0, 1), List.of())).json();
    }

    @Test
    void shouldFailWhenStandardOutputDoes() throws IOException
    {
        final Writer full = new Writer()
        {
            @Override
            public void write(final char[] text, final int offset, final int length) throws IOException
            {
                throw new IOException("full");
            }

            @Override
            public void flush()
            {
            }

            @Override
            public void close()
            {
            }
        };

        assertThat(predict(new PrintWriter(full), "a\n2\n", "--format=csv", "--number-columns=a", "--no-labels"))
            .isEqualTo(Failures.EXIT_FAILED);
        assertThat(err.toString()).contains("predictions cannot be written: standard output");
    }

    @Test
    void shouldLeaveADeviceWhereItIsWhenItCannotBeWrittenTo() throws IOException
    {
        final Path full = Files.createSymbolicLink(dir.resolve("full"), Path.of("/dev/full"));

        assertThat(predict("a\n2\n", "--format=csv", "--number-columns=a", "--no-labels", "--out=" + full))
            .isEqualTo(Failures.EXIT_FAILED);

        assertThat(err.toString()).contains("predictions cannot be written to " + full);
        assertThat(Files.readSymbolicLink(full)).isEqualTo(Path.of("/dev/full"));
    }

    @Test
    void shouldRefuseBadInputAsSuch() throws IOException
    {
        assertThat(predict("a\n2\n", "--format=csv", "--no-labels", "--out=" + dir.resolve("no/such")))
            .isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString()).contains("there is no directory " + dir.resolve("no"));

        Files.writeString(dir.resolve("model"), "no model");
        assertThat(predict("a\n2\n", "--format=csv", "--no-labels")).isEqualTo(Failures.EXIT_USAGE);
    }

    @Test
    @Timeout(30)
    void shouldLeaveAFileThatAnotherProcessMadeMeanwhile() throws Exception
    {
        final Path pipe = dir.resolve("pipe");
        final Path predictions = dir.resolve("predictions");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        // opening the pipe waits for the command, which has looked for its file by then
        final CompletableFuture<Void> other = CompletableFuture.runAsync(() ->
        {
            try (Writer writer = Files.newBufferedWriter(pipe))
            {
                Files.writeString(predictions, "another's");
                writer.write("y,a\n1,2\n0,3\n");
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });

        assertThat(execute(new PrintWriter(out), "predict", "--model=" + dir.resolve("model"), "--data=" + pipe,
            "--format=csv", "--number-columns=a", "--label=y", "--out=" + predictions)).isNotZero();
        other.get();

        assertThat(predictions).hasContent("another's");
        assertThat(err.toString()).contains("predictions cannot be written to " + predictions);
    }

    private int predict(final String data, final String... arguments) throws IOException
    {
        return predict(new PrintWriter(out), data, arguments);
    }

    private int predict(final PrintWriter to, final String data, final String... arguments) throws IOException
    {
        Files.writeString(dir.resolve(DATA), data);
        final String[] all = new String[arguments.length + 3];
        all[0] = "predict";
        all[1] = "--model=" + dir.resolve("model");
        all[2] = "--data=" + dir.resolve(DATA);
        System.arraycopy(arguments, 0, all, 3, arguments.length);

        return execute(to, all);
    }

    private int execute(final PrintWriter to, final String... arguments)
    {
        return Gradstream.execute(Gradstream.commandLine().setOut(to).setErr(new PrintWriter(err, true)), arguments);
    }
}
