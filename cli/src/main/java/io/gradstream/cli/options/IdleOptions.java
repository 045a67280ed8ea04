// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses options of the command line that have no effect with the others: the user expects an effect of them.
 * Options of a property file or of a run before are for more than one command, and are not refused.
 */
public final class IdleOptions
{
    private final Set<String> given;

    /**
     * Of a command line.
     *
     * @param given names of its options.
     */
    public IdleOptions(final Set<String> given)
    {
        this.given = new TreeSet<>(given);
    }

    /** Refuse those of a job that do nothing. */
    public void check(final JobOptions job)
    {
        if (job.data.isGenerated())
        {
            DataFormatOptions.names().stream().sorted().forEach((name) ->
                refuse(true, "without --data: it says how files are read", name));
        }
        else
        {
            refuse(true, "with --data: it is for generated data", "--examples", "--features");
        }
        final String beside = job.optimizer.chosenBy(job.model.kind());
        refuse(!job.optimizer.isFtrl(job.model.kind()), "with " + beside + ": it is for --function ftrl",
            "--alpha", "--beta", "--l1", "--l2");
        refuse(!job.optimizer.isSgd(), "with " + beside + ": it is for --function sgd", "--rate");
        refuse(1 == job.localSteps, "without --local-steps: it is the rate of these", "--local-rate");
    }

    /**
     * Refuse options if they do nothing.
     *
     * @param isIdle  true if so.
     * @param reason  for people, after the name of the option.
     * @param options by name.
     */
    public void refuse(final boolean isIdle, final String reason, final String... options)
    {
        if (isIdle)
        {
            List.of(options).stream().filter(given::contains).findFirst().ifPresent((option) ->
            {
                throw new UsageException(option + " " + reason);
            });
        }
    }
}
