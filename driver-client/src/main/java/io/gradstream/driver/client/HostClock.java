// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import org.agrona.concurrent.EpochClock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;

/**
 * The clock by which a media driver and its clients judge whether the other lives: Unix time at the driver's start,
 * and from there on monotonic. The driver's own wall clock may be set forward or back without anybody looking dead.
 * <p>
 * All processes of a machine share one monotonic clock, so a client needs only what the driver adds to it. The driver
 * leaves that in its Aeron directory. Where no such file is, the driver is not ours and goes by its wall clock: so does
 * the client then.
 */
public final class HostClock implements EpochClock
{
    /** Of the Aeron directory; holds the milliseconds to be added to the monotonic clock, big-endian. */
    public static final String FILE = "gradstream-clock";
    /** Name of the file until it is whole. */
    public static final String NEW_FILE = FILE + ".new";

    private static final long UNKNOWN = Long.MIN_VALUE;

    private final Path file;
    private volatile long offsetMs;

    public HostClock(final Path aeronDirectory, final long offsetMs)
    {
        file = aeronDirectory.resolve(FILE);
        this.offsetMs = offsetMs;
    }

    /** Of a driver to be started, or of any process that shares its clock with nobody. */
    public static HostClock start(final Path aeronDirectory)
    {
        return new HostClock(aeronDirectory, System.currentTimeMillis() - monotonicMs());
    }

    /** Of a running driver, or of one that is yet to start. */
    public static HostClock of(final String aeronDirectoryName)
    {
        return new HostClock(Path.of(aeronDirectoryName), UNKNOWN);
    }

    /**
     * The monotonic clock, which all processes of this machine share: for instants that they compare.
     *
     * @return milliseconds since a moment that means nothing.
     */
    public static long monotonicMs()
    {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public long time()
    {
        if (UNKNOWN == offsetMs)
        {
            offsetMs = read();
        }

        return UNKNOWN == offsetMs ? System.currentTimeMillis() : offsetMs + monotonicMs();
    }

    /** Leave it for clients. Until then they go by the wall clock. */
    public void publish() throws IOException
    {
        final Path unfinished = file.resolveSibling(NEW_FILE);
        Files.write(unfinished, ByteBuffer.allocate(Long.BYTES).order(ByteOrder.BIG_ENDIAN).putLong(offsetMs).array());
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private long read()
    {
        if (!Files.exists(file))
        {
            return UNKNOWN;
        }
        try
        {
            final byte[] bytes = Files.readAllBytes(file);
            return Long.BYTES == bytes.length ?
                ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN).getLong() : UNKNOWN;
        }
        catch (final IOException ignore)
        {
            // its driver has just removed it
            return UNKNOWN;
        }
    }
}
