// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.aeron.Aeron;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.perf.load.Measure.Comparison;
import io.gradstream.perf.measure.Transceiver;
import io.gradstream.perf.raw.RawChannels;
import io.gradstream.perf.raw.RawPingPong;
import io.gradstream.perf.raw.RawRig;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.util.List;

/**
 * All measures at one size: raw Aeron, a server and, for its comparison, a chain live side by side and take turns.
 * <p>
 * Systems that wait for their turn idle; the cost of idling is the same for all of a comparison.
 */
final class SizeRun implements AutoCloseable
{
    private final LoadRun run;
    private final Aeron aeron;
    private final int size;
    private final int rows;
    private final InterleavedRuns interleaved;
    private final KeepAliveIdleStrategy idleStrategy;
    private RawRig raw;
    private GradstreamRig server;
    private GradstreamRig chain;

    SizeRun(final LoadRun run, final Aeron aeron, final int size)
    {
        this.run = run;
        this.aeron = aeron;
        this.size = size;
        rows = size / LoadRun.ROW_BYTES;
        interleaved = new InterleavedRuns(run, size);
        idleStrategy = new KeepAliveIdleStrategy(
            run.settings().profile().newIdleStrategy(), SystemNanoClock.INSTANCE, this::pollClients);
    }

    SizeResult run() throws IOException
    {
        raw = RawRig.start(rawChannels(), aeron);
        server = GradstreamRig.start(run, aeron, 1);
        server.connect(AckLevel.APPLIED);
        take(Comparison.ROUND_TRIP);
        take(Comparison.AT_RATE);
        take(Comparison.GOODPUT);
        if (!measures(Comparison.CHAIN).isEmpty())
        {
            takeChain();
        }
        if (!measures(Comparison.RECORDED).isEmpty())
        {
            server.connect(AckLevel.RECORDED);
            take(Comparison.RECORDED);
        }

        return interleaved.result();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(chain, server, raw);
    }

    private void takeChain() throws IOException
    {
        chain = GradstreamRig.start(run, aeron, 2);
        chain.connect(AckLevel.REPLICATED);
        // the server has not been polled while processes started
        server.connect(AckLevel.APPLIED);
        take(Comparison.CHAIN);
        if (chain.failovers() > 0)
        {
            System.err.println("perf: " + chain.failovers() + " failovers happened during the measures of the " +
                "chain: a server was silent for too long; the machine is too busy for these figures to tell " +
                "anything");
        }
        CloseHelper.close(chain);
        chain = null;
    }

    private void take(final Comparison comparison)
    {
        final List<Measure> measures = measures(comparison);
        if (!measures.isEmpty())
        {
            interleaved.take(measures.stream().map(this::interleave).toList());
        }
    }

    private List<Measure> measures(final Comparison comparison)
    {
        return run.measures().stream().filter((measure) -> comparison == measure.comparison()).sorted().toList();
    }

    private InterleavedRun interleave(final Measure measure)
    {
        return switch (measure)
        {
            case RAW_ECHO, RAW_ECHO_BESIDE_CHAIN -> flatOut(measure, 1, raw.pingPong(RawPingPong.Exchange.ECHO, size));
            case RAW_ECHO_AT_RATE -> atRate(measure, raw.pingPong(RawPingPong.Exchange.ECHO, size));
            case RAW_PUSH -> flatOut(measure, 1, raw.pingPong(RawPingPong.Exchange.PUSH, size));
            case RAW_PULL -> flatOut(measure, 1, raw.pingPong(RawPingPong.Exchange.PULL, size));
            case RAW_STREAM ->
                new InterleavedRun(measure, raw.streaming(size, idleStrategy)::run, null, pids(measure));
            case PUSH_APPLIED, PUSH_RECORDED -> flatOut(measure, 1, server.pushes(rows));
            case PUSH_AT_RATE -> atRate(measure, server.pushes(rows));
            case PUSH_DEPTH_8, PUSH_DEPTH_8_BESIDE_CHAIN ->
                flatOut(measure, Measure.DEPTH, server.pushes(rows));
            case PULL -> flatOut(measure, 1, server.pulls(rows));
            case PULL_AT_RATE -> atRate(measure, server.pulls(rows));
            case PULL_DEPTH_8 -> flatOut(measure, Measure.DEPTH, server.pulls(rows));
            case CHAIN_REPLICATED -> flatOut(measure, 1, chain.pushes(rows));
            case CHAIN_AT_RATE -> atRate(measure, chain.pushes(rows));
            case CHAIN_DEPTH_8 -> flatOut(measure, Measure.DEPTH, chain.pushes(rows));
        };
    }

    private InterleavedRun flatOut(final Measure measure, final int depth, final Transceiver transceiver)
    {
        final LoadLoop loop = loop(transceiver);
        return new InterleavedRun(
            measure, (durationNs) -> loop.flatOut(depth, durationNs, limit(measure)), loop, pids(measure));
    }

    private InterleavedRun atRate(final Measure measure, final Transceiver transceiver)
    {
        final LoadLoop loop = loop(transceiver);
        return new InterleavedRun(
            measure, (durationNs) -> loop.atRate(run.rateOf(size), durationNs, limit(measure)), loop, pids(measure));
    }

    private LoadLoop loop(final Transceiver transceiver)
    {
        return new LoadLoop(transceiver, idleStrategy, SystemNanoClock.INSTANCE);
    }

    /** Processes on the other side of a measure, whose processor time is taken. */
    private List<Long> pids(final Measure measure)
    {
        return switch (measure)
        {
            case RAW_ECHO, RAW_ECHO_AT_RATE, RAW_PUSH, RAW_PULL, RAW_STREAM, RAW_ECHO_BESIDE_CHAIN ->
                List.of(raw.echoPid());
            case CHAIN_REPLICATED, CHAIN_AT_RATE, CHAIN_DEPTH_8 -> chain.serverPids();
            default -> server.serverPids();
        };
    }

    private long limit(final Measure measure)
    {
        return measure.isRecorded() ? run.maxPushes(size) : Long.MAX_VALUE;
    }

    private void pollClients()
    {
        if (null != server)
        {
            server.poll();
        }
        if (null != chain)
        {
            chain.poll();
        }
    }

    private RawChannels rawChannels() throws IOException
    {
        final List<String> endpoints = LoopbackPorts.free(2);
        return new RawChannels(run.settings().profile(), run.mtu(),
            MeasuredCluster.TERM_LENGTH, endpoints.get(0), endpoints.get(1),
            run.isSharing() ? aeron.context().aeronDirectoryName() : RawChannels.OWN_DRIVERS);
    }
}
