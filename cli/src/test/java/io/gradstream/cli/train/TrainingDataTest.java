// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.training.Examples;
import io.gradstream.training.read.DataStatistics;
import io.gradstream.training.MalformedDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class TrainingDataTest
{
    private static final int SIZE = 1000;

    @TempDir
    private Path dir;

    @Test
    void shouldHoldOutAPartThatNoWorkerTrainsOn() throws IOException
    {
        final TrainCommand train = parse("--data", write("data.txt", SIZE, 2).toString(), "--seed", "7");
        final TrainingData data = TrainingData.load(train.job, null, List.of());
        final JobOptions worker = new JobOptions();
        new CommandLine(worker).parseArgs(train.job.arguments().toArray(new String[0]));
        int trained = 0;
        for (int slot = 0; slot < worker.workers; slot++)
        {
            final Examples shard = worker.shard(slot);
            trained += shard.size();
            assertThat(features(shard)).doesNotContainAnyElementsOf(features(data.test()));
        }

        assertThat(data.test().size()).isBetween(SIZE / 20, SIZE / 5);
        assertThat(data.examples()).isEqualTo(trained).isEqualTo(SIZE - data.test().size());
        assertThat(data.notes()).containsExactly("no --test: " + data.test().size() +
            " of 1000 examples are held out for it (--hold-out 0.1, --seed 7)");
    }

    @Test
    void shouldHoldOutNothingWhereATestFileIsNamed() throws IOException
    {
        final TrainCommand train = parse("--data", write("data.txt", SIZE, 2).toString());
        final TrainingData data = TrainingData.load(train.job, write("test.txt", 10, 2), List.of());

        assertThat(data.examples()).isEqualTo(SIZE);
        assertThat(data.test().size()).isEqualTo(10);
        assertThat(data.notes()).isEmpty();
    }

    @Test
    void shouldWarnWhenAllLabelsAreEqual() throws IOException
    {
        final TrainCommand train = parse("--data", write("data.txt", SIZE, 1).toString());

        assertThat(TrainingData.load(train.job, write("test.txt", 10, 2), List.of()).notes())
            .singleElement().asString().contains("all training examples have the same label");
    }

    @Test
    void shouldWarnWhenTheTestFileIsTrainingDataUnderAnyName() throws IOException
    {
        final Path data = write("data.txt", SIZE, 2);
        final Path other = write("other.txt", 10, 2);
        final Path copy = Files.copy(data, dir.resolve("copy.txt"));
        final TrainCommand train = parse("--data", other + "," + data);

        assertThat(TrainingData.load(train.job, copy, List.of()).notes())
            .singleElement().asString().contains("copy.txt is also training data");
    }

    @Test
    void shouldRefuseToHoldOutNothingOfWhatHasNoTest() throws IOException
    {
        final TrainCommand train = parse("--data", write("data.txt", SIZE, 2).toString(), "--hold-out", "0");

        assertThatThrownBy(() -> TrainingData.load(train.job, null, List.of()))
            .isInstanceOf(UsageException.class)
            .hasMessageContaining("name a test file, or hold out more");
    }

    @Test
    void shouldReadTheTestByNameOfColumnsWhereverTheyAre() throws IOException
    {
        final Path data = Files.writeString(dir.resolve("tr.csv"), "y,a,b\n" + "1,9,1\n0,1,9\n".repeat(30));
        final Path test = Files.writeString(dir.resolve("te.csv"), "y,b,a\n" + "1,1,9\n0,9,1\n".repeat(5));
        final TrainCommand train =
            parse("--data", data.toString(), "--format=csv", "--label=y", "--number-columns=a,b");

        final Examples read = TrainingData.load(train.job, test, List.of()).test();

        final Examples trained = train.job.shard(0);
        for (int entry = 0; entry < read.endEntry(0); entry++)
        {
            assertThat(read.feature(entry)).isEqualTo(trained.feature(entry));
            assertThat(read.value(entry)).isEqualTo(trained.value(entry));
        }
        assertThat(read.target(0)).isEqualTo(trained.target(0));
    }

    @Test
    void shouldRefuseATestOfOtherColumns() throws IOException
    {
        final Path data = Files.writeString(dir.resolve("tr.csv"), "y,a,b\n" + "1,9,1\n0,1,9\n".repeat(30));
        final Path test = Files.writeString(dir.resolve("te.csv"), "y,a,c\n1,1,9\n");
        final TrainCommand train =
            parse("--data", data.toString(), "--format=csv", "--label=y", "--number-columns=a,b");

        assertThatThrownBy(() -> TrainingData.load(train.job, test, List.of()))
            .isInstanceOf(MalformedDataException.class).hasMessageContaining("absent 'b'; unknown 'c'");
    }

    @Test
    void shouldRefuseToCompareModelsByAMetricThatTheTestSetDoesNotDefine() throws IOException
    {
        final TrainCommand train = parse("--data", write("data.txt", SIZE, 2).toString(), "--evaluate=9",
            "--early-stopping=1", "--metric=auc");
        final TrainingData data = TrainingData.load(train.job, write("test.txt", 10, 1), List.of());

        assertThat(data.notes()).singleElement().asString()
            .isEqualTo("warning: all 10 test examples have the same label, so the test says little of the model, and" +
            " its AUC is not defined");
        assertThatThrownBy(() -> train.evaluation.checkDefined(train.job.model.spec(), data.test()))
            .isInstanceOf(UsageException.class)
            .hasMessageContaining("--metric auc is not defined on the test set: all 10 labels are ");
        train.evaluation.metric = "logloss";
        train.evaluation.checkDefined(train.job.model.spec(), data.test());
        final TrainingData both = TrainingData.load(train.job, write("both.txt", 10, 2), List.of());
        train.evaluation.metric = "auc";
        train.evaluation.checkDefined(train.job.model.spec(), both.test());
    }

    @Test
    void shouldSayWhatTheBaseRateIs() throws IOException
    {
        final TrainCommand train = parse("--data", write("data.txt", SIZE, 2).toString());
        final TrainingData data = TrainingData.load(train.job, write("test.txt", SIZE, 2), List.of());

        assertThat(data.baseRate().metric()).isEqualTo("log-loss");
        assertThat(data.baseRate().loss()).isPositive().isLessThanOrEqualTo(Math.log(2) + 1e-9);
        final TrainCommand generated = parse("--examples=200000");
        assertThat(TrainingData.load(generated.job, null, List.of()).baseRate().loss()).isBetween(0.5, 0.65);
    }

    @Test
    void shouldSayOfGeneratedDataWhatIsTrainedOn()
    {
        final JobOptions few = parse("--examples=5000").job;
        final Examples all = few.clickLog().train(0, 1);
        final DataStatistics ofFew = TrainingData.load(few, null, List.of()).statistics();

        assertThat(ofFew).isEqualTo(DataStatistics.of(all, List.of(), 1, 2));
        assertThat(ofFew.examples()).isEqualTo(5000);

        final DataStatistics ofMany = TrainingData.load(parse("--examples=250001").job, null, List.of()).statistics();
        assertThat(ofMany.examples()).isEqualTo(250_001);
        assertThat(ofMany.classes().get(0) + ofMany.classes().get(1)).isEqualTo(250_001);
        assertThat(ofMany.classes().get(1) / 250_001.0).isCloseTo(ofMany.meanLabel(), within(1e-3));
        assertThat(ofMany.entries() / 250_001.0).isCloseTo(ofFew.entries() / 5000.0, within(0.5));
    }

    private static TrainCommand parse(final String... args)
    {
        final TrainCommand train = new TrainCommand();
        new CommandLine(train).parseArgs(args);
        train.validate();
        return train;
    }

    private Path write(final String name, final int examples, final int labels) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < examples; i++)
        {
            text.append(i % labels).append(' ').append(i + 1).append(":1\n");
        }
        return Files.writeString(dir.resolve(name), text);
    }

    private static List<Integer> features(final Examples examples)
    {
        return java.util.stream.IntStream.range(0, examples.size())
            .mapToObj((example) -> examples.feature(examples.firstEntry(example)))
            .toList();
    }
}
