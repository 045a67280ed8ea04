// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.aeron.exceptions.AeronException;
import io.gradstream.cli.options.UsageException;
import io.gradstream.driver.client.HostClock;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The directory of a media driver of this host, mapped to be read. What it shows stays readable after the driver died,
 * until the directory is gone.
 */
final class DriverDirectory implements AutoCloseable
{
    private static final Path USUAL_PARENT = Path.of("/dev/shm");
    private static final String USUAL_PREFIX = "gradstream-";

    /** A driver gives a sign of life several times in this. */
    private static final long SILENT_MS = 5_000;

    private final MappedByteBuffer mapped;
    private final HostClock clock;

    private DriverDirectory(final MappedByteBuffer mapped, final HostClock clock)
    {
        this.mapped = mapped;
        this.clock = clock;
    }

    /**
     * Map what the driver shows.
     *
     * @param directory of the driver.
     * @throws UsageException if no driver has run there; says which there are.
     */
    static DriverDirectory open(final Path directory)
    {
        final MappedByteBuffer mapped =
            new CommonContext().aeronDirectoryName(directory.toString()).conclude().mapExistingCncFile(null);
        if (null == mapped)
        {
            throw new UsageException("no media driver runs in " + directory + found());
        }

        return new DriverDirectory(mapped, HostClock.of(directory.toString()));
    }

    /** Why counters of a living driver cannot be read there now, or null if they can. */
    static String whyNotRead(final Path directory)
    {
        try (DriverDirectory driver = open(directory))
        {
            final long silentMs = driver.silentMs();
            return 0 == silentMs ? null : "the media driver in " + directory + " gave no sign of life for " +
                silentMs + " ms";
        }
        catch (final UsageException | AeronException ex)
        {
            return ex.getMessage();
        }
    }

    CountersReader counters()
    {
        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
        CncFileDescriptor.checkVersion(metaData.getInt(CncFileDescriptor.cncVersionOffset(0)));

        return new CountersReader(
            CncFileDescriptor.createCountersMetaDataBuffer(mapped, metaData),
            CncFileDescriptor.createCountersValuesBuffer(mapped, metaData));
    }

    /**
     * How long ago the driver gave its last sign of life, by the clock that it leaves in its directory.
     *
     * @return milliseconds, 0 if it lives.
     */
    long silentMs()
    {
        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
        final long sinceMs = clock.time() -
            new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(mapped, metaData)).consumerHeartbeatTime();
        return sinceMs > SILENT_MS ? sinceMs : 0;
    }

    AtomicBuffer errors()
    {
        return CommonContext.errorLogBuffer((ByteBuffer)mapped);
    }

    @Override
    public void close()
    {
        BufferUtil.free(mapped);
    }

    private static String found()
    {
        if (!Files.isDirectory(USUAL_PARENT))
        {
            return "";
        }
        try (Stream<Path> entries = Files.list(USUAL_PARENT))
        {
            final List<Path> drivers = entries
                .filter((path) -> path.getFileName().toString().startsWith(USUAL_PREFIX) &&
                    Files.exists(path.resolve(CncFileDescriptor.CNC_FILE)))
                .sorted()
                .toList();
            return drivers.isEmpty() ? "; there is none in " + USUAL_PARENT :
                drivers.stream().map(Path::toString).collect(Collectors.joining(", ", "; name one of ", ""));
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
