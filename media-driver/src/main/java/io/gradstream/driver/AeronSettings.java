// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.archive.Archive;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.driver.DriverProfile.DriverTimeouts;
import io.gradstream.driver.client.ChannelMtu;
import org.agrona.BitUtil;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.CountersReader;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Turns a host's settings into those of Aeron's driver, Archive and Archive client. */
final class AeronSettings
{
    /** For 8,192 counters, which with their names take five times this; Aeron's default takes 40 MiB of memory. */
    static final int MIN_COUNTER_VALUES_LENGTH = 1024 * 1024;

    /** The counters of a log, its images and its recording, several times over. */
    static final int COUNTERS_PER_LOG = 64;

    /** Of channels inside of the machine that do not say it themselves; forever part of what is recorded of them. */
    static final int IPC_MTU_LENGTH = 8192;

    static final int CONTROL_RESPONSE_STREAM_ID = 20;

    /** Longest sleep of a driver that works for other processes, whose streams go on when it has looked. */
    private static final long FOREIGN_MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Longest sleep of an Archive that this process alone gives work. */
    private static final long ARCHIVE_MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /**
     * Longest sleep of the thread that only looks up names, for each UDP stream that is opened, once none was for half
     * a second: the thread sleeps even where the driver does not.
     */
    private static final long NAMES_MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private AeronSettings()
    {
    }

    static MediaDriver.Context driverContext(
        final HostDriver.Context ctx,
        final DriverSockets driverSockets,
        final AgentTerminationMonitor watch,
        final ProcessErrors errors)
        throws IOException
    {
        final DriverTimeouts timeouts = ctx.profile.timeouts();
        final int mtuLength = mtuLength(ctx);
        final SocketBuffers sockets = SocketBuffers.granted(ctx.socketBufferLength);
        final String advice = sockets.advice(ctx.socketBufferLength);
        if (null != advice)
        {
            ctx.errorLog.accept("media driver: " + advice);
        }

        final MediaDriver.Context driver = new MediaDriver.Context();

        return (isAwake(ctx) ? driver : driverSockets.watch(driver))
            .aeronDirectoryName(ctx.aeronDirectory.toString())
            // AeronDirectory has proved the one before dead: with true Aeron would delete a living driver's files.
            .dirDeleteOnStart(false)
            .dirDeleteOnShutdown(true)
            .warnIfDirectoryExists(false)
            .epochClock(ctx.clock)
            .threadingMode(hasGuest(ctx) ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
            .sharedIdleStrategy(hasGuest(ctx) ? null : driverIdleStrategy(ctx, driverSockets))
            .asyncExecutorIdleStrategy(ctx.wakeupGroup.announce(NAMES_MAX_SLEEP_NS))
            .sharedThreadFactory(watch.threadFactory("gradstream-driver"))
            .asyncExecutorThreadFactory(watch.threadFactory("gradstream-driver-names"))
            .mtuLength(mtuLength)
            .ipcMtuLength(IPC_MTU_LENGTH)
            .publicationTermBufferLength(ctx.termLength)
            .ipcTermBufferLength(ctx.termLength)
            .counterValuesBufferLength(counterValuesLength(ctx.maxLogs))
            // A sparse file in a file system that is full later kills its writer with SIGBUS.
            .termBufferSparseFile(false)
            .performStorageChecks(true)
            .lowStorageWarningThreshold(0)
            .socketRcvbufLength(sockets.receiveLength())
            .socketSndbufLength(sockets.sendLength())
            .initialWindowLength(sockets.windowLength(mtuLength))
            .timerIntervalNs(timeouts.timerIntervalNs())
            .statusMessageTimeoutNs(timeouts.statusMessageNs())
            .imageLivenessTimeoutNs(timeouts.imageLivenessNs())
            .publicationConnectionTimeoutNs(timeouts.publicationConnectionNs())
            .flowControlReceiverTimeoutNs(timeouts.receiverNs())
            .publicationLingerTimeoutNs(TimeUnit.SECONDS.toNanos(1))
            .clientLivenessTimeoutNs(ctx.clientLivenessNs)
            .publicationUnblockTimeoutNs(
                ctx.clientLivenessNs + timeouts.publicationUnblockNs() - timeouts.clientLivenessNs())
            // the driver also keeps each distinct error, counted, in its error log, and closes this before that
            .errorHandler(errors);
    }

    static int mtuLength(final HostDriver.Context ctx)
    {
        return ChannelMtu.OF_INTERFACE == ctx.mtuLength ? ChannelMtu.ofHost() : ctx.mtuLength;
    }

    // Requests and answers of the Archive are short, and Aeron's default fits Ethernet.
    private static int controlMtuLength(final HostDriver.Context ctx)
    {
        return Math.min(mtuLength(ctx), AeronArchive.Configuration.controlMtuLength());
    }

    static int counterValuesLength(final int maxLogs)
    {
        return BitUtil.findNextPositivePowerOfTwo(
            Math.max(MIN_COUNTER_VALUES_LENGTH, maxLogs * COUNTERS_PER_LOG * CountersReader.COUNTER_LENGTH));
    }

    /** The Archive's errors go where those of its client go. */
    static Archive.Context archiveContext(
        final HostDriver.Context ctx, final Aeron aeron, final AgentTerminationMonitor watch)
    {
        final boolean hasControlPort = 0 != ctx.archiveControlPort;
        final Archive.Context archive = new Archive.Context()
            .aeronDirectoryName(ctx.aeronDirectory.toString())
            .aeron(aeron)
            .ownsAeronClient(true)
            .errorCounter(aeron.addCounter(AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID, "Archive Errors"))
            .archiveDir(ctx.archiveDirectory.toFile())
            // New with every start, so that no mark file of a killed process bars the next one.
            .markFileDir((ctx.isDriverExternal ?
                ctx.archiveDirectory.resolve(ArchiveDirectory.MARK_DIRECTORY) : ctx.aeronDirectory).toFile())
            .archiveId(ctx.archiveId)
            .epochClock(ctx.clock)
            .threadingMode(ctx.profile.archiveThreadingMode())
            .idleStrategySupplier(() -> archiveIdleStrategy(ctx))
            .threadFactory(watch.threadFactory("gradstream-archive"))
            .fileSyncLevel(ctx.fileSyncLevel)
            .catalogFileSyncLevel(ctx.fileSyncLevel)
            .segmentFileLength(ctx.segmentFileLength)
            .lowStorageSpaceThreshold(ctx.minFreeBytes)
            .recordChecksum(Checksums.crc32c())
            .replayChecksum(Checksums.crc32c())
            .recordingEventsEnabled(false)
            .maxConcurrentRecordings(ctx.maxConcurrentRecordings)
            .maxConcurrentReplays(ctx.maxConcurrentRecordings)
            .controlChannelEnabled(hasControlPort)
            .controlMtuLength(controlMtuLength(ctx))
            .controlStreamId(HostDriver.ARCHIVE_CONTROL_STREAM_ID)
            .localControlChannel(HostDriver.ARCHIVE_CONTROL_CHANNEL)
            .localControlStreamId(ctx.archiveControlStreamId)
            .replicationChannel("aeron:udp?endpoint=" + ctx.archiveControlHost + ":0")
            .archiveClientContext(new AeronArchive.Context()
                .controlMtuLength(controlMtuLength(ctx))
                .controlResponseChannel("aeron:udp?endpoint=" + ctx.archiveControlHost + ":0"))
            .errorHandler(aeron.context().errorHandler());

        return hasControlPort ? archive.controlChannel(
            "aeron:udp?endpoint=" + ctx.archiveControlHost + ":" + ctx.archiveControlPort) : archive;
    }

    /**
     * Settings of a client of the driver in this process. The client takes the driver for dead only when the driver
     * would take the client for dead: after a pause of the process neither has heard of the other.
     */
    static Aeron.Context aeronContext(final HostDriver.Context ctx)
    {
        return new Aeron.Context()
            .aeronDirectoryName(ctx.aeronDirectory.toString())
            .clientName(ctx.clientName)
            .epochClock(ctx.clock)
            .awaitingIdleStrategy(ctx.wakeupGroup.await())
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(ctx.clientLivenessNs));
    }

