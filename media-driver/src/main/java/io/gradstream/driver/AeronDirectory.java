// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.CncFileDescriptor;
import io.gradstream.driver.client.DriverDoorbell;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.client.LifeLock;
import io.gradstream.driver.client.OpenFiles;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import static io.gradstream.driver.client.HostDriverException.Reason.AERON_DIRECTORY_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;

/** The directory a media driver shares with its clients: its default name, and the proof that it may be deleted. */
final class AeronDirectory
{
    /** Longest time in which a driver that is starting leaves its directory unchanged and does not name itself. */
    static final long MAKING_LIMIT_MS = 3_000;

    /**
     * Silence after which a driver is dead that names no process that could be seen from here, and holds no lock: that
     * of an older version, or one killed while it started.
     */
    static final long LEFTOVER_SILENCE_MS = TimeUnit.MINUTES.toMillis(2);

    private static final String PREFIX = "gradstream-";
    /** The names that we give, after a process or an Archive; the scope in which process ids count comes first. */
    private static final Pattern NAMED = Pattern.compile("([0-9a-z]{1,7})-([0-9]+-[0-9]+(-.*)?|archive-[0-9a-z]+)");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Set<String> DRIVER_FILES = Set.of(
        CncFileDescriptor.CNC_FILE, HostClock.FILE, HostClock.NEW_FILE, DriverDoorbell.FILE,
        DriverDoorbell.NEW_FILE, LifeLock.FILE, LifeLock.NEW_FILE, "loss-report.dat", "archive-mark.dat",
        "publications", "images",
        "cluster-mark.dat", "cluster-mark-service-0.dat");
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long UNKNOWN = -1;
    private static final AtomicInteger NEXT_SUFFIX = new AtomicInteger();

    private AeronDirectory()
    {
    }

