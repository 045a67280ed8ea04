// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.gradstream.cli.options.DataFiles;
import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Evaluation;
import io.gradstream.training.Examples;
import io.gradstream.training.HoldOut;
import io.gradstream.training.model.BaseRate;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.training.read.DataScale;
import io.gradstream.training.read.DataStatistics;

/**
 * The data as far as the launching process must know them: checked for use, with their size and the test set.
 *
 * @param name     for the summary.
 * @param examples number of training examples.
 * @param features number of features of training and test set together.
 * @param test     set.
 * @param trueAuc  AUC of the model that generated data were drawn from, or NaN for real data.
 * @param baseRate loss on the test set of a model that knows the training labels alone.
 * @param notes    on the data, which a user should know before believing the result; one sentence each.
 */
record TrainingData(
    String name, int examples, int features, Examples test, double trueAuc, BaseRate baseRate, List<String> notes,
    long read, DataStatistics statistics)
{
    /** Share that {@code train} holds out of --data if no test file is named. */
    static final double HELD_OUT_SHARE = 0.1;
    /** Root mean square of a feature's values above which the user is warned. */
    private static final double LARGE_RMS = 100;
    /** Most generated examples whose labels this process looks at. */
    private static final int MAX_GENERATED = 100_000;

    /**
     * Read the files, or generate the test set. If there are files and none of them is for the test, the job holds out
     * a share from here on.
     *
     * @param job        that the data are for; options that its model leaves to the data are set from them.
     * @param testFile   or null.
     * @param testLabels of the test file, if its format has a file for them.
     * @return the data.
     * @throws UsageException                                       if there are too few data, or they do not suit the
     *                                                              model.
     * @throws io.gradstream.training.MalformedDataException if a file cannot be used.
     */
    static TrainingData load(final JobOptions job, final Path testFile, final List<Path> testLabels)
    {
        final TrainingData data = job.data.isGenerated() ? generate(job) : read(job, testFile, testLabels);
        UsageException.refuseIf(data.examples() < job.workers,
            "invalid --workers=" + job.workers + ": there are only " + data.examples() +
                " training examples");

        return data;
    }

    private static TrainingData read(final JobOptions job, final Path testFile, final List<Path> testLabels)
    {
        if (null == testFile && null == job.data.holdOut)
        {
            job.data.holdOut = HELD_OUT_SHARE;
        }
        final List<String> notes = new ArrayList<>();
        job.data.format.columnsOf(DataFiles.expanded(job.data.files).get(0));
        final Examples all = job.data.read(job.rule());
        final Examples train = job.trainingPart(all);
        if (job.data.format.hasLabelFiles())
        {
            job.data.format.features(train.featureCount());
        }
        final Examples test = null == testFile ? heldOut(job, all, notes) :
            job.data.format.read(List.of(testFile), testLabels, job.rule());
        final String name = job.data.files.stream().map(Path::toString).collect(Collectors.joining(","));
        UsageException.refuseIf(0 == all.entryCount(),
            "--data " + name + ": none of its " + all.size() + " examples has a feature, so" +
                " there is nothing to learn from: a line of --format libsvm is 'label index:value ...'");
        checkLabels(job, train, test);
        addNote(job.choose(train), notes);
        if (train.isOneLabel())
        {
            notes.add("warning: all training examples have the same label, so there is nothing to learn: is this" +
                " the right file?");
        }
        if (!train.isOneLabel() && test.isOneLabel())
        {
            notes.add("warning: all " + test.size() + " test examples have the same label, so the test says little of" +
                " the model" + (job.model.hasTwoClasses() ? ", and its AUC is not defined" : ""));
        }
        if (null != testFile && isAmong(testFile, job.data.files))
        {
            notes.add("warning: " + testFile + " is also training data, so the test shows what was learned by" +
                " heart: leave --test out, and a part of --data is held out");
        }
        final int features = Math.max(train.featureCount(), test.featureCount());
        return new TrainingData(name, train.size(), features, test, Double.NaN,
            BaseRate.of(job.model.spec(), train, test), notes, all.size(),
            job.data.format.statistics(train, classes(job)));
    }

    private static void addNote(final DataScale scale, final List<String> notes)
    {
        if (scale.featureRms() > LARGE_RMS)
        {
            final String max = TrainSummary.decimal(scale.featureMax(), 0);
            notes.add("warning: the values of feature " + scale.feature() + " reach " + max +
                ": training diverges with a rate that is good for smaller ones, and other features learn nothing" +
                " with a lower one; scale it (of csv and tsv: --log-scale)");
        }
    }

    private static void checkLabels(final JobOptions job, final Examples train, final Examples test)
    {
        job.model.complete(train, test);
        try
        {
            job.model.spec().of(train);
            job.model.spec().of(test);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException("--model " + job.model.kind().label() + ": " + ex.getMessage());
        }
    }

    private static Examples heldOut(final JobOptions job, final Examples all, final List<String> notes)
    {
        final Examples test = 0 == job.data.holdOut ? all.slice(0, 0) :
            new HoldOut(job.data.holdOut, job.seed).testPart(all);
        UsageException.refuseIf(0 == test.size(),
            "--data without --test, and --hold-out=" + job.data.holdOut + " of " + all.size() +
                " examples is none: name a test file, or hold out more");
        notes.add("no --test: " + test.size() + " of " + all.size() + " examples are held out for it (--hold-out " +
            job.data.holdOut + ", --seed " + job.seed + ")");

        return test;
    }

    private static boolean isAmong(final Path testFile, final List<Path> trainingFiles)
    {
        try
        {
            for (final Path test : DataFiles.expanded(List.of(testFile)))
            {
                for (final Path file : DataFiles.expanded(trainingFiles))
                {
                    // -1: not a byte differs, so a copy under another name is found too; a pipe is read already
                    if (!DataFiles.isStream(test) && -1 == Files.mismatch(file, test))
                    {
                        return true;
                    }
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UsageException("--test " + testFile + ": cannot be read: " + ex.getMessage());
        }

        return false;
    }

    private static TrainingData generate(final JobOptions job)
    {
        final ClickLog log = job.clickLog();
        final Examples test = log.test();
        job.model.complete(test, test);
        final double trueAuc = Evaluation.of(test, log::trueWeight).auc();
        // all examples are alike: of many a part has the labels of all
        final Examples train = log.train(0, (job.data.examples + MAX_GENERATED - 1) / MAX_GENERATED);
        return new TrainingData("generated", job.data.examples, job.data.features, test, trueAuc,
            BaseRate.of(job.model.spec(), train, test), List.of(), job.data.examples,
            job.data.format.statistics(train, classes(job)).ofMore(job.data.examples));
    }

    private static int classes(final JobOptions job)
    {
        final ModelSpec spec = job.model.spec();
        return ModelSpec.Kind.SOFTMAX == spec.kind() ? spec.dim() : spec.hasClasses() ? 2 : 0;
    }
}
