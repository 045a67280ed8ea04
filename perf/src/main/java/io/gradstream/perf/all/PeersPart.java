// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.all;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.peers.PeerMeasure;
import io.gradstream.perf.peers.PeerResult;
import io.gradstream.perf.peers.PeersRun;
import io.gradstream.perf.peers.PeersSettings;
import io.gradstream.perf.report.Part;
import io.gradstream.perf.report.Peers;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.perf.report.Work;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Peers as a part of {@code perf all}. It has no lines of its own: the best peer is added to the lines of other parts.
 */
final class PeersPart implements Part
{
    private static final List<Integer> SIZES = List.of(4096, 65_536, 1_048_576);
    private static final int WINDOWS = 5;
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long MAX_WARM_UP_NS = TimeUnit.SECONDS.toNanos(4);

    private final DriverProfile profile;
    private final Peers peers;

    /**
     * The part before its measurement.
     *
     * @param peers to which each measured peer is added.
     */
    PeersPart(final DriverProfile profile, final Peers peers)
    {
        this.profile = profile;
        this.peers = peers;
    }

    @Override
    public String name()
    {
        return "peers";
    }

    @Override
    public String title()
    {
        return "other systems at the work of a push and a pull";
    }

    @Override
    public List<String> targets()
    {
        return List.of();
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        addTo(peers, new PeersRun(
            new PeersSettings(SIZES, WINDOWS, WINDOW_NS, MAX_WARM_UP_NS, profile, null)).run());

        return List.of();
    }

    /** Add what was measured in this run, and nothing else. */
    static void addTo(final Peers peers, final List<PeerResult> results)
    {
        for (final PeerResult result : results)
        {
            if (result.isMeasured())
            {
                final Work work = new Work(PeerMeasure.PUSH == result.measure(), result.size(), result.depth());
                peers.add(work.latency(), result.peer(), result.p50Us().median());
                peers.add(work.goodput(), result.peer(), result.megabytesPerSecond().median());
            }
        }
    }
}
