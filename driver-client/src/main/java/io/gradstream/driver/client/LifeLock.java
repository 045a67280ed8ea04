// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file by which a process shows that a directory is its own as long as the process lives: it holds the file locked.
 * <p>
 * The lock is the kernel's. It goes with its process whichever way that ends. A zombie has no lock, a process that
 * stands still keeps its lock. The lock shows in every PID namespace, where the process id means nothing. A restart of
 * the machine ends it.
 */
public final class LifeLock implements AutoCloseable
{
    /** Name of the file in the directory; the file holds the name of its process. */
    public static final String FILE = "gradstream-life";
    /** Name of the file until it is locked. */
    public static final String NEW_FILE = FILE + ".new";

    // POSIX drops all locks of a process on a file when it closes any descriptor of that file, so this process must
    // never open a file that it holds.
    private static final Set<Path> HELD_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private LifeLock(final Path file, final FileChannel channel)
    {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Show that a directory is this process's. Nobody ever sees the file unlocked.
     *
     * @param directory that exists and has no such file.
     * @param owner     name of this process, for others to read.
     * @return the lock, to be closed when the directory is gone.
     * @throws IOException if it cannot be made.
     */
    public static LifeLock publish(final Path directory, final String owner) throws IOException
    {
        final Path realDirectory = directory.toRealPath();
        final Path file = realDirectory.resolve(FILE);
        if (!HELD_BY_THIS_PROCESS.add(file))
        {
            throw new IOException("this process holds " + file);
        }
        FileChannel channel = null;
        boolean isHeld = false;
        try
        {
            final Path unfinished = realDirectory.resolve(NEW_FILE);
            channel = FileChannel.open(unfinished, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (null == channel.tryLock())
            {
                throw new IOException("another process holds " + unfinished);
            }
            channel.write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8)), 0);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            isHeld = true;

            return new LifeLock(file, channel);
        }
        finally
        {
            if (!isHeld)
            {
                release(file, channel);
            }
        }
    }

    /** True if a process, alive or dead, has shown that the directory is its own. */
    public static boolean isIn(final Path directory)
    {
        return Files.exists(directory.resolve(FILE));
    }

    /**
     * Take the lock of a process that is dead, so that nobody else does while its directory is removed.
     *
     * @param directory in which a process has shown that it is its own.
     * @return the lock, or null if the process lives, or the file is gone or another one's by now.
     * @throws IOException if this cannot be told.
     */
    public static LifeLock seize(final Path directory) throws IOException
    {
        final Path file;
        try
        {
            file = directory.toRealPath().resolve(FILE);
        }
        catch (final NoSuchFileException ignore)
        {
            return null;
        }

        return HELD_BY_THIS_PROCESS.add(file) ? seizeFile(file) : null;
    }

    private static LifeLock seizeFile(final Path file) throws IOException
    {
        FileChannel channel = null;
        boolean isHeld = false;
        try
        {
            final Object before = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            // whoever removes such a file holds it: one that is in its place still stays there
            isHeld = null != channel.tryLock() &&
                Objects.equals(before, Files.readAttributes(file, BasicFileAttributes.class).fileKey());

            return isHeld ? new LifeLock(file, channel) : null;
        }
        catch (final NoSuchFileException ignore)
        {
            return null;
        }
        finally
        {
            if (!isHeld)
            {
                release(file, channel);
            }
        }
    }

    /** Name of the process that has shown that the directory is its own; empty if unreadable, or this process. */
    public static String owner(final Path directory)
    {
        try
        {
            final Path file = directory.toRealPath().resolve(FILE);
            if (!HELD_BY_THIS_PROCESS.add(file))
            {
                return "";
            }
            try
            {
                return Files.readString(file);
            }
            finally
            {
                HELD_BY_THIS_PROCESS.remove(file);
            }
        }
        catch (final IOException ignore)
        {
            return "";
        }
    }

    /** Let another process have the directory. */
    @Override
    public void close() throws IOException
    {
        release(file, channel);
    }

    private static void release(final Path file, final FileChannel channel) throws IOException
    {
        try
        {
            if (null != channel)
            {
                channel.close();
            }
        }
        finally
        {
            HELD_BY_THIS_PROCESS.remove(file);
        }
    }
}
