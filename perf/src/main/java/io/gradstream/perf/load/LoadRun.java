// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.aeron.Aeron;
import io.gradstream.driver.HostDriver;
import io.gradstream.perf.load.LoadReport.SizeResult;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One run: at each size raw Aeron and Gradstream, in turns, on the same driver of this process.
 */
final class LoadRun
{
    private final LoadSettings settings;

    LoadRun(final LoadSettings settings)
    {
        this.settings = settings;
    }

    /**
     * Measure everything.
     *
     * @throws IllegalStateException if something did not come to its end in time.
     */
    List<SizeResult> run() throws IOException
    {
        final List<SizeResult> results = new ArrayList<>();
        final HostDriver.Context host = new HostDriver.Context()
            .profile(settings.cluster().profile())
            .mtuLength(settings.cluster().mtu())
            .termLength(GradstreamRig.TERM_LENGTH);
        try (HostDriver driver = HostDriver.launch(host);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            for (final int size : settings.sizes())
            {
                try (SizeRun run = new SizeRun(settings, aeron, size))
                {
                    results.add(run.run());
                }
            }
        }

        return results;
    }
}
