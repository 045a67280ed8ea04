/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.driver;

import io.aeron.CncFileDescriptor;
import io.gradstream.driver.client.DriverBell;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.client.HostDriverException;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

import static io.gradstream.driver.client.HostDriverException.Reason.AERON_DIRECTORY_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;

/**
 * The directory a media driver shares with its clients: its default name, and the proof that it may be deleted.
 */
final class AeronDirectory
{
    /** Longest time in which a driver that is starting leaves its directory unchanged and does not name itself. */
    static final long MAKING_LIMIT_MS = 3_000;

    private static final String PREFIX = "gradstream-";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Set<String> DRIVER_FILES = Set.of(
        CncFileDescriptor.CNC_FILE, HostClock.FILE, HostClock.NEW_FILE, DriverBell.FILE,
        DriverBell.NEW_FILE, "loss-report.dat", "archive-mark.dat",
        "publications", "images",
        "cluster-mark.dat", "cluster-mark-service-0.dat");
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final AtomicInteger NEXT_SUFFIX = new AtomicInteger();

    private AeronDirectory()
    {
    }

    /**
     * A name no other driver of this machine uses, in memory where the machine offers that. Nothing is created.
     */
    static Path newDefault()
    {
        return parent().resolve(PREFIX + ProcessToken.own() + '-' + NEXT_SUFFIX.getAndIncrement()).toAbsolutePath();
    }

    /**
     * The name for the driver of an Archive: the same at each start, so that the start after a kill finds, and removes,
     * what was left. Nothing is created.
     */
    static Path defaultFor(final Path archiveDirectory)
    {
        final CRC32 crc = new CRC32();
        crc.update(archiveDirectory.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8));
        return parent().resolve(PREFIX + ProcessToken.scope() + "-archive-" +
            Long.toString(crc.getValue(), Character.MAX_RADIX)).toAbsolutePath();
    }

    /**
     * Delete what drivers with default names left when they were killed, and wait until it is known of each whether its
     * driver is dead, at the longest twice {@link #MAKING_LIMIT_MS}.
     */
    static void awaitLeftovers()
    {
        final long beginNs = System.nanoTime();
        while (!deleteLeftovers() && System.nanoTime() - beginNs < 2 * TimeUnit.MILLISECONDS.toNanos(MAKING_LIMIT_MS))
        {
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
    }

    /**
     * Delete what drivers with default names left when they were killed.
     *
     * @return false if there is one that may just be being made: it names no driver yet, and was changed in the last
     * {@link #MAKING_LIMIT_MS}.
     */
    static boolean deleteLeftovers()
    {
        final File[] leftovers = parent().toFile().listFiles((parent, name) ->
            name.startsWith(PREFIX) && ProcessToken.isDead(name.substring(PREFIX.length())));
        boolean isComplete = true;
        for (final File leftover : null == leftovers ? new File[0] : leftovers)
        {
            isComplete &= deleteLeftover(leftover.toPath());
        }

        return isComplete;
    }

    // Named after a dead process, it may belong to a driver in another one that lives, however silent it is.
    private static boolean deleteLeftover(final Path directory)
    {
        try
        {
            final long pid = readPid(directory.resolve(CncFileDescriptor.CNC_FILE).toFile());
            if (0 == pid && isBeingMade(directory))
            {
                return false;
            }
            if (!isAlive(pid))
            {
                requireOnlyDriverFiles(directory);
                IoUtil.delete(directory.toFile(), true);
            }
        }
        catch (final HostDriverException ignore)
        {
            // Not ours to delete: this start does not need it gone.
        }

        return true;
    }

    private static boolean isBeingMade(final Path directory)
    {
        try
        {
            return Math.abs(System.currentTimeMillis() - Files.getLastModifiedTime(directory).toMillis()) <
                MAKING_LIMIT_MS;
        }
        catch (final IOException ignore)
        {
            // it is gone
            return false;
        }
    }

    private static boolean isAlive(final long pid)
    {
        return pid > 0 && ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static Path parent()
    {
        return Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Delete what a dead driver left. Aeron alone would call a driver alive until ten seconds after it was killed; the
     * process id in its command file tells at once.
     *
     * @param heartbeatLimitMs silence after which a driver whose process id lives on (it may be reused) is dead.
     * @throws HostDriverException if a living driver uses the directory.
     */
    static void deleteIfDead(final Path directory, final long heartbeatLimitMs)
    {
        if (!Files.exists(directory))
        {
            return;
        }

        final File cncFile = directory.resolve(CncFileDescriptor.CNC_FILE).toFile();
        final long pid = readPid(cncFile);
        if (isAlive(pid) && isHeartbeating(directory, cncFile, heartbeatLimitMs))
        {
            throw new HostDriverException(AERON_DIRECTORY_IN_USE, "another media driver (pid " + pid +
                ") uses aeronDirectory=" + directory + "; stop it or choose another aeronDirectory");
        }

        requireOnlyDriverFiles(directory);
        IoUtil.delete(directory.toFile(), true);
    }

    // By the driver's own clock: by the wall clock, set forward an hour, each living driver is dead.
    private static boolean isHeartbeating(final Path directory, final File cncFile, final long heartbeatLimitMs)
    {
        final MappedByteBuffer cnc = IoUtil.mapExistingFile(cncFile, "CnC file");
        try
        {
            final UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
            if (0 == metaData.getIntVolatile(CncFileDescriptor.cncVersionOffset(0)) ||
                !CncFileDescriptor.isCncFileLengthSufficient(metaData, cnc.capacity()))
            {
                // it is being made
                return true;
            }
            final long heartbeatMs = new ManyToOneRingBuffer(
                CncFileDescriptor.createToDriverBuffer(cnc, metaData)).consumerHeartbeatTime();

            // one that was before the machine started is ahead of a clock that began anew
            return Math.abs(HostClock.of(directory.toString()).time() - heartbeatMs) <= heartbeatLimitMs;
        }
        finally
        {
            BufferUtil.free(cnc);
        }
    }

    // A directory named by mistake, such as a home directory, is never deleted.
    private static void requireOnlyDriverFiles(final Path directory)
    {
        final String[] names = directory.toFile().list();
        if (null == names || !DRIVER_FILES.containsAll(Set.of(names)))
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "aeronDirectory=" + directory +
                " is not a media driver's directory; name one that does not exist yet");
        }
    }

    // Read rather than map: a file cut short by a crash must not end this process with SIGBUS.
    private static long readPid(final File cncFile)
    {
        if (cncFile.length() <= CncFileDescriptor.META_DATA_LENGTH)
        {
            return 0;
        }

        final ByteBuffer header = ByteBuffer.allocate(CncFileDescriptor.META_DATA_LENGTH)
            .order(ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(cncFile.toPath(), StandardOpenOption.READ))
        {
            channel.read(header, 0);
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(
                DIRECTORY_UNUSABLE, "cannot read " + cncFile + ": " + ex.getMessage() + "; remove its directory", ex);
        }

        return new UnsafeBuffer(header).getLong(CncFileDescriptor.pidOffset(0));
    }
}