    static AeronArchive.Context clientContext(final HostDriver.Context ctx)
    {
        return new AeronArchive.Context()
            .aeronDirectoryName(ctx.aeronDirectory.toString())
            .controlMtuLength(controlMtuLength(ctx))
            .controlRequestChannel(HostDriver.ARCHIVE_CONTROL_CHANNEL)
            .controlRequestStreamId(ctx.archiveControlStreamId)
            .controlResponseChannel(HostDriver.ARCHIVE_CONTROL_CHANNEL)
            .controlResponseStreamId(CONTROL_RESPONSE_STREAM_ID)
            .idleStrategy(ctx.wakeupGroup.await())
            .messageTimeoutNs(ctx.clientLivenessNs);
    }

    /** Of the clients of a driver in other processes, only workers wake it. */
    private static IdleStrategy driverIdleStrategy(final HostDriver.Context ctx, final DriverSockets sockets)
    {
        if (isAwake(ctx))
        {
            return YieldingIdleStrategy.INSTANCE;
        }

        return ctx.wakeupGroup.join(sockets, 0 == ctx.maxSleepNs ? FOREIGN_MAX_SLEEP_NS : ctx.maxSleepNs);
    }

    /** True if an agent may run on the driver's thread, too. */
    private static boolean hasGuest(final HostDriver.Context ctx)
    {
        return ctx.isForThisProcess && !isAwake(ctx);
    }

    /** The idle strategy of a driver that has, or may have, an agent on its thread. */
    static IdleStrategy guestIdleStrategy(
        final HostDriver.Context ctx, final DriverSockets sockets, final BooleanSupplier isHurried)
    {
        final long maxSleepNs = 0 == ctx.maxSleepNs ? AgentThread.MAX_SLEEP_NS : ctx.maxSleepNs;

        return ctx.wakeupGroup.join(sockets, maxSleepNs, isHurried);
    }

    /** An appender in another process wakes nobody. Nor does a driver in another process, which lets replays go on. */
    private static IdleStrategy archiveIdleStrategy(final HostDriver.Context ctx)
    {
        if (isAwake(ctx))
        {
            return YieldingIdleStrategy.INSTANCE;
        }
        final boolean isWoken = ctx.isForThisProcess && !ctx.isDriverExternal;
        if (isWoken && 0 == ctx.maxSleepNs)
        {
            return ctx.wakeupGroup.joinPatiently(ARCHIVE_MAX_SLEEP_NS);
        }

        return ctx.wakeupGroup.join(0 == ctx.maxSleepNs ? WakeupGroup.MAX_DOZE_NS : ctx.maxSleepNs);
    }

    private static boolean isAwake(final HostDriver.Context ctx)
    {
        return 0 == ctx.maxSleepNs && DriverProfile.LATENCY == ctx.profile;
    }
}
