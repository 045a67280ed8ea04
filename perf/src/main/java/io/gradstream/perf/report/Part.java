// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.console.Chart;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One part of {@code perf all}: measures some targets, from start to end, and leaves nothing behind.
 */
public interface Part
{
    /** The part's name in {@code --only} and in progress: short and in lower case, such as "load". */
    String name();

    /** A description of the measurement. */
    String title();

    /** Ids of the targets of the part's lines, such as "T1": these targets are not met if the part fails. */
    List<String> targets();

    /**
     * Measure, once.
     *
     * @return at least a line of each target.
     * @throws IOException           if a process or file cannot be had.
     * @throws IllegalStateException if something did not come to its end in time.
     */
    List<TargetLine> measure() throws IOException;

    /** Pictures of the measured figures by the names of their files, once there are any. */
    default Map<String, Chart> charts()
    {
        return Map.of();
    }

    /**
     * A part without pictures.
     *
     * @param measurement the work of the part, such as {@code new IdleRun(settings)::run}.
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
     * The work of a part.
     */
    interface Measurement
    {
        List<TargetLine> run() throws IOException;
    }
}
