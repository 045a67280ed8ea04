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
 * to stop. With a file, what is measured is the file: the metric told is that of the model kept. Used by one thread at
 * a time.
 */
final class Evaluator implements AutoCloseable
{
    private static final long SAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Behind training nobody waits, and there is no later one. */
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
     * What an evaluation said.
     *
     * @param batches that all workers had pushed when it began.
     * @param values  by the name of the metric; the first one is what models are compared by.
     * @param isBest  is the model better than at each earlier evaluation, by however little?
     * @param isStop  is it time to stop?
     */
    record Outcome(long batches, Map<String, Double> values, boolean isBest, boolean isStop)
    {
    }

    /**
     * Nothing is evaluated yet.
     *
     * @param isClocked do workers end iterations?
     * @param metadata  what is said of the model in its file.
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
     * @throws IOException      if it cannot be written.
     * @throws RuntimeException if servers do not answer in time.
     */
    Outcome evaluate(final long batches) throws IOException
    {
        try
        {
            return null == options.save ? judged(batches, measure(client().rows(table))) : evaluateFile(batches);
        }
        catch (final IOException | RuntimeException ex)
        {
            // the next one begins with a new connection, whatever this one was waiting for
            close();
            throw ex;
        }
    }

    /**
     * Write the last model, where none was evaluated. A file that is there by now is another's.
     *
     * @throws IOException if it cannot be written.
     */
    void saveLast() throws IOException
    {
        client().save(options.save, false, isClocked, LAST_SAVE_TIMEOUT_NS, metadata);
        isSaved = true;
    }

    /** Metrics of rows on the test set, by name, the one that models are compared by first. */
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

    /** Why some of the metrics measured last have no value, by name. */
    Map<String, String> undefined()
    {
        return undefined;
    }

    /** The best value so far. */
    double best()
    {
        return kept.best();
    }

    /** Name of what models are compared by. */
    String judgedBy()
    {
        return Metrics.shortName(judge);
    }

    /** Batches when the best model was evaluated. */
    long bestBatches()
    {
        return bestBatches;
    }

    /** Is there a file with a model? */
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
            candidate = TemporaryModel.beside(options.save);
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

    /** Only what this run wrote is replaced. */
    private void keep() throws IOException
    {
        if (isSaved)
        {
            Files.move(candidate.file(), options.save, StandardCopyOption.REPLACE_EXISTING);
        }
        else
        {
            Files.move(candidate.file(), options.save);
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
