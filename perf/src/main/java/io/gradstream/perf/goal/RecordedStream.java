// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.process.ChildProcess;
import io.gradstream.launcher.process.JvmCommand;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.raw.RawPingPong;
import io.gradstream.perf.report.RunOptions;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Raw Aeron as fast as the Archive of another process records it: messages of this process, and nothing else. */
final class RecordedStream implements AutoCloseable
{
    private static final int STREAM_ID = 203;
    private static final String RESPONSE_CHANNEL = "aeron:ipc?term-length=64k";
    private static final String MAX_HEAP = "256m";
    private static final long START_TIMEOUT_MS = 60_000;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final IdleStrategy idleStrategy;
    private final ChildProcess host;
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(MeasuredCluster.TRANSFER_BYTES));
    private Aeron hostAeron;
    private AeronArchive archive;
    private ExclusivePublication publication;
    private int counterId;

    private RecordedStream(final RunOptions settings, final ChildProcess host)
    {
        idleStrategy = settings.profile().newIdleStrategy();
        this.host = host;
    }

    /**
     * Start media driver and Archive in a process of their own.
     *
     * @param directory      of the Archive.
     * @param aeronDirectory of its driver, removed by the caller.
     * @throws IOException if the process cannot be started.
     */
    static RecordedStream start(
        final RunOptions settings, final ClusterPlan plan, final Path directory, final Path aeronDirectory)
        throws IOException
    {
        final RecordedStream stream = new RecordedStream(settings, ChildProcess.start("recording", JvmCommand.of(
            MAX_HEAP, directory, ClusterPlan.MAIN_CLASS, plan.serversDriver(directory, aeronDirectory))));
        try
        {
            stream.connect(aeronDirectory);
            return stream;
        }
        catch (final RuntimeException ex)
        {
            stream.close();
            throw ex;
        }
    }

    private void connect(final Path aeronDirectory)
    {
        if (!host.awaitLine(StatusLine.READY, START_TIMEOUT_MS))
        {
            InterruptedRunException.check();
            throw new IllegalStateException("the recording process did not start: see its messages above");
        }
        hostAeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(aeronDirectory.toString()));
        archive = AeronArchive.connect(new AeronArchive.Context()
            .aeron(hostAeron)
            .ownsAeronClient(false)
            .controlRequestChannel(HostDriver.ARCHIVE_CONTROL_CHANNEL)
            .controlRequestStreamId(HostDriver.ARCHIVE_CONTROL_STREAM_ID)
            .controlResponseChannel(RESPONSE_CHANNEL));
    }

    /** Record what that process publishes itself. */
    void openIpc()
    {
        open("aeron:ipc?term-length=" + MeasuredCluster.TERM_LENGTH, hostAeron, SourceLocation.LOCAL);
    }

    /**
     * Record what comes over sockets.
     *
     * @param endpoint where the recording process listens.
     * @param sender   on this process's own driver.
     */
    void openUdp(final String endpoint, final Aeron sender)
    {
        open("aeron:udp?endpoint=" + endpoint + "|mtu=" + MeasuredCluster.MTU + "|term-length=" +
            MeasuredCluster.TERM_LENGTH, sender, SourceLocation.REMOTE);
    }

    private void open(final String channel, final Aeron sender, final SourceLocation where)
    {
        CloseHelper.close(publication);
        archive.startRecording(channel, STREAM_ID, where, true);
        publication = sender.addExclusivePublication(channel, STREAM_ID);
        final CountersReader counters = hostAeron.countersReader();
        final long beginNs = System.nanoTime();
        do
        {
            idle(0, beginNs, "the recording to begin");
            counterId = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId());
        }
        while (CountersReader.NULL_COUNTER_ID == counterId || !publication.isConnected());
    }

    /** Publish for a while, or so many messages, and wait until all is recorded; a sample without latency. */
    Sample run(final long durationNs, final long maxMessages)
    {
        final long beginNs = System.nanoTime();
        long sent = 0;
        while (System.nanoTime() - beginNs < durationNs && sent < maxMessages)
        {
            final boolean isTaken = RawPingPong.isTaken(publication.offer(message));
            sent += isTaken ? 1 : 0;
            idle(isTaken ? 1 : 0, System.nanoTime(), "room");
        }
        final long endNs = System.nanoTime();
        while (hostAeron.countersReader().getCounterValue(counterId) < publication.position())
        {
            idle(0, endNs, "the Archive");
        }

        return new Sample(sent, message.capacity(), System.nanoTime() - beginNs, Double.NaN, Double.NaN);
    }

    private void idle(final int workCount, final long beginNs, final String what)
    {
        InterruptedRunException.check();
        if (System.nanoTime() - beginNs > TIMEOUT_NS)
        {
            throw new IllegalStateException("gave up waiting for " + what + " after " +
                TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s: is the recording process alive?");
        }
        idleStrategy.idle(workCount);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(publication, archive, hostAeron, host);
    }
}
