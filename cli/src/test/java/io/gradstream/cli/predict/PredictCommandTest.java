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
package io.gradstream.cli.predict;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.options.Failures;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.model.ModelFileWriter;
import io.gradstream.worker.model.ModelOrigin;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

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
        final TableSpec spec = TableSpec.sparse(0, "weights", 1, "sgd/1 rate=0.1");
        final UnsafeBuffer row = new UnsafeBuffer(new byte[Float.BYTES]);
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("model"), false))
        {
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
        final CommandLine commandLine =
            Gradstream.commandLine().setOut(to).setErr(new PrintWriter(err, true));

        return Gradstream.execute(commandLine, all);
    }
}
