// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.perf.measure.Summary;
import io.gradstream.benchmarks.PeersSettings.PeerCase;

/**
 * The result of one peer in one measure, at one size and depth.
 *
 * @param peer               its name.
 * @param measure            push or pull.
 * @param size               bytes of a transfer.
 * @param depth              transfers outstanding.
 * @param p50Us              each window's median latency in microseconds, NaN where none was taken.
 * @param megabytesPerSecond payload in millions of bytes, NaN where the peer did not run.
 * @param origin             of the figures: only measured ones may be compared with others of the run.
 * @param note               for the reader, or empty.
 */
public record PeerResult(
    String peer,
    PeerMeasure measure,
    int size,
    int depth,
    Summary p50Us,
    Summary megabytesPerSecond,
    Origin origin,
    String note)
{
    /** The origin of figures. */
    public enum Origin
    {
        /** This run. */
        MEASURED,
        /** An earlier run elsewhere: to look at, never to compare with. */
        QUOTED,
        /** There are no figures: the peer cannot run here, and the note says why. */
        SKIPPED
    }

    static final Summary NONE = Summary.of(Double.NaN);

    /** True if the figures are of this run. */
    public boolean isMeasured()
    {
        return Origin.MEASURED == origin;
    }

    static PeerResult skipped(final String peer, final PeerCase of, final String why)
    {
        return new PeerResult(peer, of.measure(), of.size(), of.depth(), NONE, NONE, Origin.SKIPPED, why);
    }
}
