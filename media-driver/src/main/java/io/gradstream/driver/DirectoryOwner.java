// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.client.OpenFiles;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;

/**
 * The owner of a directory: a small file in it names the node or coordinator that keeps its state there, so that no
 * other one takes that state for its own.
 */
public final class DirectoryOwner
{
    /** The file, in the format of Java properties. */
    public static final String FILE = "owner.properties";

    private static final String PARTITIONS = "partitions";
    private static final String NEW_FILE = FILE + ".new";

    private final Path directory;
    private final Properties owner = new Properties();

    private DirectoryOwner(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * Read the owner of a directory.
     *
     * @param directory that exists, or will when something is claimed.
     * @return its owner; nobody where there is no file.
     * @throws HostDriverException if it is a file, or its own file cannot be read.
     */
    public static DirectoryOwner of(final Path directory)
    {
        if (Files.exists(directory) && !Files.isDirectory(directory))
        {
            throw new HostDriverException(
                DIRECTORY_UNUSABLE, "--dir " + directory + " is a file: name a directory");
        }
        final DirectoryOwner owner = new DirectoryOwner(directory);
        final Path file = directory.resolve(FILE);
        try
        {
            if (Files.exists(file))
            {
                owner.owner.load(new StringReader(Files.readString(file)));
            }
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "cannot read " + file + ": " + ex.getMessage() +
                (OpenFiles.isLimitReached(ex) ? "; " + OpenFiles.REMEDY : ""), ex);
        }

        return owner;
    }

    /**
     * The name under which a server's directory says how many partitions a job has.
     *
     * @param jobId number of the job; the first job of a cluster has the number 1.
     * @return {@code partitions} for the first job, {@code partitions-N} for another one.
     */
    public static String partitionsOf(final int jobId)
    {
        return 1 == jobId ? PARTITIONS : PARTITIONS + '-' + jobId;
    }

    /** The jobs beside the first one of which the directory says so: by number their partitions. */
    public Map<Integer, Integer> jobs()
    {
        final Map<Integer, Integer> jobs = new TreeMap<>();
        for (final String name : owner.stringPropertyNames())
        {
            if (name.matches(PARTITIONS + "-[0-9]{1,9}") && owner.getProperty(name).matches("[0-9]{1,9}"))
            {
                jobs.put(Integer.valueOf(name.substring(PARTITIONS.length() + 1)),
                    Integer.valueOf(owner.getProperty(name)));
            }
        }

        return jobs;
    }

    /**
     * Note no longer what was noted.
     *
     * @param what was noted.
     * @throws HostDriverException if the directory cannot be written to.
     */
    public void forget(final String what)
    {
        if (null != owner.remove(what))
        {
            write();
        }
    }

    /**
     * Be the owner, and stay so.
     *
     * @param what  is claimed, such as {@code node}, or {@code partitions} for a number of them.
     * @param value of the one that claims, such as {@code 3}.
     * @throws HostDriverException if the directory is another one's, or cannot be marked.
     */
    public void claim(final String what, final String value)
    {
        requireNoOther(what, value);
        if (null == owner.getProperty(what))
        {
            owner.setProperty(what, value);
            write();
        }
    }

    /**
     * Note a value that may change, for the owner's later processes.
     *
     * @param what  is noted.
     * @param value in place of the one before.
     * @throws HostDriverException if the directory cannot be written to.
     */
    public void keep(final String what, final String value)
    {
        owner.setProperty(what, value);
        write();
    }

    /**
     * Refuse a directory that another one has claimed, and write nothing: a start that fails after this check leaves no
     * claim that refuses the next start.
     *
     * @param what  is going to be claimed, such as {@code node}.
     * @param value of the one that is going to claim, such as {@code 3}.
     * @throws HostDriverException if the directory is another one's.
     */
    public void requireNoOther(final String what, final String value)
    {
        final String known = owner.getProperty(what);
        if (null != known && !known.equals(value))
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "--dir " + directory + " is that of " + what + " " +
                known + ", and this is " + what + " " + value + ": name its own directory, or a new one");
        }
    }

    /**
     * The value that was claimed.
     *
     * @param what such as {@code partitions}.
     * @return its value, or null if nobody has claimed it.
     */
    public String claimed(final String what)
    {
        return owner.getProperty(what);
    }

    /**
     * Go on only if nobody has claimed this.
     *
     * @param what    such as {@code cluster}.
     * @param instead what stands against it, for the error.
     * @throws HostDriverException if somebody has.
     */
    public void requireUnclaimed(final String what, final String instead)
    {
        if (null != owner.getProperty(what))
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "--dir " + directory + " is that of " + what + " " +
                owner.getProperty(what) + ", " + instead + ": name its own directory, or a new one");
        }
    }

    private void write()
    {
        final Path newFile = directory.resolve(NEW_FILE);
        try
        {
            Files.createDirectories(directory);
            final StringWriter text = new StringWriter();
            owner.store(text, "Whose directory this is. Written by Gradstream; do not edit.");
            Files.writeString(newFile, text.toString());
            move(newFile, directory.resolve(FILE));
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(
                DIRECTORY_UNUSABLE, "cannot write " + newFile + ": " +
                (ex instanceof AccessDeniedException ? "no permission" : ex) + "; " +
                OpenFiles.remedy(ex, "name a writable --dir"), ex);
        }
    }

    // A kill in between leaves the old file or the new one, never a half.
    private static void move(final Path from, final Path to) throws IOException
    {
        try
        {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final AtomicMoveNotSupportedException ex)
        {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
