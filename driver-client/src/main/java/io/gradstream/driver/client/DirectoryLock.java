// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import static io.gradstream.driver.client.HostDriverException.Reason.ARCHIVE_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;

/**
 * A directory that one process holds at a time.
 * <p>
 * The lock is the kernel's, so it goes with its process whichever way that ends: its holder knows that the
 * process before is dead. The file that is locked holds the process id, and a token of the directory.
 */
public final class DirectoryLock implements AutoCloseable
{
    /** The file that is locked. */
    public static final String FILE = "gradstream.lock";

    private static final String NAME_PREFIX = "gradstream-";

    // POSIX drops all locks of a process on a file when it closes any descriptor of that file, so a second start in
    // this process must be refused before it opens the lock file.
    private static final Set<Path> HELD_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;
    private final String token;

    private DirectoryLock(final Path directory, final FileChannel channel, final String token)
    {
        this.directory = directory;
        this.channel = channel;
        this.token = token;
    }

    /**
     * Create the directory where it is missing, and take its lock.
     *
     * @param directory to hold.
     * @param setting   that names the directory, for errors.
     * @return the lock, held until it is closed.
     * @throws HostDriverException if another process holds it, or it cannot be used.
     */
    public static DirectoryLock hold(final Path directory, final String setting)
    {
        try
        {
            Files.createDirectories(directory);
            final Path realDirectory = directory.toRealPath();
            if (!HELD_BY_THIS_PROCESS.add(realDirectory))
            {
                throw inUse(realDirectory, setting, Long.toString(ProcessHandle.current().pid()));
            }

            return lock(realDirectory, setting);
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(
                DIRECTORY_UNUSABLE, "cannot use " + setting + "=" + directory + ": " + ex +
                "; " + OpenFiles.remedy(ex, "choose another --dir"), ex);
        }
    }

    private static DirectoryLock lock(final Path directory, final String setting) throws IOException
    {
        FileChannel channel = null;
        boolean isHeld = false;
        try
        {
            final Path file = directory.resolve(FILE);
            channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            final FileLock lock = channel.tryLock();
            final String before = read(channel);
            if (null == lock)
            {
                throw inUse(directory, setting, pidIn(before));
            }

            final String[] lines = before.split("\n");
            final String token = lines.length > 1 ? lines[1] : UUID.randomUUID().toString();
            final String text = ProcessHandle.current().pid() + "\n" + token + "\n";
            channel.truncate(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
            isHeld = true;

            return new DirectoryLock(directory, channel, token + fileKey(file));
        }
        finally
        {
            if (!isHeld)
            {
                if (null != channel)
                {
                    channel.close();
                }
                HELD_BY_THIS_PROCESS.remove(directory);
            }
        }
    }

    /** The process id in the text of a lock file; empty if there is none. */
    public static String pidIn(final String text)
    {
        return text.split("\n")[0].trim();
    }

    /** A path is unique within a container only, and a copy of the directory has the same token. */
    private static String fileKey(final Path file) throws IOException
    {
        return String.valueOf(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    private static String read(final FileChannel channel) throws IOException
    {
        final ByteBuffer text = ByteBuffer.allocate((int)channel.size());
        channel.read(text, 0);

        return new String(text.array(), StandardCharsets.US_ASCII);
    }

    private static HostDriverException inUse(final Path directory, final String setting, final String pid)
    {
        return new HostDriverException(ARCHIVE_IN_USE, "another process (pid " + (pid.isEmpty() ? "unknown" : pid) +
            ") uses " + setting + "=" + directory + "; stop it or choose another --dir");
    }

    /** The directory's real path. */
    public Path directory()
    {
        return directory;
    }

    /**
     * The name of all clients that the holder has at a media driver of another process. All holders of this directory
     * have the same name, one after the other; holders of a copy of the directory elsewhere have another.
     */
    public String clientName()
    {
        return NAME_PREFIX + UUID.nameUUIDFromBytes((token + directory).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Let the next process have the directory. The lock file stays: were it deleted, two processes could each lock a
     * file of that name.
     */
    @Override
    public void close()
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "cannot release " + directory, ex);
        }
        finally
        {
            HELD_BY_THIS_PROCESS.remove(directory);
        }
    }
}
