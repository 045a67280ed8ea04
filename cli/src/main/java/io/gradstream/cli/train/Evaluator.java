// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.gradstream.cli.model.TemporaryModel;
import io.gradstream.cli.predict.ModelFileRows;
import io.gradstream.codecs.TableSpec;
import io.gradstream.training.Examples;
import io.gradstream.training.Model;
import io.gradstream.training.model.RowSource;
import io.gradstream.training.model.Scoring;
import io.gradstream.training.metric.EarlyStopping;
import io.gradstream.training.metric.EarlyStopping.Verdict;
import io.gradstream.training.metric.Metric;
import io.gradstream.training.metric.Metrics;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.model.ModelFile;

/**
 * Measures the model on the test set, as it is on the servers, keeps the best one in a file, and says when it is time
 * to stop. If there is a file, the file is measured, so that the reported metric is that of the saved model. Used by
 * one thread at a time.
 */
final class Evaluator implements AutoCloseable
{
    private static final long SAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Longer than during training: after it, no work waits for the save, and no later save follows. */
    private static final long LAST_SAVE_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(10);

    private final EvaluationOptions options;
    private final ModelSpec spec;
    private final TableSpec table;
    private final Examples test;
    private final boolean isClocked;
    private final String metadata;
    private final Supplier<AuditClient> connect;
    private final Metric judge;
    private final EarlyStopping rule;
    private final EarlyStopping kept;
    private AuditClient client;
    private Model model;
    private TemporaryModel candidate;
    private long bestBatches;
    private boolean isSaved;
    private Map<String, String> undefined = Map.of();

    /**
     * The outcome of an evaluation.
     *
     * @param batches that all workers had pushed when the evaluation began.
     * @param values  by the name of the metric; models are compared by the first one.
     * @param isBest  true if the model is better than at each earlier evaluation, by however little.
     * @param isStop  true if it is time to stop.
     */
    record Outcome(long batches, Map<String, Double> values, boolean isBest, boolean isStop)
    {
    }

    /**
     * An evaluator that has evaluated nothing yet.
     *
     * @param isClocked true if workers end iterations.
     * @param metadata  of the model, in its file.
     * @param connect   makes an observer; called by the thread that evaluates.
     */
    Evaluator(
        final EvaluationOptions options,
        final ModelSpec spec,
        final TableSpec table,
        final Examples test,
        final boolean isClocked,
        final String metadata,
        final Supplier<AuditClient> connect)
    {
        this.options = options;
        this.spec = spec;
        this.table = table;
        this.test = test;
        this.isClocked = isClocked;
        this.metadata = metadata;
        this.connect = connect;
        judge = options.judge(spec);
        rule = options.rule(judge.isHigherBetter());
        kept = new EarlyStopping(Integer.MAX_VALUE, 0, judge.isHigherBetter());
    }

    /**
     * Evaluate the model as it is now.
     *
     * @throws IOException      if the model cannot be written.
     * @throws RuntimeException if servers do not answer in time.
     */
    Outcome evaluate(final long batches) throws IOException
    {
        try
        {
            return null == options.out ? judged(batches, measure(client().rows(table))) : evaluateFile(batches);
        }
        catch (final IOException | RuntimeException ex)
        {
            // the next evaluation begins with a new connection, whatever this one was waiting for
            close();
            throw ex;
        }
    }

    /**
     * Write the last model, if none was evaluated. A file that exists by now is not this run's, and is not replaced.
     *
     * @throws IOException if the model cannot be written.
     */
    void saveLast() throws IOException
    {
        client().save(options.out, false, isClocked, LAST_SAVE_TIMEOUT_NS, metadata);
        isSaved = true;
    }

    /** Metrics of rows on the test set, by name; the metric by which models are compared comes first. */
    Map<String, Double> measure(final RowSource rows)
    {
        if (null == model)
        {
            model = spec.of(test);
        }
        final List<Metric> metrics = spec.metrics();
        new Scoring(model, test.size()).forEach(rows, (example, scores, at) ->
            metrics.forEach((metric) -> metric.add(scores, at, model.scoreCount(), test.target(example))));
        final Map<String, Double> values = new LinkedHashMap<>();
        values.put(judge.name(), Double.NaN);
        metrics.forEach((metric) -> values.put(metric.name(), metric.value()));
        undefined = metrics.stream().filter((metric) -> null != metric.undefined())
            .collect(Collectors.toMap(Metric::name, Metric::undefined));
        return values;
    }

    /** Reasons why some of the metrics measured last have no value, by name. */
    Map<String, String> undefined()
    {
        return undefined;
    }

    /** The best value so far. */
    double best()
    {
        return kept.best();
    }

    /** Name of the metric by which models are compared. */
    String judgedBy()
    {
        return Metrics.shortName(judge);
    }

    /** Batches when the best model was evaluated. */
    long bestBatches()
    {
        return bestBatches;
    }

    /** True if there is a file with a model. */
    boolean isSaved()
    {
        return isSaved;
    }

    @Override
    public void close()
    {
        if (null != client)
        {
            client.close();
            client = null;
        }
        if (null != candidate)
        {
            candidate.close();
            candidate = null;
        }
    }

    private Outcome evaluateFile(final long batches) throws IOException
    {
        if (null == candidate)
        {
            candidate = TemporaryModel.beside(options.out);
        }
        client().save(candidate.file(), true, isClocked, SAVE_TIMEOUT_NS, metadata);
        final Map<String, Double> values;
        try (ModelFile file = ModelFile.open(candidate.file()))
        {
            values = measure(new ModelFileRows(file, file.tables().get(0)));
        }
        final Outcome outcome = judged(batches, values);
        if (outcome.isBest())
        {
            keep();
        }
        return outcome;
    }

    /** Keep the model that was just evaluated. Only a file that this run wrote is replaced. */
    private void keep() throws IOException
    {
        if (isSaved)
        {
            Files.move(candidate.file(), options.out, StandardCopyOption.REPLACE_EXISTING);
        }
        else
        {
            Files.move(candidate.file(), options.out);
        }
        isSaved = true;
    }

    private Outcome judged(final long batches, final Map<String, Double> values)
    {
        final double value = values.get(judge.name());
        final boolean isBest = Verdict.IMPROVED == kept.onValue(value);
        bestBatches = isBest ? batches : bestBatches;
        return new Outcome(batches, values, isBest, Verdict.STOP == rule.onValue(value));
    }

    private AuditClient client()
    {
        if (null == client)
        {
            client = connect.get();
        }
        return client;
    }
}
