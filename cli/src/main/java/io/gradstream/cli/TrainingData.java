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
package io.gradstream.cli;

import java.nio.file.Path;
import java.util.stream.Collectors;

import io.gradstream.worker.training.ClickLog;
import io.gradstream.worker.training.Evaluation;
import io.gradstream.worker.training.Examples;
import io.gradstream.worker.training.LibsvmReader;

/**
 * What the launching process must know of the data: that they can be used, their size, and the test set.
 *
 * @param name     for the summary.
 * @param examples number of training examples.
 * @param features number of features of training and test set together.
 * @param test     set.
 * @param trueAuc  AUC of the model that generated data were drawn from, or NaN for real data.
 */
record TrainingData(String name, int examples, int features, Examples test, double trueAuc)
{
    /**
     * Read the files, or generate the test set.
     *
     * @throws UsageException                                             if there is too little of it.
     * @throws io.gradstream.worker.training.MalformedDataException if a file cannot be used.
     */
    static TrainingData load(final JobOptions job, final Path testFile)
    {
        final TrainingData data = job.isGenerated() ? generate(job) : read(job, testFile);
        if (data.examples() < job.workers)
        {
            throw new UsageException("invalid --workers=" + job.workers + ": there are only " + data.examples() +
                " training examples");
        }

        return data;
    }

    private static TrainingData read(final JobOptions job, final Path testFile)
    {
        final Examples train = LibsvmReader.read(job.data);
        final Examples test = LibsvmReader.read(testFile);
        final String name = job.data.stream().map(Path::toString).collect(Collectors.joining(","));
        final int features = Math.max(train.featureCount(), test.featureCount());
        return new TrainingData(name, train.size(), features, test, Double.NaN);
    }

    private static TrainingData generate(final JobOptions job)
    {
        final ClickLog log = new ClickLog(job.clickLogSpec());
        final Examples test = log.test();
        final double trueAuc = Evaluation.of(test, log::trueWeight).auc();
        return new TrainingData("generated", job.examples, job.features, test, trueAuc);
    }
}
