// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A model knows what its features are: files with columns in another order are read by name, predicting needs no
 * options of the format, and a run is only gone on with on the same data.
 */
@Tag("faults")
class FeatureSpaceIT
{
    private static final int TIMEOUT_SECONDS = 90;

    @TempDir
    private Path directory;

    @Test
    void shouldKnowColumnsByNameInTestPredictionAndTrainingThatGoesOn() throws Exception
    {
        final Path data = write("tr.csv", "y,a,b", "1,9,1", "0,1,9", 300);
        final Path swapped = write("te.csv", "y,b,a", "1,1,9", "0,9,1", 50);
        final Path model = directory.resolve("a.model");
        final Command train = run(0, "train", "--format=csv", "--label=y", "--number-columns=a,b", "--hash-bits=10",
            "--log-scale", "--no-intercept", "--servers=1", "--workers=1", "--data=" + data, "--test=" + swapped,
            "--out=" + model, "--json");
        assertThat(train.number("accuracy")).isEqualTo(1.0);

        final Command predict = run(0, "predict", "--model=" + model, "--data=" + swapped);
        assertThat(predict.err()).contains("accuracy 1.000000").contains("100 examples");
        assertThat(run(0, "model", "describe", model.toString()).out())
            .contains("columns     y (label), a (number), b (number)");

        // no batch is trained on that could teach it anything else
        final Command from = run(0, "train", "--from=" + model, "--data=" + swapped, "--test=" + data, "--passes=1",
            "--servers=1", "--workers=1", "--json");
        assertThat(from.number("accuracy")).isEqualTo(1.0);
        assertThat(run(2, "train", "--from=" + model, "--data=" + swapped, "--hash-bits=11").err())
            .contains("--hash-bits=11 contradicts --from " + model + ", which was made with --hash-bits=10");
        assertThat(run(2, "train", "--from=" + model).err()).contains("without --data");
    }

    @Test
    void shouldGoOnOnlyWithTheSameDataAndLeaveNothingWhereItRefuses() throws Exception
    {
        final Path data = write("tr.csv", "y,a,b", "1,9,1", "0,1,9", 300);
        final Path kept = directory.resolve("kept");
        final Path next = directory.resolve("next");
        run(0, "train", "--staleness=0", "--format=csv", "--label=y", "--number-columns=a,b", "--data=" + data,
            "--passes=1", "--dir=" + kept);
        final String[] resume = {"train", "--resume=" + kept, "--dir=" + next};
        assertThat(run(1, "model", "export", "--dir=" + kept.resolve("server-0"), "--out=" + directory.resolve("half"))
            .err()).contains("partition=2 of 4 is in none of the directories");

        for (int i = 0; i < 2; i++)
        {
            assertThat(run(2, resume).err()).contains("this run has finished").contains("train --from FILE");
            assertThat(next).doesNotExist();
        }

        final List<String> lines = new ArrayList<>(Files.readAllLines(data));
        Collections.reverse(lines.subList(1, lines.size()));
        Files.write(data, lines);
        assertThat(run(2, resume).err()).contains("this run has finished").doesNotContain("--accept-changed-data");
        assertThat(next).doesNotExist();
    }

    private Path write(final String name, final String header, final String one, final String zero, final int pairs)
        throws IOException
    {
        return Files.writeString(directory.resolve(name), header + "\n" + (one + "\n" + zero + "\n").repeat(pairs));
    }

    private Command run(final int exitCode, final String... arguments) throws Exception
    {
        final Command command = Command.run(directory, TIMEOUT_SECONDS, arguments);
        assertThat(command.exitCode()).as(command.err()).isEqualTo(exitCode);
        return command;
    }
}
