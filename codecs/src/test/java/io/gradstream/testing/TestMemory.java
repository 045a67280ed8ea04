// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.testing;

import org.agrona.IoUtil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Directories in memory for the media drivers of tests. Those of one JVM lie in one directory, which the JVM holds by a
 * lock on a file in it. The directory is removed when the JVM ends; if it was killed, the next JVM that asks for one
 * finds the lock free and removes it, whatever PID namespace either is in.
 */
public final class TestMemory
{
    static final Path MEMORY = Path.of("/dev/shm");
    static final String PREFIX = "gradstream-unit-";
    static final String LOCK = "lock";

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Path ROOT = MEMORY.resolve(PREFIX + UUID.randomUUID());
    /** Held until this JVM ends. */
    private static final FileLock HELD = hold();

    private TestMemory()
    {
    }

    /** A name that no other test has; nothing is there yet. */
    public static Path directory(final String name)
    {
        if (!HELD.isValid())
        {
            throw new IllegalStateException("the lock of " + ROOT + " is gone");
        }
        return ROOT.resolve(name + '-' + COUNT.incrementAndGet());
    }

    private static FileLock hold()
    {
        removeLeftovers();
        // not seen by others before it is locked
        final Path hidden = MEMORY.resolve('.' + ROOT.getFileName().toString());
        try
        {
            Files.createDirectory(hidden);
            final FileLock lock = FileChannel.open(
                hidden.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE).lock();
            Files.move(hidden, ROOT);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> IoUtil.delete(ROOT.toFile(), true)));

            return lock;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Remove what JVMs have left that are no more. */
    static void removeLeftovers()
    {
        try (DirectoryStream<Path> roots = Files.newDirectoryStream(MEMORY, PREFIX + '*'))
        {
            for (final Path root : roots)
            {
                if (!root.equals(ROOT) && isLeft(root.resolve(LOCK)))
                {
                    IoUtil.delete(root.toFile(), true);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** True if nobody holds the lock. One that is being removed by another JVM is not ours to remove. */
    private static boolean isLeft(final Path file)
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock())
        {
            return null != lock;
        }
        catch (final IOException | OverlappingFileLockException ex)
        {
            return false;
        }
    }
}
