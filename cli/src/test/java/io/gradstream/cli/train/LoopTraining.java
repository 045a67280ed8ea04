// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.Examples;
import io.gradstream.training.Model;
import io.gradstream.training.metric.Metric;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.training.model.Scoring;

/**
 * What one worker and the servers do, in one loop: a model trained by an update function of servers, without a cluster.
 */
final class LoopTraining
{
    private final ModelSpec spec;
    private final UpdateFunction function;
    private final float[] values;
    private final float[] states;
    private final float[] row;
    private final float[] state;
    private final float[] gradient;

    LoopTraining(final ModelSpec spec, final String function, final int featureCount, final long seed)
    {
        this.spec = spec;
        this.function = UpdateFunctions.BUILT_IN.parse(function);
        values = new float[featureCount * spec.dim()];
        states = new float[values.length * this.function.statePerValue()];
        row = new float[spec.dim()];
        gradient = new float[spec.dim()];
        state = new float[spec.dim() * this.function.statePerValue()];
        if (spec.initialDeviation() > 0)
        {
            final Random random = new Random(seed);
            for (int i = 0; i < values.length; i++)
            {
                values[i] = (float)(spec.initialDeviation() * random.nextGaussian());
            }
        }
    }

    LoopTraining train(final Examples examples, final int batchSize, final int passes)
    {
        final Model model = spec.of(examples);
        final BatchSchedule schedule = new BatchSchedule(1, 0, examples.size(), batchSize);
        float[] pulled = new float[0];
        float[] pushed = new float[0];
        for (int pass = 0; pass < passes; pass++)
        {
            schedule.startPass(pass);
            for (int batch = 0; batch < schedule.batchCount(); batch++)
            {
                final int keys =
                    model.select(schedule.order(), schedule.batchOffset(batch), schedule.batchLength(batch));
                pulled = pulled.length < keys * spec.dim() ? new float[keys * spec.dim()] : pulled;
                pushed = pushed.length < keys * spec.dim() ? new float[keys * spec.dim()] : pushed;
                pull(model.keys(), keys, pulled);
                model.gradient(pulled, pushed);
                push(model.keys(), keys, pushed);
            }
        }
        return this;
    }

    /** Metrics by name. */
    Map<String, Double> measure(final Examples test)
    {
        final Model model = spec.of(test);
        final List<Metric> metrics = spec.metrics();
        new Scoring(model, test.size()).forEach(this::pull, (example, scores, at) ->
            metrics.forEach((metric) -> metric.add(scores, at, model.scoreCount(), test.target(example))));
        final Map<String, Double> all = new LinkedHashMap<>();
        metrics.forEach((metric) -> all.put(metric.name(), metric.value()));
        return all;
    }

    private void pull(final long[] keys, final int count, final float[] pulled)
    {
        for (int i = 0; i < count; i++)
        {
            System.arraycopy(values, (int)keys[i] * spec.dim(), pulled, i * spec.dim(), spec.dim());
        }
    }

    private void push(final long[] keys, final int count, final float[] pushed)
    {
        final int dim = spec.dim();
        for (int i = 0; i < count; i++)
        {
            final int key = (int)keys[i];
            System.arraycopy(values, key * dim, row, 0, dim);
            System.arraycopy(states, key * state.length, state, 0, state.length);
            System.arraycopy(pushed, i * dim, gradient, 0, dim);
            function.updateFloats(row, state, gradient, dim, 1);
            System.arraycopy(row, 0, values, key * dim, dim);
            System.arraycopy(state, 0, states, key * state.length, state.length);
        }
    }
}
