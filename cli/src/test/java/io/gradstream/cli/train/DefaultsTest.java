// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gradstream.training.ClickLog;
import io.gradstream.training.Examples;
import io.gradstream.training.RatingLog;
import io.gradstream.training.model.ModelSpec;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * What {@code train} chooses where nobody says a rate is better than the base rate, and than what it chose before. The
 * table of docs/TRAINING.md was measured with the same loop.
 */
class DefaultsTest
{
    private static final String BEFORE = "ftrl/1 alpha=1.0 beta=1.0 l1=0.001 l2=0.0";
    private static final String BEFORE_OF_FACTORS = "adagrad/1 rate=0.1";
    private static final int PASSES = 3;

    @TempDir
    private Path dir;

    private TrainCommand train;
    private TrainingData data;

    @ParameterizedTest
    @ValueSource(longs = { 1, 2, 3 })
    void shouldLearnClicksOfSkewedNumbersAndCategories(final long seed) throws IOException
    {
        final CriteoLike log = new CriteoLike(seed);
        log.write(dir.resolve("train.tsv"), 0, 1999);
        log.write(dir.resolve("test.tsv"), 1999, 5999);
        final String[] files = { "--format=criteo", "--data=" + dir.resolve("train.tsv") };

        load(dir.resolve("test.tsv"), files);
        assertThat(data.baseRate().loss()).as("about a quarter of the labels are 1").isBetween(0.5, 0.61);
        assertThat(loss()).isLessThan(data.baseRate().loss() - 0.06).isLessThan(lossWith(BEFORE, 0));

        load(dir.resolve("test.tsv"), files[0], files[1], "--model=fm");
        assertThat(loss()).isLessThan(data.baseRate().loss() - 0.03)
            .isLessThan(lossWith(BEFORE_OF_FACTORS, 0.05) - 0.3);
    }

    @ParameterizedTest
    @ValueSource(doubles = { 1, 1000 })
    void shouldLearnNumbersWhateverTheirUnit(final double unit) throws IOException
    {
        Files.write(dir.resolve("train.csv"), numbers(0, 2000, unit));
        Files.write(dir.resolve("test.csv"), numbers(2000, 3000, unit));
        load(dir.resolve("test.csv"), "--format=csv", "--label=y", "--number-columns=a,b", "--model=linear",
            "--data=" + dir.resolve("train.csv"));

        assertThat(loss()).isLessThan(data.baseRate().loss() / 2).isLessThanOrEqualTo(1.1 * lossWith(BEFORE, 0));
    }

    @Test
    void shouldNotDivergeWhereNumbersAreHuge() throws IOException
    {
        final CriteoLike log = new CriteoLike(1);
        log.write(dir.resolve("train.tsv"), 0, 1999);
        log.write(dir.resolve("test.tsv"), 1999, 5999);
        load(dir.resolve("test.tsv"), "--format=tsv", "--no-header", "--label=1",
            "--number-columns=2,3,4,5,6,7,8,9,10,11,12,13,14", "--data=" + dir.resolve("train.tsv"));

        assertThat(lossWith(BEFORE, 0)).isGreaterThan(5);
        assertThat(loss()).isLessThan(1.4 * data.baseRate().loss());
        assertThat(data.notes()).singleElement().asString().contains("the values of feature 13 reach ", "--log-scale");
        assertThat(train.job.adviceIfDiverged()).contains("scale the values of feature 13", "--log-scale", "--alpha",
            "--clip 1");
    }

    @Test
    void shouldLearnRatings() throws IOException
    {
        final RatingLog log = new RatingLog(new RatingLog.Spec(55_000, 1000, 500, 4, 0.8, 0.5, 3));
        write(log.examples().slice(0, 50_000), dir.resolve("train.svm"));
        write(log.examples().slice(50_000, 55_000), dir.resolve("test.svm"));
        load(dir.resolve("test.svm"), "--model=mf", "--data=" + dir.resolve("train.svm"));

        assertThat(loss()).isLessThan(0.6 * data.baseRate().loss()).isLessThan(lossWith(BEFORE_OF_FACTORS, 0.05));
    }

    @Test
    void shouldLearnMushrooms()
    {
        load(real("agaricus/agaricus.txt.test"), "--data=" + real("agaricus/agaricus.txt.train"));
        assertThat(loss()).isLessThan(0.05);

        load(real("agaricus/agaricus.txt.test"), "--data=" + real("agaricus/agaricus.txt.train"), "--model=fm");
        assertThat(loss()).isLessThan(0.02);
    }

