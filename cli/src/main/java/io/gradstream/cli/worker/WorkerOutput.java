// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.gradstream.launcher.process.StatusLine;

/** Prints what a worker does: as status lines for a parent process, or as sentences for a person. */
public final class WorkerOutput
{
    static final long PERSON_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream out;
    private final boolean isForParent;
    private final LongSupplier nanoClock;
    private long lastExamples;
    private long lastNs;

    /**
     * For one process.
     *
     * @param isForParent true for status lines.
     * @param nanoClock   that bounds how often lines for a person are written.
     */
    WorkerOutput(final PrintStream out, final boolean isForParent, final LongSupplier nanoClock)
    {
        this.out = out;
        this.isForParent = isForParent;
        this.nanoClock = nanoClock;
        lastNs = nanoClock.getAsLong();
    }

    void print(final StatusLine line)
    {
        if (isForParent)
        {
            out.println(line);
        }
        else if (line.is(StatusLine.READY))
        {
            say(line, "trains on %s examples", line.text("examples"));
        }
        else if (line.is(StatusLine.PROGRESS))
        {
            progress(line);
        }
        else if (line.is(StatusLine.OUTAGE))
        {
            say(line, "partition %s is served again, in epoch %s; %s pushes were outstanding", line.text("partition"),
                line.text("epoch"), line.text("outstanding"));
        }
        else if (line.is(StatusLine.RESULT))
        {
            final String own = line.text(TrainingLoop.OWN_EXAMPLES);
            say(line, "ended: %s batches, %s examples%s in %.1f s, mean loss %s; %s pushes refused",
                line.text("batches"), line.text("examples"), own.equals(line.text("examples")) ? "" :
                " of the slot; this process has trained on " + own, Double.parseDouble(line.text("seconds")),
                loss(line), line.text("refused"));
        }
    }

    private void progress(final StatusLine line)
    {
        final long nowNs = nanoClock.getAsLong();
        final long batches = line.number("batches");
        final long planned = line.number("planned");
        if (nowNs - lastNs >= PERSON_INTERVAL_NS || batches == planned)
        {
            final long examples = line.number(TrainingLoop.OWN_EXAMPLES);
            final double seconds = Math.max(1e-3, (nowNs - lastNs) / 1e9);
            // a process that has another slot now counts anew
            final long before = examples < lastExamples ? 0 : lastExamples;
            say(line, "%s, loss %s, %.0f examples/s%s", line.has(LeasedUnits.WORK_TOTAL) ?
                batches + " batches, and " + line.number(LeasedUnits.WORK_DONE) + " of " +
                line.number(LeasedUnits.WORK_TOTAL) + " by all slots" : batches + " of " + planned + " batches",
                loss(line), (examples - before) / seconds,
                Boolean.parseBoolean(line.text("held")) ? ", held back" : "");
            lastExamples = examples;
            lastNs = nowNs;
        }
    }

    /** The loss of what this process has trained on, or a dash before it has trained on anything. */
    private static String loss(final StatusLine line)
    {
        return 0 == line.number(TrainingLoop.OWN_EXAMPLES) ? "-" :
            String.format(Locale.ROOT, "%.4f", Double.parseDouble(line.text("loss")));
    }

    private void say(final StatusLine line, final String format, final Object... values)
    {
        out.printf(Locale.ROOT, "slot %s: %s%n", line.text("slot"), String.format(Locale.ROOT, format, values));
    }
}
