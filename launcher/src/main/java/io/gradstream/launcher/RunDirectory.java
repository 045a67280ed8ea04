// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.gradstream.driver.HostDriver;
import io.gradstream.driver.ProcessToken;
import io.gradstream.driver.client.LifeLock;
import io.gradstream.driver.client.OpenFiles;

/**
 * The places of one run's files: a directory, removed at the end unless the user named it, and the Aeron directories of
 * its processes in shared memory, which are always removed.
 */
public final class RunDirectory implements AutoCloseable
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "gradstream-";
    private static final AtomicInteger NEXT_RUN = new AtomicInteger();

    private final Path path;
    private final boolean isKept;
    private final boolean isMade;
    private final String unique;
    private final List<Path> aeronDirectories = new ArrayList<>();
    /** Lock of a temporary directory, which shows in each PID namespace that it is in use; null for a named one. */
    private final LifeLock life;

    private RunDirectory(final Path path, final boolean isMade, final LifeLock life, final String unique)
    {
        this.isMade = isMade;
        this.path = path;
        this.life = life;
        isKept = null == life;
        this.unique = unique;
    }

    /**
     * Make the directory, and remove the leftovers of killed runs.
     *
     * @param named by the user, new or empty; null for a temporary one.
     * @throws IllegalArgumentException if the named directory cannot be used.
     */
    public static RunDirectory create(final Path named)
    {
        try
        {
            removeLeftovers();
            final String unique = ProcessToken.own() + "-run" + NEXT_RUN.getAndIncrement();
            if (null == named)
            {
                final Path temporary = makeTemporary(PREFIX + unique);
                return new RunDirectory(
                    temporary, true, LifeLock.publish(temporary, ProcessToken.own()), unique);
            }

            final boolean isMade = !Files.exists(named);
            final Path path = Files.createDirectories(named).toAbsolutePath().normalize();
            try (Stream<Path> files = Files.list(path))
            {
                if (files.findAny().isPresent())
                {
                    throw new IllegalArgumentException(
                        "--dir " + named + " is not empty: name a new or empty directory");
                }
            }
            return new RunDirectory(path, isMade, null, unique);
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("cannot make a directory for the run" +
                (null == named ? "" : " at " + named) + " (" + ex + "): " +
                OpenFiles.remedy(ex, "name a writable one with --dir"));
        }
    }

    private static Path makeTemporary(final String name) throws IOException
    {
        return Files.createDirectory(temporary().resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static Path temporary()
    {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Removes the Aeron directories of dead drivers first, then the files of each run of which no driver lives. */
    private static void removeLeftovers() throws IOException
    {
        HostDriver.removeLeftovers();
        try (Stream<Path> files = Files.list(temporary()))
        {
            files.filter(RunDirectory::isOfRunWithoutDrivers).forEach(RunDirectory::deleteIfDead);
        }
    }

    private static boolean isOfRunWithoutDrivers(final Path directory)
    {
        final String name = directory.getFileName().toString();
        return name.startsWith(PREFIX) && name.contains("-run") && !hasDriver(name);
    }

    private static boolean hasDriver(final String runName)
    {
        final String[] drivers = SHARED_MEMORY.toFile().list((parent, name) -> name.startsWith(runName + "-"));
        return null != drivers && drivers.length > 0;
    }

    /** Deletes a dead run's directory. A run killed before it had a lock is judged by its process id, where valid. */
    private static void deleteIfDead(final Path directory)
    {
        final boolean isLocked = LifeLock.isIn(directory);
        try (LifeLock seized = isLocked ? LifeLock.seize(directory) : null)
        {
            if (null != seized ||
                !isLocked && ProcessToken.isDead(directory.getFileName().toString().substring(PREFIX.length())))
            {
                delete(directory);
            }
        }
        catch (final IOException | UncheckedIOException ignore)
        {
            // another user's
        }
    }

    /** The directory of the files. */
    public Path path()
    {
        return path;
    }

    /** True if the directory stays when the run is over, since the user named it. */
    public boolean isKept()
    {
        return isKept;
    }

    /**
     * Name for the Aeron directory of one process, which is removed at the end.
     *
     * @param processName unique in the run.
     * @return the path at which its driver is to make it.
     */
    public synchronized Path aeronDirectory(final String processName)
    {
        final Path parent = Files.isDirectory(SHARED_MEMORY) ?
            SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        final Path directory = parent.resolve(PREFIX + unique + "-" + processName);
        if (!aeronDirectories.contains(directory))
        {
            aeronDirectories.add(directory);
        }

        return directory;
    }

    /**
     * Keep files after a failure: move them out of a directory that will be removed.
     *
     * @param name of files or a directory in this one.
     * @return the place where they are now, or null if there are none or they cannot be moved.
     */
    public Path keep(final String name)
    {
        final Path wanted = path.resolve(name);
        if (isKept || !Files.exists(wanted))
        {
            return isKept ? wanted : null;
        }
        try
        {
            return Files.move(wanted, Files.createTempDirectory(PREFIX + "failed-").resolve(name));
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /** Remove all files that are not to be kept, and a named directory that was made for the run and is empty. */
    @Override
    public synchronized void close()
    {
        aeronDirectories.forEach(RunDirectory::delete);
        if (null != life)
        {
            delete(path);
            try
            {
                life.close();
            }
            catch (final IOException ignore)
            {
                // what it stood for is gone
            }
        }
        else if (isMade)
        {
            deleteIfEmpty(path);
        }
    }

    private static void deleteIfEmpty(final Path directory)
    {
        try
        {
            Files.deleteIfExists(directory);
        }
        catch (final IOException ignore)
        {
            // there are files in it: it is kept
        }
    }

    /** Remove a directory and all in it. A directory that is absent counts as removed. */
    public static void delete(final Path directory)
    {
        try
        {
            Files.walkFileTree(directory, new Deleter());
        }
        catch (final NoSuchFileException ignore)
        {
            // another process of the run removed it
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot remove " + directory + ": remove it by hand", ex);
        }
    }

    private static final class Deleter extends SimpleFileVisitor<Path>
    {
        @Override
        public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
        {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(final Path file, final IOException ex) throws IOException
        {
            if (ex instanceof NoSuchFileException)
            {
                return FileVisitResult.CONTINUE;
            }
            throw ex;
        }

        @Override
        public FileVisitResult postVisitDirectory(final Path directory, final IOException ex) throws IOException
        {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
