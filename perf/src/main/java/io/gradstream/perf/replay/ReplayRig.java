// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.archive.client.AeronArchive;
import io.aeron.logbuffer.FragmentHandler;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.HostDriver;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Summary;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.LogGeometry;
import java.util.Locale;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A partition's log in an Archive of this process, read in two ways: by Aeron alone, and as a restarted server does.
 */
final class ReplayRig implements AutoCloseable
{
    private static final double BYTES_PER_NS_TO_MB = 1_000;
    private static final int FRAGMENT_LIMIT = 64;
    private static final int RAW_STREAM_ID = 40_000;
    private static final long FLOOR_BYTES = 1L << 30;
    private static final FragmentHandler NOTHING = (buffer, offset, length, header) -> {};

    private final ReplaySettings settings;
    private final Path directory;
    private final TableSpec table;
    private HostDriver host;
    private Aeron aeron;
    private ArchiveClient client;
    private AeronArchive archive;
    private long incarnations;
    private long endPosition;
    private long stateHash;

    private ReplayRig(final ReplaySettings settings, final Path directory)
    {
        this.settings = settings;
        this.directory = directory;
        table = TableSpec.dense(0, "replay", settings.rows(), ReplaySettings.DIM, "sgd/1 rate=0.001");
    }

    /**
     * Write a log once and read it in turns by both ways, so that what else the machine does meets both alike.
     *
     * @throws IOException           if there is no room or no directory.
     * @throws IllegalStateException if the log cannot be read, or its replay gives another state.
     */
    static ReplayResult measure(final ReplaySettings settings) throws IOException
    {
        final double[] raw = new double[settings.rounds()];
        final double[] recovery = new double[settings.rounds()];
        try (ReplayRig rig = ReplayRig.start(settings))
        {
            System.err.println("writing " + (settings.bytes() >> 20) + " MiB of records");
            final long beginNs = System.nanoTime();
            final long bytes = rig.write();
            final double written = megabytesPerSecond(bytes, System.nanoTime() - beginNs);
            // The first is for the compiler and the page cache.
            rig.replayRaw();
            rig.recover();
            for (int i = 0; i < settings.rounds(); i++)
            {
                raw[i] = megabytesPerSecond(bytes, rig.replayRaw());
                recovery[i] = megabytesPerSecond(bytes, rig.recover());
                System.err.printf(Locale.ROOT, "[%d/%d] raw %.0f MB/s, replay, verify, apply %.0f MB/s%n",
                    i + 1, settings.rounds(), raw[i], recovery[i]);
            }

            return new ReplayResult(
                bytes, written, Summary.of(raw), Summary.of(recovery), ReplayResult.ratios(recovery, raw));
        }
    }

    /**
     * Start driver, Archive and the client of both.
     *
     * @throws IOException if there is no room or no directory.
     */
    private static ReplayRig start(final ReplaySettings settings) throws IOException
    {
        checkSpace(settings);
        final ReplayRig rig = new ReplayRig(settings, Files.createTempDirectory(settings.directory(), "perf-"));
        try
        {
            rig.start();
            return rig;
        }
        catch (final RuntimeException ex)
        {
            rig.close();
            throw ex;
        }
    }

    long write()
    {
        try (AloneReplica replica = newReplica())
        {
            replica.startEpoch();
            replica.createTable(table);
            final DenseParts part = new DenseParts(table);
            while (replica.position() < settings.bytes())
            {
                part.next();
                replica.push(part);
            }
            replica.awaitRecorded();
            stateHash = replica.stateHash();
            endPosition = replica.position();
        }

        return endPosition;
    }

