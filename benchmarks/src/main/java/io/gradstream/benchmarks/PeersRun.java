// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Summary;
import io.gradstream.benchmarks.PeersSettings.PeerCase;
import java.util.Locale;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * A run that measures peers. In each case all peers are warmed up, then measured window by window in turn, so that a
 * machine that gets slower does so for all of them.
 */
public final class PeersRun
{
    private static final long WARM_UP_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** Share of a window of warm-up that compilers may take and still be idle. */
    private static final double IDLE_SHARE = 0.02;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1_000;

    private final PeersSettings settings;

    public PeersRun(final PeersSettings settings)
    {
        this.settings = settings;
    }

    /**
     * Measure everything.
     *
     * @return for each case a line of each peer, even of a peer that cannot run here.
     * @throws IllegalStateException if a peer did not start, or something did not come to its end in time.
     */
    public List<PeerResult> run() throws IOException
    {
        final Map<Peer, PeerRig> rigs = new EnumMap<>(Peer.class);
        try
        {
            for (final Peer peer : Peer.values())
            {
                if (peer.missing().isEmpty())
                {
                    rigs.put(peer, PeerRig.start(peer, settings.profile()));
                }
            }
            final List<PeerResult> results = new ArrayList<>();
            final List<PeerCase> cases = settings.cases();
            for (int i = 0; i < cases.size(); i++)
            {
                final PeerCase next = cases.get(i);
                System.err.printf(Locale.ROOT,
                    "[%d/%d] %s: %s, depth %d%n", i + 1, cases.size(), ByteSize.text(next.size()),
                    next.measure().id(), next.depth());
                measure(next, rigs, results);
            }

            return results;
        }
        finally
        {
            CloseHelper.closeAll(rigs.values());
        }
    }

    private void measure(final PeerCase of, final Map<Peer, PeerRig> rigs, final List<PeerResult> results)
        throws IOException
    {
        final Map<Peer, Load> loads = new EnumMap<>(Peer.class);
        for (final PeerRig rig : rigs.values())
        {
            final Load load = new Load(rig, of, settings);
            load.warmUp();
            loads.put(rig.peer(), load);
        }
        for (int i = 0; i < settings.windows(); i++)
        {
            loads.values().forEach(Load::measure);
        }
        for (final Peer peer : Peer.values())
        {
            results.add(loads.containsKey(peer) ?
                loads.get(peer).result() : PeerResult.skipped(peer.title(), of, peer.missing()));
        }
        results.add(null == settings.psLite() ? PsLite.quoted(of) : new PsLite(settings).run(of));
    }

    /** One peer in one case. */
    private static final class Load
    {
        private final List<Sample> windows = new ArrayList<>();
        private final PeerRig rig;
        private final PeerCase of;
        private final PeersSettings settings;
        private final LoadLoop loop;
        private String warmth = "";

        Load(final PeerRig rig, final PeerCase of, final PeersSettings settings)
        {
            this.rig = rig;
            this.of = of;
            this.settings = settings;
            loop = new LoadLoop(new PeerTransceiver(rig.link(), of.measure(), of.size(), of.depth()),
                settings.profile().newIdleStrategy(), SystemNanoClock.INSTANCE);
        }

        /** Until the compilers of both processes have next to nothing left to do. */
        void warmUp()
        {
            final long beginNs = System.nanoTime();
            long compiledMs = rig.compiledMs();
            boolean isIdle = false;
            while (!isIdle && System.nanoTime() - beginNs < settings.maxWarmUpNs())
            {
                final long windowNs = run(WARM_UP_WINDOW_NS).elapsedNs();
                final long nowMs = rig.compiledMs();
                isIdle = (nowMs - compiledMs) * NS_PER_MS < IDLE_SHARE * windowNs;
                compiledMs = nowMs;
            }
            warmth = isIdle ? "" : "compilers not idle after " +
                TimeUnit.NANOSECONDS.toSeconds(settings.maxWarmUpNs()) + " s of warm-up";
        }

        void measure()
        {
            windows.add(run(settings.windowNs()));
        }

        PeerResult result()
        {
            final String note = rig.peer().note();
            return new PeerResult(rig.peer().title(), of.measure(), of.size(), of.depth(),
                summary((window) -> window.p50Ns() / NS_PER_US), summary(Sample::megabytesPerSecond),
                PeerResult.Origin.MEASURED, note + (note.isEmpty() || warmth.isEmpty() ? "" : "; ") + warmth);
        }

        private Sample run(final long durationNs)
        {
            rig.busy(true);
            final Sample window = loop.flatOut(of.depth(), durationNs, Long.MAX_VALUE);
            rig.busy(false);

            return window;
        }

        private Summary summary(final ToDoubleFunction<Sample> value)
        {
            return Summary.of(windows.stream().mapToDouble(value).toArray());
        }
    }
}
