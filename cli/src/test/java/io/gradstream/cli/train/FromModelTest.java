// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.PropertyDefaults;
import io.gradstream.cli.options.ModelDescription;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.TableSpec;
import io.gradstream.model.ModelFileWriter;
import io.gradstream.model.ModelOrigin;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * {@code train --from} trains the model's own table on, whatever rate the next data would have.
 */
class FromModelTest
{
    private static final String SOURCE = "--from a.model";
    private static final TableSpec CHOSEN =
        TableSpec.sparse(0, "linear", 1, "ftrl/1 alpha=0.374 beta=0.0748 l1=0.001 l2=0.0");

    @TempDir
    private Path dir;

    @ParameterizedTest
    @CsvSource({"ftrl/1 alpha=0.374 beta=0.0748 l1=0.001 l2=0.0", "ftrl/1 alpha=1.0E-4 beta=1.0 l1=0.0 l2=0.0 clip=2.0",
        "sgd/1 rate=0.25", "sgd/1 rate=0.25 clip=1.0", "adam/1 rate=0.01", "adam/1 rate=0.01 clip=0.5",
        "ftrl/1 alpha=1 beta=1 l1=0 l2=0 clip=1", "adagrad/1 rate=0.05 initial=0.01", "sgd/1 rate=.5"})
    void shouldTakeTheFunctionFromTheModel(final String function)
    {
        final TableSpec table = TableSpec.sparse(0, "linear", 1, function);

        assertThat(taken(table, new Properties(), "--model=linear").job.table()).isEqualTo(table);
    }

    @Test
    void shouldTakeTheSeedOfRandomRowsFromTheModel()
    {
        final TableSpec table =
            TableSpec.sparse(0, "fm squared", 9, "adagrad/1 rate=0.05 initial=0.01").withNormalValues(7, 0.01f);

        assertThat(taken(table, new Properties(), "--model=fm", "--loss=squared", "--initial-deviation=0.01")
            .job.table().initialiserSeed()).isEqualTo(7);
        assertThatThrownBy(() -> taken(table, new Properties(), "--model=fm", "--seed=2"))
            .isInstanceOf(UsageException.class)
            .hasMessage("--seed=2 contradicts --from a.model, which was made with --seed=7: leave it out");
    }

    @ParameterizedTest
    @CsvSource({"--alpha=5,--alpha=0.374", "--function=sgd,--function=ftrl", "--clip=1,--clip=0", "--l1=1,--l1=0.001"})
    void shouldNameTheOptionThatIsAnother(final String given, final String before)
    {
        assertThatThrownBy(() -> taken(CHOSEN, new Properties(), "--model=linear", given))
            .isInstanceOf(UsageException.class)
            .hasMessage(given + " contradicts --from a.model, which was made with " + before + ": leave it out");
    }

    @Test
    void shouldTakeOptionsThatSayTheSame()
    {
        assertThat(taken(CHOSEN, new Properties(), "--model=linear", "--alpha=0.3740", "--clip=0.0", "--function=ftrl")
            .job.table()).isEqualTo(CHOSEN);
        assertThat(taken(CHOSEN, new Properties(), "--model=linear", "--function=" + CHOSEN.function()).job.table())
            .isEqualTo(CHOSEN);
    }

    @Test
    void shouldLetPropertiesBeThatDoNothing()
    {
        final Properties system = new Properties();
        system.setProperty("gradstream.rate", "0.5");
        system.setProperty("gradstream.alpha", "0.374");

        assertThat(taken(CHOSEN, system, "--model=linear").job.table()).isEqualTo(CHOSEN);
    }

    @Test
    void shouldSayWhatToLeaveOutWhereTheTableIsAnother() throws IOException
    {
        final Path model = dir.resolve("a.model");
        try (ModelFileWriter writer = ModelFileWriter.create(model, true))
        {
            writer.onTable(CHOSEN, 0);
            final UnsafeBuffer row = new UnsafeBuffer(new byte[Float.BYTES]);
            row.putFloat(0, 1, ByteOrder.LITTLE_ENDIAN);
            writer.onRow(0, 1, row, 0);
            writer.finish(new ModelOrigin(1, ModelOrigin.NO_CLOCK, 1, 1, 0));
        }
        final TableSpec other = TableSpec.sparse(0, "linear", 1, "sgd/1 rate=0.1");

        assertThatThrownBy(() -> StartingPoint.from(model, other, Set.of("--function", "--from")))
            .isInstanceOf(UsageException.class)
            .hasMessageContaining("its weights are updated by '" + CHOSEN.function() + "' instead of" +
                " 'sgd/1 rate=0.1': leave --function out");
        assertThatThrownBy(() -> StartingPoint.from(model, TableSpec.sparse(0, "softmax", 3, "sgd/1 rate=0.1"),
            Set.of("--model"))).hasMessageContaining("leave --model out").hasMessageNotContaining("dim=");
    }

    private static TrainCommand taken(final TableSpec table, final Properties system, final String... options)
    {
        final String[] args = new String[1 + options.length];
        args[0] = "train";
        System.arraycopy(options, 0, args, 1, options.length);
        final CommandLine commandLine = Gradstream.commandLine();
        commandLine.setDefaultValueProvider(PropertyDefaults.of(args, commandLine, system, (text) ->
        {
        }));
        final CommandLine train = commandLine.parseArgs(args).subcommand().commandSpec().commandLine();
        ModelDescription.takeTable(SOURCE, train, table);

        return train.getCommand();
    }
}
