// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.report.RunOptions;
import io.gradstream.training.Examples;
import io.gradstream.training.LocalFtrl;

/** The loop of a worker and the arithmetic of a server in one thread, with nothing between them. */
final class PlainLoop
{
    private static final double ALPHA = 1.0;
    private static final double BETA = 1.0;
    private static final double L1 = 0.001;

    private PlainLoop()
    {
    }

    /** Train whole passes for as long as the options say. */
    static TrainingRate run(
        final RunOptions settings, final int features, final Examples examples, final int batch)
    {
        final LocalFtrl model = new LocalFtrl(features, ALPHA, BETA, L1, 0);
        return new Passes((pass) -> model.train(examples, batch, 1, pass)[0])
            .measure(settings, examples.size(), Passes::threadCpuNs, () -> {});
    }
}
