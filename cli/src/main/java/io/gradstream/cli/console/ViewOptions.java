// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.console;

import java.io.IOException;
import java.nio.file.Path;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.UsageException;
import io.gradstream.console.CurvePlot;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options of {@code train} that let a person look at the run.
 */
@OptionGroup(Heading.RESULTS)
public final class ViewOptions
{
    @Option(names = "--ui", paramLabel = "PORT", arity = "0..1", fallbackValue = "0",
        description = "Serve a page that shows the run while it lasts, and /metrics for Prometheus; its address is" +
            " printed. Without PORT, or with 0, at a free port.")
    private Integer port;

    @Advanced
    @Option(names = "--serve-after", paramLabel = "DURATION", defaultValue = "0s", converter = DurationConverter.class,
        description = "With --ui: serve the page for so long after the run. Default: ${DEFAULT-VALUE}.")
    private long holdMs;

    @Mixin
    private PageOptions page;

    @Option(names = "--plot", paramLabel = "FILE.png",
        description = "Draw loss, metrics, examples/s and push latency into this file at the end; kills are marked.")
    private Path plot;

    /** Check what was asked for before anything starts. */
    public void validate()
    {
        if (null != port)
        {
            CommonOptions.checkRange("ui", port, 0, PageOptions.MAX_PORT);
        }
        else if (0 != holdMs)
        {
            throw new UsageException("--serve-after without --ui: there is no page to hold");
        }
        else if (page.isGiven())
        {
            throw new UsageException("--bind without --ui: there is no page to serve");
        }
        if (null != plot)
        {
            try
            {
                CurvePlot.check(plot);
            }
            catch (final IOException ex)
            {
                throw new UsageException("--plot: " + ex.getMessage());
            }
            catch (final LinkageError ex)
            {
                throw new UsageException("--plot: this JDK cannot draw (" + ex + "): use one with its module" +
                    " java.desktop and what that needs, or leave the picture out");
            }
        }
    }

    /**
     * Begin to show what the user asked for; nothing if the user asked for nothing.
     *
     * @param title of the run, for readers.
     * @return a view that takes the progress of the run, and is closed after it.
     * @throws UsageException if the page's port cannot be had.
     */
    public RunUi open(final String title)
    {
        return new RunUi(title, null == port ? null : (history) -> page.serve("--ui", port, history), holdMs, plot);
    }
}
