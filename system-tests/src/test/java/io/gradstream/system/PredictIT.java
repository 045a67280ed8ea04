// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Training images, with the model kept that was the best, and predicting with it.
 */
@Tag("faults")
class PredictIT
{
    private static final long TIMEOUT_SECONDS = 120;
    private static final int CLASSES = 3;
    private static final int SIDE = 6;
    private static final int LIT = 200;
    private static final int NOISE = 250;
    private static final int WRONG_EACH = 9;

    @TempDir
    private Path directory;

    @Test
    void shouldPredictAsWellAsTheBestEvaluationSaid() throws Exception
    {
        writeSet("train", 900, 1);
        writeSet("test", 200, 2);
        final Path model = directory.resolve("images.model");
        final Path log = directory.resolve("log");
        final Command train = Command.run(directory, TIMEOUT_SECONDS, "train", "--model", "softmax",
            "--format", "idx", "--data", file("train.images"), "--labels", file("train.labels"),
            "--test", file("test.images"), "--test-labels", file("test.labels"), "--staleness", "0",
            "--batch", "8", "--passes", "50", "--pace", "200", "--evaluate", "40", "--early-stopping", "3",
            "--out", model.toString(), "--log", log.toString(), "--json");

        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.text("bestMetric")).isEqualTo("accuracy");
        assertThat(train.number("bestValue")).isGreaterThan(0.6);
        assertThat(train.number("evaluations")).isGreaterThanOrEqualTo(4);
        assertThat(train.json()).contains("\"stoppedEarly\":true");
        assertThat(train.number("pushesSent")).isPositive();
        assertThat(train.number("pushesLost") + train.number("duplicatedPushes")).isZero();
        assertLog(log, train);

        final Path out = directory.resolve("predictions");
        final Command predict = Command.run(directory, TIMEOUT_SECONDS, "predict", "--model", model.toString(),
            "--format", "idx", "--data", file("test.images"), "--labels", file("test.labels"),
            "--out", out.toString());

        assertThat(predict.exitCode()).as(predict.err()).isZero();
        assertThat(predict.out()).contains(String.format("accuracy %.6f", train.number("bestValue")));
        assertThat(Files.readAllLines(out)).hasSize(200).allMatch((line) -> line.matches("[0-2],0\\.\\d+.*|[0-2],1.0"));
        try (Stream<Path> files = Files.list(directory))
        {
            assertThat(files).noneMatch((file) -> file.toString().contains("candidate"));
        }
    }

    private static void assertLog(final Path log, final Command train) throws IOException
    {
        final List<String> lines = Files.readAllLines(log.resolve("progress.jsonl"));
        assertThat(lines.get(0)).contains("\"kind\":\"BEGIN\"");
        assertThat(lines.get(lines.size() - 1)).contains("\"kind\":\"END\"");
        assertThat(lines).anyMatch((line) -> line.contains("STOPPED_EARLY"));
        assertThat(lines.stream().filter((line) -> line.contains("\"name\":\"accuracy\"")).count())
            .isEqualTo((long)train.number("evaluations"));
    }

    private String file(final String name)
    {
        return directory.resolve(name).toString();
    }

    /** A third of each image is brighter, which says its class; some labels are wrong, so that nothing gets all. */
    private void writeSet(final String name, final int count, final long seed) throws IOException
    {
        final Random random = new Random(seed);
        final ByteArrayOutputStream images = new ByteArrayOutputStream();
        final ByteArrayOutputStream labels = new ByteArrayOutputStream();
        final DataOutputStream imagesOut = new DataOutputStream(images);
        final DataOutputStream labelsOut = new DataOutputStream(labels);
        imagesOut.writeInt(0x0803);
        imagesOut.writeInt(count);
        imagesOut.writeInt(SIDE);
        imagesOut.writeInt(SIDE);
        labelsOut.writeInt(0x0801);
        labelsOut.writeInt(count);
        for (int i = 0; i < count; i++)
        {
            final int label = random.nextInt(CLASSES);
            for (int pixel = 0; pixel < SIDE * SIDE; pixel++)
            {
                final boolean isLit = pixel * CLASSES / (SIDE * SIDE) == label;
                imagesOut.writeByte(Math.min(255, random.nextInt(NOISE) + (isLit ? LIT : 0)));
            }
            labelsOut.writeByte(0 == i % WRONG_EACH ? (label + 1) % CLASSES : label);
        }
        Files.write(directory.resolve(name + ".images"), images.toByteArray());
        Files.write(directory.resolve(name + ".labels"), labels.toByteArray());
    }
}
