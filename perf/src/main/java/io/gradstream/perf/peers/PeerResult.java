/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.perf.peers;

import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.peers.PeersSettings.PeerCase;

/**
 * What one peer did in one measure, at one size and depth.
 *
 * @param peer               its name.
 * @param measure            push or pull.
 * @param size               bytes of a transfer.
 * @param depth              transfers outstanding.
 * @param p50Us              each window's median latency in microseconds, NaN where none was taken.
 * @param megabytesPerSecond payload in millions of bytes, NaN where the peer did not run.
 * @param origin             where the figures are from: only measured ones may be compared with others of the run.
 * @param note               what a reader has to know, or empty.
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
    /**
     * Where figures are from.
     */
    public enum Origin
    {
        /** This run. */
        MEASURED,
        /** An earlier one elsewhere: to look at, never to compare with. */
        QUOTED,
        /** Nowhere: the peer cannot run here, the note says why. */
        SKIPPED
    }

    static final Summary NONE = Summary.of(Double.NaN);

    /** Is it a figure of this run? */
    public boolean isMeasured()
    {
        return Origin.MEASURED == origin;
    }

    static PeerResult skipped(final String peer, final PeerCase of, final String why)
    {
        return new PeerResult(peer, of.measure(), of.size(), of.depth(), NONE, NONE, Origin.SKIPPED, why);
    }
}
