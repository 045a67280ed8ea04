// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What the tests of one build have simulated, in one line for whoever looks at builds; each test adds its part.
 */
final class SimulationReport
{
    private static int planted;
    private static int plantedFound;
    private static SeedRun run;

    private SimulationReport()
    {
    }

    static synchronized void onRun(final SeedRun newRun)
    {
        run = newRun;
        write();
    }

    static synchronized void onPlanted(final int all, final int found)
    {
        planted = all;
        plantedFound = found;
        write();
    }

    private static void write()
    {
        final String json = String.format(Locale.ROOT,
            "{\"seeds\":%d,\"violations\":%d,\"plantedFaults\":%d,\"plantedFaultsFound\":%d," +
            "\"seedsPerMinute\":%.0f,\"traceHash\":\"%016x\"}",
            null == run ? 0 : run.seeds(), null == run ? 0 : run.failures().size(), planted, plantedFound,
            null == run ? 0 : run.seedsPerMinute(), null == run ? 0 : run.traceHash());
        System.out.println(json);
        try
        {
            Files.createDirectories(Path.of("target"));
            Files.writeString(Path.of("target", "simulation.json"), json + System.lineSeparator());
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