    /** A name no other driver of this machine uses, in memory where the machine offers that. Nothing is created. */
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
     * Delete what drivers left when they were killed, and wait until it is known of each whether its driver is dead, at
     * the longest twice {@link #MAKING_LIMIT_MS}.
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
     * Delete what drivers left when they were killed, in any PID namespace: all that holds the lock file of a dead
     * process, and what we named ourselves without one.
     *
     * @return false if a directory may be in the making right now: it names no driver yet, and was changed in the last
     * {@link #MAKING_LIMIT_MS}.
     */
    static boolean deleteLeftovers()
    {
        final File[] leftovers = parent().toFile().listFiles((parent, name) -> name.startsWith(PREFIX));
        boolean isComplete = true;
        for (final File leftover : null == leftovers ? new File[0] : leftovers)
        {
            isComplete &= deleteLeftover(leftover.toPath());
        }

        return isComplete;
    }

    private static boolean deleteLeftover(final Path directory)
    {
        try
        {
            if (LifeLock.isIn(directory))
            {
                deleteUnlessHeld(directory);
                return true;
            }
            final Matcher name = NAMED.matcher(directory.getFileName().toString().substring(PREFIX.length()));
            if (!name.matches())
            {
                return true;
            }

            return name.group(1).equals(ProcessToken.scope()) ?
                deleteOfThisNamespace(directory, name.group()) : deleteOfAnotherNamespace(directory);
        }
        catch (final HostDriverException | IOException ignore)
        {
            // Not ours to delete: this start does not need it gone.
            return true;
        }
    }

    // Named after a dead process, it may belong to a driver in another one that lives, however silent it is.
    private static boolean deleteOfThisNamespace(final Path directory, final String name)
    {
        final long pid = readPid(directory.resolve(CncFileDescriptor.CNC_FILE).toFile());
        if (!ProcessToken.isOfLivingProcess(name) && !ProcessToken.isAlive(pid))
        {
            if (0 == pid && changedMsAgo(directory) < MAKING_LIMIT_MS)
            {
                return false;
            }
            delete(directory);
        }

        return true;
    }

    private static boolean deleteOfAnotherNamespace(final Path directory) throws IOException
    {
        final long silentMs = silentMs(directory);
        if ((UNKNOWN == silentMs ? changedMsAgo(directory) : silentMs) > LEFTOVER_SILENCE_MS)
        {
            delete(directory);
        }

        return true;
    }

    private static long changedMsAgo(final Path directory)
    {
        try
        {
            return Math.abs(System.currentTimeMillis() - Files.getLastModifiedTime(directory).toMillis());
        }
        catch (final IOException ignore)
        {
            // it is gone
            return 0;
        }
    }

    private static Path parent()
    {
        return Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Delete what a dead driver left. Aeron alone would call a driver alive until ten seconds after it was killed; the
     * lock that the driver held tells at once. A driver that has no lock yet, or is not ours, lives as long as it gives
     * signs of life.
     *
     * @param heartbeatLimitMs silence after which a driver without a lock is dead.
     * @throws HostDriverException if a living driver uses the directory.
     */
    static void deleteIfDead(final Path directory, final long heartbeatLimitMs)
    {
        if (!Files.exists(directory))
        {
            return;
        }
        try
        {
            if (!LifeLock.isIn(directory))
            {
                awaitSilence(directory, heartbeatLimitMs);
                delete(directory);
            }
            else if (!deleteUnlessHeld(directory))
            {
                throw inUse(directory);
            }
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "cannot use aeronDirectory=" + directory + ": " + ex +
                "; " + OpenFiles.remedy(ex, "choose another aeronDirectory"), ex);
        }
    }

    /** True if the directory's driver is dead, and the directory is gone. */
    private static boolean deleteUnlessHeld(final Path directory) throws IOException
    {
        try (LifeLock seized = LifeLock.seize(directory))
        {
            if (null != seized)
            {
                delete(directory);
            }

            return null != seized || !Files.exists(directory);
        }
    }

    /** A process id proves nothing unless it counts here: only then a driver without a process is dead at once. */
    private static void awaitSilence(final Path directory, final long limitMs) throws IOException
    {
        final long pid = readPid(directory.resolve(CncFileDescriptor.CNC_FILE).toFile());
        final boolean isPidOfHere = directory.getFileName().toString().startsWith(PREFIX + ProcessToken.scope() + '-');
        if (0 == pid || isPidOfHere && !ProcessToken.isAlive(pid))
        {
            return;
        }
        final long first = heartbeatMs(directory);
        long silentMs = silentMs(directory);
        while (UNKNOWN != silentMs && silentMs <= limitMs)
        {
            if (ProcessToken.isAlive(pid) || LifeLock.isIn(directory) || first != heartbeatMs(directory))
            {
                throw inUse(directory);
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
            silentMs = silentMs(directory);
        }
        if (UNKNOWN == silentMs && ProcessToken.isAlive(pid))
        {
            // it is being made
            throw inUse(directory);
        }
    }

    private static HostDriverException inUse(final Path directory)
    {
        final String owner = LifeLock.owner(directory);
        return new HostDriverException(AERON_DIRECTORY_IN_USE, "another media driver (pid " +
            readPid(directory.resolve(CncFileDescriptor.CNC_FILE).toFile()) +
            (owner.isEmpty() || owner.startsWith(ProcessToken.scope() + '-') ? "" : " of another PID namespace") +
            ") uses aeronDirectory=" + directory + "; stop it or choose another aeronDirectory");
    }

    // By the driver's own clock: by the wall clock, set forward an hour, each living driver is dead. A driver that was
    // before the machine started is ahead of a clock that began again.
    private static long silentMs(final Path directory) throws IOException
    {
        final long heartbeatMs = heartbeatMs(directory);

        return UNKNOWN == heartbeatMs ? UNKNOWN :
            Math.abs(HostClock.of(directory.toString()).time() - heartbeatMs);
    }

    // Read rather than map: a file cut short by a crash must not end this process with SIGBUS.
    private static long heartbeatMs(final Path directory) throws IOException
    {
        final Path cncFile = directory.resolve(CncFileDescriptor.CNC_FILE);
        if (!Files.exists(cncFile))
        {
            return UNKNOWN;
        }
        final UnsafeBuffer metaData = new UnsafeBuffer(read(cncFile, CncFileDescriptor.META_DATA_LENGTH));
        if (0 == metaData.getInt(CncFileDescriptor.cncVersionOffset(0)) ||
            !CncFileDescriptor.isCncFileLengthSufficient(
                metaData, (int)Math.min(Integer.MAX_VALUE, Files.size(cncFile))))
        {
            // it is being made
            return UNKNOWN;
        }
        final ByteBuffer cnc = read(cncFile, CncFileDescriptor.META_DATA_LENGTH +
            metaData.getInt(CncFileDescriptor.toDriverBufferLengthOffset(0)));
        try
        {
            return new ManyToOneRingBuffer(
                CncFileDescriptor.createToDriverBuffer(cnc, metaData)).consumerHeartbeatTime();
        }
        finally
        {
            BufferUtil.free(cnc);
        }
    }

    private static ByteBuffer read(final Path file, final int length) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            // what a file cut short does not hold stays 0
            channel.read(bytes, 0);
        }

        return bytes;
    }

    // The lock file goes last: as long as it is there, nobody else takes the directory for one that is being made.
    private static void delete(final Path directory)
    {
        requireOnlyDriverFiles(directory);
        for (final String name : DRIVER_FILES)
        {
            if (!LifeLock.FILE.equals(name))
            {
                IoUtil.delete(directory.resolve(name).toFile(), true);
            }
        }
        IoUtil.delete(directory.toFile(), true);
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
                DIRECTORY_UNUSABLE, "cannot read " + cncFile + ": " + ex.getMessage() + "; " +
                OpenFiles.remedy(ex, "remove its directory"), ex);
        }

        return new UnsafeBuffer(header).getLong(CncFileDescriptor.pidOffset(0));
    }
}
