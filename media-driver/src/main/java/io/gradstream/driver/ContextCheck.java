// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.logbuffer.LogBufferDescriptor;
import io.gradstream.driver.client.ChannelMtu;
import org.agrona.BitUtil;

import java.util.concurrent.TimeUnit;

/** The rules a host's settings must obey, each with a message that names the setting, its value and what is allowed. */
final class ContextCheck
{
    static final long MAX_SLEEP_NS = 100_000_000;
    static final long MIN_LIVENESS_NS = TimeUnit.SECONDS.toNanos(1);
    static final long MAX_LIVENESS_NS = TimeUnit.HOURS.toNanos(1);
    static final int MAX_PORT = 65535;
    static final int MAX_LOGS = 4096;
    static final int MAX_TERM_LENGTH = 64 * 1024 * 1024;
    static final int MAX_SEGMENT_FILE_LENGTH = 1024 * 1024 * 1024;
    static final int MAX_SOCKET_BUFFER_LENGTH = 64 * 1024 * 1024;

    private ContextCheck()
    {
    }

    static void check(final HostDriver.Context ctx)
    {
        requirePresent("profile", ctx.profile);
        requirePresent("terminationHook", ctx.terminationHook);
        requirePresent("errorLog", ctx.errorLog);
        requirePresent("recordCheck", ctx.recordCheck);
        requirePresent("spaceSource", ctx.spaceSource);
        requirePresent("archiveControlHost", ctx.archiveControlHost);
        checkLengths(ctx);
        requireRange("maxSleepNs", ctx.maxSleepNs, 0, MAX_SLEEP_NS);
        if (0 != ctx.clientLivenessNs)
        {
            requireRange("clientLivenessNs", ctx.clientLivenessNs, MIN_LIVENESS_NS, MAX_LIVENESS_NS);
        }
        requireRange("maxLogs", ctx.maxLogs, 1, MAX_LOGS);
        requireRange("archiveControlPort", ctx.archiveControlPort, 0, MAX_PORT);
        requireRange("archiveId", ctx.archiveId, 0, Long.MAX_VALUE);
        requireRange("fileSyncLevel", ctx.fileSyncLevel, 0, 2);
        requireRange("minFreeBytes", ctx.minFreeBytes, 0, Long.MAX_VALUE);
        requireRange("maxConcurrentRecordings", ctx.maxConcurrentRecordings, 1, MAX_LOGS);
        checkDirectories(ctx);
    }

    private static void checkLengths(final HostDriver.Context ctx)
    {
        if (!ChannelMtu.isAllowed(ctx.mtuLength))
        {
            throw invalid("mtuLength", ctx.mtuLength, "must be " + ChannelMtu.allowed());
        }

        requirePowerOfTwo("termLength", ctx.termLength, LogBufferDescriptor.TERM_MIN_LENGTH, MAX_TERM_LENGTH);
        requirePowerOfTwo(
            "segmentFileLength", ctx.segmentFileLength, ctx.termLength, MAX_SEGMENT_FILE_LENGTH);
        requireRange("socketBufferLength", ctx.socketBufferLength, ChannelMtu.MAX_LENGTH, MAX_SOCKET_BUFFER_LENGTH);
    }

    // The Aeron directory is deleted with all it holds, so nothing of value may be at or below it.
    private static void checkDirectories(final HostDriver.Context ctx)
    {
        if (ctx.isDriverExternal)
        {
            requirePresent("archiveDirectory", ctx.archiveDirectory);
        }
        if (null == ctx.aeronDirectory.getParent())
        {
            throw invalid("aeronDirectory", ctx.aeronDirectory, "must not be a root directory");
        }

        if (null != ctx.archiveDirectory &&
            ctx.archiveDirectory.toAbsolutePath().normalize().startsWith(ctx.aeronDirectory))
        {
            throw invalid("archiveDirectory", ctx.archiveDirectory,
                "must not be inside aeronDirectory=" + ctx.aeronDirectory + ", which is deleted at each stop");
        }
    }

    private static void requirePresent(final String name, final Object value)
    {
        if (null == value)
        {
            throw invalid(name, null, "must be set");
        }
    }

    private static void requireRange(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw invalid(name, value, "must be " + min + ".." + max);
        }
    }

    private static void requirePowerOfTwo(final String name, final int value, final int min, final int max)
    {
        if (value < min || value > max || !BitUtil.isPowerOfTwo(value))
        {
            throw invalid(name, value, "must be a power of two in " + min + ".." + max);
        }
    }

    private static IllegalArgumentException invalid(final String name, final Object value, final String allowed)
    {
        return new IllegalArgumentException("invalid " + name + "=" + value + ": " + allowed);
    }
}
