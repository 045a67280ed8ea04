// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.nio.file.Path;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DataOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.training.Examples;
import io.gradstream.training.metric.EarlyStopping;
import io.gradstream.training.metric.Metric;
import io.gradstream.training.metric.Metrics;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Option;

/** Options that say when the model is evaluated, what follows from an evaluation, and where the model is saved. */
@OptionGroup(Heading.RESULTS)
final class EvaluationOptions
{
    static final long MAX_BATCHES = 1_000_000_000L;
    static final int MAX_PATIENCE = 1_000_000;

    @Option(names = "--evaluate", paramLabel = "N", defaultValue = "0",
        description = "Evaluate the model on the test set each N batches of all workers together, 0 for only at the" +
            " end. Default: ${DEFAULT-VALUE}.")
    long batches;

    @Option(names = "--metric", paramLabel = "accuracy|auc|logloss|rmse",
        description = "By which models are compared. Default: logloss for labels 0 and 1, accuracy for softmax, rmse" +
            " for numbers.")
    String metric;

    @Option(names = "--early-stopping", paramLabel = "PATIENCE[:MIN_DELTA]",
        description = "End training when PATIENCE evaluations in a row were not better than the best by more than" +
            " MIN_DELTA (0).")
    String earlyStopping;

    @Option(names = "--out", paramLabel = "FILE",
        description = "Write the model to a file that is not there yet: the best of all evaluations, or without" +
            " --evaluate the last one.")
    Path out;

    /** Refuse options that cannot be used. */
    void validate()
    {
        CommonOptions.checkRange("evaluate", batches, 0, MAX_BATCHES);
        UsageException.refuseIf(0 == batches && null != earlyStopping,
            "--early-stopping without --evaluate: say how often the model is evaluated");
        UsageException.refuseIf(0 == batches && null != metric,
            "--metric without --evaluate: say how often the model is evaluated");
        rule(true);
        if (null != out)
        {
            DataOptions.checkNew("out", out, false);
        }
    }

    /**
     * The metric by which models are compared.
     *
     * @throws UsageException if the model has no such metric.
     */
    Metric judge(final ModelSpec model)
    {
        return UsageException.refusing(() ->
            null == metric ? model.metrics().get(0) : Metrics.named(metric, model.metrics()));
    }

    /**
     * Refuse to compare models by a metric that the test set does not define.
     *
     * @throws UsageException if the metric is not defined for its labels.
     */
    void checkDefined(final ModelSpec model, final Examples test)
    {
        if (0 == batches)
        {
            return;
        }
        final Metric judge = judge(model);
        final int scoreCount = ModelSpec.Kind.SOFTMAX == model.kind() ? model.dim() : 1;
        final double[] scores = new double[scoreCount];
        for (int example = 0; example < test.size(); example++)
        {
            judge.add(scores, 0, scoreCount, test.target(example));
        }
        UsageException.refuseIf(null != judge.undefined(),
            "--metric " + Metrics.shortName(judge) + " is not defined on the test set: " +
                judge.undefined() + "; models cannot be compared by it: choose another metric, or a test set with" +
                " both labels");
    }

    /** The rule that finds the best model, and says when it is time to stop: never, without early stopping. */
    EarlyStopping rule(final boolean isHigherBetter)
    {
        if (null == earlyStopping)
        {
            return new EarlyStopping(Integer.MAX_VALUE, 0, isHigherBetter);
        }
        final String[] words = earlyStopping.split(":", -1);
        try
        {
            if (words.length <= 2)
            {
                final int patience = Integer.parseInt(words[0]);
                CommonOptions.checkRange("early-stopping patience", patience, 1, MAX_PATIENCE);
                return new EarlyStopping(
                    patience, 2 == words.length ? Double.parseDouble(words[1]) : 0, isHigherBetter);
            }
        }
        catch (final NumberFormatException ex)
        {
            throw wrong();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException("invalid --early-stopping=" + earlyStopping + ": " +
                ex.getMessage().replaceFirst("invalid minDelta=[^:]*:", "MIN_DELTA"));
        }
        throw wrong();
    }

    private UsageException wrong()
    {
        return new UsageException("invalid --early-stopping=" + earlyStopping +
            ": must be a number of evaluations, and behind a colon by how much better counts: 5 or 5:0.001");
    }
}
