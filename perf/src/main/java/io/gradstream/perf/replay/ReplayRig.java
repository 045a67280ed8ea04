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
import io.gradstream.perf.report.RunOptions;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.LogGeometry;
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
    /** Floats in a row. */
    static final int DIM = 4096;

    private static final int FRAGMENT_LIMIT = 64;
    private static final int RAW_STREAM_ID = 40_000;
    private static final FragmentHandler NOTHING = (buffer, offset, length, header) -> {};

    private final RunOptions settings;
    private final long bytes;
    private final int rows;
    private final Path directory;
    private final TableSpec table;
    private HostDriver host;
    private Aeron aeron;
    private ArchiveClient client;
    private AeronArchive archive;
    private long incarnations;
    private long endPosition;
    private long stateHash;

    private ReplayRig(final RunOptions settings, final long bytes, final int rows, final Path directory)
    {
        this.settings = settings;
        this.bytes = bytes;
        this.rows = rows;
        this.directory = directory;
        table = TableSpec.dense(0, "replay", rows, DIM, "sgd/1 rate=0.001");
    }

    /**
     * Start driver, Archive and the client of both.
     *
     * @throws IOException if there is no room or no directory.
     */
    static ReplayRig start(final RunOptions settings, final long bytes, final int rows) throws IOException
    {
        settings.requireSpace(bytes, "--bytes");
        final ReplayRig rig =
            new ReplayRig(settings, bytes, rows, Files.createTempDirectory(settings.directory(), "perf-"));
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
            while (replica.position() < bytes)
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

    /** Let the Archive replay the log to a handler that does nothing, and take the nanoseconds. */
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
     * Recover to the end of the log: each record is verified and applied to rows that are made anew.
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
        return new AloneReplica(client, ++incarnations, rows, settings.profile().newIdleStrategy());
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
        InterruptedRunException.check();
        if (null != image && image.isClosed() || System.nanoTime() - beginNs > AloneReplica.STEP_TIMEOUT_NS)
        {
            throw new IllegalStateException("the raw replay broke off or makes no progress");
        }
    }

    private static void onError(final Throwable error)
    {
        System.err.println("perf: " + error);
    }
}
