// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.report.Part;
import io.gradstream.perf.report.TargetLine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Training as a part of {@code perf all}: only what its target asks for, in four minutes.
 */
public final class TrainingPart implements Part
{
    private static final List<Shape> CLICKS = List.of(Shape.PLAIN, Shape.ONE_SHARED, Shape.TWO_SHARED);
    private static final List<Shape> FACTORS = List.of(Shape.FACTORS_PLAIN, Shape.FACTORS_SHARED);
    private static final int ROUNDS = 3;
    private static final int EXAMPLES = 100_000;
    private static final int FEATURES = 16_384;
    private static final int WARM_UP_SECONDS = 8;
    private static final int WINDOW_SECONDS = 5;
    /** Shorter: the worker is in this process, so that compilers begin anew in the server alone. */
    private static final int FACTORS_WARM_UP_SECONDS = 3;
    private static final int FACTORS_WINDOW_SECONDS = 3;

    private final DriverProfile profile;

    public TrainingPart(final DriverProfile profile)
    {
        this.profile = profile;
    }

    @Override
    public String name()
    {
        return "train";
    }

    @Override
    public String title()
    {
        return "training beside one plain thread";
    }

    @Override
    public List<String> targets()
    {
        return List.of("T15");
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<TargetLine> lines = new ArrayList<>(measure(CLICKS, WARM_UP_SECONDS, WINDOW_SECONDS));
        lines.addAll(measure(FACTORS, FACTORS_WARM_UP_SECONDS, FACTORS_WINDOW_SECONDS));

        return lines;
    }

    private List<TargetLine> measure(final List<Shape> shapes, final int warmUpSeconds, final int windowSeconds)
        throws IOException
    {
        final TrainingSettings settings = new TrainingSettings(ROUNDS, List.of(TrainingReport.TARGET_BATCH), EXAMPLES,
            FEATURES, warmUpSeconds, windowSeconds, profile, null);
        return new TrainingRun(settings, shapes).run().targets();
    }
}