    @Test
    void shouldLearnClothes()
    {
        train = parse("--model=softmax", "--format=idx", "--data=" + real("fashion-mnist/t10k-images-idx3-ubyte.gz"),
            "--labels=" + real("fashion-mnist/t10k-labels-idx1-ubyte.gz"));
        data = TrainingData.load(train.job, null, List.of());

        assertThat(data.baseRate().loss()).isCloseTo(Math.log(10), within(0.02));
        assertThat(loss()).isLessThan(0.75).isLessThan(lossWith(BEFORE, 0) - 0.5);
    }

    @Test
    void shouldLeaveWhatGeneratedDataAreTrainedWith()
    {
        load(null, "--examples=2000");
        assertThat(train.job.table().function()).isEqualTo(BEFORE);
        load(null, "--examples=2000", "--model=fm");
        assertThat(train.job.table().function()).isEqualTo(BEFORE_OF_FACTORS);
        assertThat(train.job.table().initialiserScale()).isEqualTo(0.05f);
    }

    @Test
    void shouldChooseOnlyWhatNobodySays() throws IOException
    {
        write(new ClickLog(ClickLog.Spec.defaults(1).withExamples(300)).train(0, 1), dir.resolve("train.svm"));
        final String files = "--data=" + dir.resolve("train.svm");
        load(null, files, "--alpha=0.7");
        assertThat(train.job.table().function()).isEqualTo("ftrl/1 alpha=0.7 beta=0.02 l1=0.001 l2=0.0");
        load(null, files, "--function=sgd", "--clip=2");
        assertThat(train.job.table().function()).isEqualTo("sgd/1 rate=0.1 clip=2.0");
        load(null, files, "--model=fm", "--function=adam/1 rate=0.01", "--initial-deviation=0.3");
        assertThat(train.job.table().function()).isEqualTo("adam/1 rate=0.01");
        assertThat(train.job.table().initialiserScale()).isEqualTo(0.3f);
    }

    private void load(final Path test, final String... options)
    {
        train = parse(options);
        data = TrainingData.load(train.job, test, List.of());
    }

    private static TrainCommand parse(final String... options)
    {
        final TrainCommand command = new TrainCommand();
        new CommandLine(command).parseArgs(options);
        return command;
    }

    private double loss()
    {
        return lossOf(train.job.model.spec(), train.job.table().function());
    }

    private double lossWith(final String function, final double initialDeviation)
    {
        final ModelSpec spec = train.job.model.spec();
        return lossOf(new ModelSpec(spec.kind(), spec.dim(), spec.loss(), spec.mean(), spec.decay(), initialDeviation),
            function);
    }

    private double lossOf(final ModelSpec spec, final String function)
    {
        final Examples examples = train.job.trainingPart(train.job.data.read(train.job.rule()));
        return new LoopTraining(spec, function, data.features(), 5).train(examples, train.job.batch, PASSES)
            .measure(data.test()).get(data.baseRate().metric());
    }

    /** y follows from a and b. */
    private static List<String> numbers(final int begin, final int end, final double unit)
    {
        final List<String> lines = new ArrayList<>(List.of("y,a,b"));
        for (int i = begin; i < end; i++)
        {
            final double a = Math.sin(i * 12.9898) * 2;
            final double b = Math.cos(i * 78.233) * 2;
            lines.add(unit * (5 + 2 * a - b + 0.3 * Math.sin(i * 3.7)) + "," + a + "," + b);
        }
        return lines;
    }

    private static void write(final Examples examples, final Path file) throws IOException
    {
        final List<String> lines = new ArrayList<>();
        for (int example = 0; example < examples.size(); example++)
        {
            final StringBuilder line = new StringBuilder().append(examples.target(example));
            for (int entry = examples.firstEntry(example); entry < examples.endEntry(example); entry++)
            {
                line.append(' ').append(examples.feature(entry)).append(':').append(examples.value(entry));
            }
            lines.add(line.toString());
        }
        Files.write(file, lines);
    }

    private static Path real(final String name)
    {
        final String named = System.getProperty("gradstream.test.data", System.getenv("GRADSTREAM_TEST_DATA"));
        Path above = Path.of("").toAbsolutePath();
        while (null == named && null != above && !Files.isDirectory(above.resolve("shared/data")))
        {
            above = above.getParent();
        }
        final Path file = null != named ? Path.of(named, name) :
            null == above ? Path.of(name) : above.resolve("shared/data").resolve(name);
        Assumptions.assumeTrue(Files.isRegularFile(file), () -> "SKIPPED: needs " + name);
        return file;
    }
}
