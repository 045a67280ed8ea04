// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.PropertyDefaults;
import io.gradstream.cli.options.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StoredArgumentsTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldKeepOptionsWhereverTheyCameFrom() throws IOException
    {
        final Path config = dir.resolve("job.properties");
        Files.writeString(config, "gradstream.data=pom.xml\ngradstream.workers=3\ngradstream.step-time=2ms\n" +
            "gradstream.no-header=true\ngradstream.log-scale=false\ngradstream.ui=0\n");
        final Properties system = new Properties();
        system.setProperty("gradstream.seed", "7");

        StoredArguments.write(dir, parse(system, "train", "--config", config.toString(), "--passes", "9"), 5,
            new DataContent(7, List.of(new DataContent.FileContent(20, -1))));

        assertThat(StoredArguments.read(dir)).containsExactlyInAnyOrder(
            "--data=" + Path.of("pom.xml").toAbsolutePath(), "--workers=3", "--step-time=2ms", "--no-header",
            "--seed=7", "--passes=9", "--resumed-at=5", "--trained-on=7/20:ffffffff");
    }

    @Test
    void shouldKeepANameWithACommaAsOne() throws IOException
    {
        final Path file = Files.writeString(dir.resolve("a,b.svm"), "1 1:1\n");

        StoredArguments.write(dir, parse(new Properties(), "train", "--data=" + file + ",pom.xml",
            "--label-values=1,2", "--decimal=,"), 0, null);

        assertThat(StoredArguments.read(dir)).containsExactlyInAnyOrder(
            "--data=" + file + "," + Path.of("pom.xml").toAbsolutePath(), "--label-values=1,2", "--decimal=,",
            "--resumed-at=0");
        assertThatCode(() -> StoredArguments.checkSameBatches(dir, StoredArguments.read(dir),
            parse(new Properties(), "train", "--data=" + file + ",pom.xml"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> StoredArguments.checkSameBatches(dir, StoredArguments.read(dir),
            parse(new Properties(), "train", "--label-values=2,1"))).hasMessageContaining("--label-values=2,1 where");
    }

    @Test
    void shouldNotKeepWhatIsShownOrWritten() throws IOException
    {
        StoredArguments.write(dir, parse(new Properties(), "train", "--ui", "--bind=0.0.0.0", "--plot=a.png",
            "--log=log", "--out=model", "--kill=primary@40%", "--json", "--dir=here", "--accept-changed-data"), 0,
            null);

        assertThat(StoredArguments.read(dir)).containsExactly("--resumed-at=0");
    }

    @Test
    void shouldKeepWhatShareWasHeldOut() throws IOException
    {
        final ParseResult parsed = parse(new Properties(), "train", "--data=pom.xml");
        parsed.commandSpec().findOption("--hold-out").setValue(0.1);

        StoredArguments.write(dir, parsed, 0, null);

        assertThat(StoredArguments.read(dir)).contains("--hold-out=0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--workers=3", "--batch=32", "--push-every=8", "--local-steps=8", "--seed=2",
        "--data=other", "--hold-out=0.5", "--no-header"})
    void shouldRefuseToChangeWhichBatchesThereAre(final String argument)
    {
        final List<String> stored = List.of("--data=" + Path.of("pom.xml").toAbsolutePath(), "--hold-out=0.1");

        assertThatThrownBy(() ->
            StoredArguments.checkSameBatches(dir, stored, parse(new Properties(), "train", argument)))
            .isInstanceOf(UsageException.class)
            .hasMessageContaining("--resume " + dir + ": " + argument.replaceFirst("=other", "="))
            .hasMessageContaining("leave it out");
    }

    @Test
    void shouldRefuseToTakeBackAFlagOfTheFormat()
    {
        final List<String> stored = List.of("--no-header", "--log-scale");

        assertThatThrownBy(() -> StoredArguments.checkSameBatches(
            dir, stored, parse(new Properties(), "train", "--log-scale=false")))
            .isInstanceOf(UsageException.class)
            .hasMessageContaining("--log-scale=false where that run had --log-scale");
    }

    @Test
    void shouldTakeOptionsThatAreTheSameOrOnlySayHowItGoesOn()
    {
        final List<String> stored = List.of("--data=" + Path.of("pom.xml").toAbsolutePath(), "--workers=3");

        assertThatCode(() -> StoredArguments.checkSameBatches(dir, stored, parse(new Properties(), "train",
            "--data=pom.xml", "--workers=3", "--batch=64", "--passes=9", "--servers=3"))).doesNotThrowAnyException();
    }

    private static ParseResult parse(final Properties system, final String... args)
    {
        final CommandLine commandLine = Gradstream.commandLine();
        commandLine.setDefaultValueProvider(PropertyDefaults.of(args, commandLine, system, (text) ->
        {
        }));
        return commandLine.parseArgs(args).subcommand();
    }
}
