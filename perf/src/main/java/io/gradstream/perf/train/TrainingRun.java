// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.training.ClickLog;
import io.gradstream.training.Examples;
import io.gradstream.training.RatingLog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs shapes in turn, round after round, so that what the machine does meanwhile meets all of them.
 */
final class TrainingRun
{
    private final TrainingSettings settings;
    private final List<Shape> shapes;
    private Examples examples;
    private RatingLog ratings;

    TrainingRun(final TrainingSettings settings, final List<Shape> shapes)
    {
        this.settings = settings;
        this.shapes = shapes;
    }

    /**
     * Run to the end.
     *
     * @throws IOException if a process cannot be started.
     */
    TrainingReport run() throws IOException
    {
        final Map<Integer, Map<Shape, List<Pace>>> all = new LinkedHashMap<>();
        for (int round = 0; round < settings.rounds(); round++)
        {
            for (final int batch : settings.batches())
            {
                for (final Shape shape : shapes)
                {
                    final Pace pace = measure(shape, batch);
                    all.computeIfAbsent(batch, (unused) -> new EnumMap<>(Shape.class))
                        .computeIfAbsent(shape, (unused) -> new ArrayList<>()).add(pace);
                    System.err.printf(Locale.ROOT, "[round %d of %d, batch %d] %s, %s: %.0f examples/s%n",
                        round + 1, settings.rounds(), batch, shape.task().title(), shape.title(),
                        pace.examplesPerSecond());
                }
            }
        }

        return new TrainingReport(settings, all);
    }

    private Pace measure(final Shape shape, final int batch) throws IOException
    {
        return switch (shape)
        {
            case PLAIN -> PlainLoop.run(settings, examples(), batch);
            case FACTORS_PLAIN -> PlainFactors.run(settings, ratings(), batch);
            case FACTORS_SHARED -> FactorCluster.run(settings, ratings(), batch);
            default -> new ClusterLoop(settings, shape, batch).run();
        };
    }

    /** As the workers make them, all in one. */
    private Examples examples()
    {
        if (null == examples)
        {
            examples = new ClickLog(ClickLog.Spec.defaults(TrainingSettings.SEED)
                .withExamples(settings.examples()).withFeatures(settings.features())).train(0, 1);
        }

        return examples;
    }

    private RatingLog ratings()
    {
        if (null == ratings)
        {
            ratings = new RatingLog(TrainingSettings.RATINGS);
        }

        return ratings;
    }
}
