// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.archive.Archive;
import io.gradstream.driver.client.DirectoryLock;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.files.TailRepair.RepairReport;
import io.gradstream.driver.files.TailRepair;
import org.agrona.CloseHelper;

import java.io.IOException;

import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;

/** The Archive of a host and its directory, which this process holds until it is closed: repaired, started, stopped. */
final class HostArchive implements AutoCloseable
{
    static final String DAMAGED = "archive: damaged and withdrawn: ";

    /** Archives on a driver of another process have streams from here on, each another one. */
    private static final int MIN_OWN_CONTROL_STREAM_ID = 1 << 30;

    private final HostDriver.Context ctx;
    private final ArchiveDirectory directory;
    private RepairReport repairReport = RepairReport.NOT_NEEDED;
    private Archive archive;

    private HostArchive(final HostDriver.Context ctx, final ArchiveDirectory directory)
    {
        this.ctx = ctx;
        this.directory = directory;
    }

    /**
     * Hold the directory of an Archive that is yet to start.
     *
     * @throws HostDriverException if another process holds it or the port, or it cannot be used.
     */
    static HostArchive hold(final HostDriver.Context ctx) throws IOException
    {
        final HostArchive held = new HostArchive(ctx, ArchiveDirectory.hold(ctx.archiveDirectory));
        try
        {
            PortCheck.checkFree(ctx.archiveControlHost, ctx.archiveControlPort, "archiveControlPort");
        }
        catch (final IOException | RuntimeException ex)
        {
            held.close();
            throw ex;
        }

        return held;
    }

    /**
     * Check that there is room to record.
     *
     * @throws HostDriverException if less is free than has to be kept free.
     */
    void checkSpace()
    {
        new SpaceCheck(ctx.spaceSource).checkArchiveDirectory(directory.path(), ctx.minFreeBytes);
    }

    /** See that there is room, cut what a killed process left unfinished, and withdraw what is damaged. */
    void prepare() throws IOException
    {
        checkSpace();
        if (directory.hasUncleanRecordings())
        {
            repairReport = new TailRepair(directory.path(), ctx.recordCheck).run();
            repairReport.damaged().forEach((line) -> ctx.errorLog.accept(DAMAGED + line));
        }
    }

    /** See {@link DirectoryLock#clientName()}. */
    String clientName()
    {
        return directory.clientName();
    }

    RepairReport repairReport()
    {
        return repairReport;
    }

    /** Start it, once its driver runs. The client of the driver becomes the Archive's. */
    void start(final Aeron client, final AgentTerminationMonitor watch) throws IOException
    {
        try
        {
            directory.markRunning();
            if (ctx.isDriverExternal)
            {
                directory.deleteMark();
                // each Archive on a driver must be another, and what a killed one has left there stays a while
                ctx.archiveId = client.nextCorrelationId();
                ctx.archiveControlStreamId = MIN_OWN_CONTROL_STREAM_ID | (int)ctx.archiveId;
            }
            directory.withdrawn().announce(client, ctx.archiveId);
            archive = Archive.launch(AeronSettings.archiveContext(ctx, client, watch));
        }
        finally
        {
            if (null == archive)
            {
                CloseHelper.quietClose(client);
            }
        }
    }

    /** Stop it, if it runs; in order if the next start need not look at the recordings. */
    void stop(final boolean isInOrder)
    {
        CloseHelper.close(archive);
        try
        {
            if (null != archive && isInOrder)
            {
                directory.markStopped();
            }
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(
                DIRECTORY_UNUSABLE, "cannot mark " + directory.path() + " as stopped; the next start checks it", ex);
        }
    }

    /** Let another process have the directory. */
    @Override
    public void close()
    {
        directory.close();
    }
}