    /**
     * Let the Archive replay the log to a handler that does nothing, and take the nanoseconds.
     */
    long replayRaw()
    {
        final long recordingId = archive.findLastMatchingRecording(
            0, "alias=" + LogGeometry.logAlias(AloneReplica.JOB, AloneReplica.PARTITION),
            LogGeometry.logStreamId(AloneReplica.PARTITION), lastSessionId());
        final IdleStrategy idleStrategy = settings.profile().newIdleStrategy();
        final long beginNs = System.nanoTime();
        try (Subscription subscription = archive.replay(
            recordingId, 0, endPosition, "aeron:ipc?alias=perf-replay", RAW_STREAM_ID))
        {
            Image image = null;
            while (null == image || image.position() < endPosition)
            {
                image = null == image && subscription.imageCount() > 0 ? subscription.imageAtIndex(0) : image;
                idleStrategy.idle(null == image ? 0 : image.poll(NOTHING, FRAGMENT_LIMIT));
                checkRaw(image, beginNs);
            }

            return System.nanoTime() - beginNs;
        }
    }

    /**
     * Climb the ladder to the end of the log: each record is verified and applied to rows that are made anew.
     *
     * @return duration in nanoseconds.
     * @throws IllegalStateException if the state differs from that of the writer.
     */
    long recover()
    {
        try (AloneReplica replica = newReplica())
        {
            final long beginNs = System.nanoTime();
            replica.recover();
            final long durationNs = System.nanoTime() - beginNs;
            if (replica.position() != endPosition || replica.stateHash() != stateHash)
            {
                throw new IllegalStateException("replayed to position=" + replica.position() + " stateHash=" +
                    replica.stateHash() + ", written were position=" + endPosition + " stateHash=" + stateHash);
            }

            return durationNs;
        }
    }

    @Override
    public void close()
    {
        try
        {
            CloseHelper.closeAll(archive, client, aeron, host);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    private void start()
    {
        host = HostDriver.launch(new HostDriver.Context()
            .archiveDirectory(directory.resolve("archive"))
            .profile(settings.profile()));
        aeron = Aeron.connect(host.aeronContext().useConductorAgentInvoker(true).errorHandler(ReplayRig::onError));
        client = new ArchiveClient(aeron, host::archiveContext, ReplayRig::onError);
        archive = AeronArchive.connect(host.archiveContext());
    }

    private AloneReplica newReplica()
    {
        return new AloneReplica(client, ++incarnations, settings.rows(), settings.profile().newIdleStrategy());
    }

    private int lastSessionId()
    {
        final int[] sessionId = new int[1];
        archive.listRecordingsForUri(
            0, Integer.MAX_VALUE, "alias=" + LogGeometry.logAlias(AloneReplica.JOB, AloneReplica.PARTITION),
            LogGeometry.logStreamId(AloneReplica.PARTITION),
            (controlSessionId, correlationId, recordingId, startTimestamp, stopTimestamp, startPosition, stopPosition,
            initialTermId, segmentFileLength, termBufferLength, mtuLength, session, streamId, strippedChannel,
            originalChannel, sourceIdentity) -> sessionId[0] = session);

        return sessionId[0];
    }

    private static void checkRaw(final Image image, final long beginNs)
    {
        if (Thread.interrupted())
        {
            throw new InterruptedRunException();
        }
        if (null != image && image.isClosed() || System.nanoTime() - beginNs > AloneReplica.STEP_TIMEOUT_NS)
        {
            throw new IllegalStateException("the raw replay broke off or makes no progress");
        }
    }

    private static void checkSpace(final ReplaySettings settings) throws IOException
    {
        final long usableBytes = Files.getFileStore(settings.directory()).getUsableSpace();
        if (usableBytes < FLOOR_BYTES + settings.bytes())
        {
            throw new IllegalStateException("not enough room in " + settings.directory() + ": it has " +
                (usableBytes >> 20) + " MiB; lower --bytes or choose another --dir");
        }
    }

    private static void onError(final Throwable error)
    {
        System.err.println("perf: " + error);
    }

    private static double megabytesPerSecond(final long bytes, final long durationNs)
    {
        return bytes * BYTES_PER_NS_TO_MB / durationNs;
    }
}
