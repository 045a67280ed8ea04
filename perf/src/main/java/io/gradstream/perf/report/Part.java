// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import java.io.IOException;
import java.util.List;

/**
 * One part of {@code perf all}: measures some targets, from start to end, and leaves nothing behind.
 */
public interface Part
{
    /** Short and in lower case, such as "load": what {@code --only} and progress call it. */
    String name();

    /** What it measures, in words. */
    String title();

    /** Ids of the targets that it has lines of, such as "T1": they are not met if it fails. */
    List<String> targets();

    /**
     * Measure, once.
     *
     * @return at least a line of each target.
     * @throws IOException           if a process or file cannot be had.
     * @throws IllegalStateException if something did not come to its end in time.
     */
    List<TargetLine> measure() throws IOException;

    /** Pictures of what was measured, once it was. */
    default List<Chart> charts()
    {
        return List.of();
    }

    /**
     * A part without pictures.
     *
     * @param measurement what measures it, such as {@code new IdleRun(settings)::run}.
     */
    static Part of(
        final String name, final String title, final List<String> targets, final Measurement measurement)
    {
        return new Part()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public String title()
            {
                return title;
            }

            @Override
            public List<String> targets()
            {
                return targets;
            }

            @Override
            public List<TargetLine> measure() throws IOException
            {
                return measurement.run();
            }
        };
    }

    /**
     * What a part does.
     */
    interface Measurement
    {
        List<TargetLine> run() throws IOException;
    }
}
