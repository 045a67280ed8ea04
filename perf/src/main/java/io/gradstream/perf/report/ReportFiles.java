// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.console.Chart;
import io.gradstream.console.ChartImage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The directory that a report is written to, in all its forms. */
public final class ReportFiles
{
    private final Path directory;

    /**
     * Make the directory, before anything is measured for it.
     *
     * @throws IllegalArgumentException if it cannot be made.
     */
    public ReportFiles(final Path directory)
    {
        this.directory = directory;
        try
        {
            Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException(
                "invalid --out=" + directory + ": must be a directory, or a place to make one (" + ex + ")", ex);
        }
    }

    /** Write all, in place of a former report. */
    public void write(final TargetReport report, final Map<String, Chart> charts) throws IOException
    {
        Files.writeString(directory.resolve("report.json"), report.json() + '\n');
        Files.writeString(directory.resolve("report.csv"), report.csv());
        Files.writeString(directory.resolve("report.md"), report.markdown());
        for (final Map.Entry<String, Chart> chart : charts.entrySet())
        {
            ChartImage.write(chart.getValue(), directory.resolve(chart.getKey() + ".png"));
        }
    }
}
