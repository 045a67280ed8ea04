// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A file that appears under its name only when it is whole and on disk. Until then it is {@code <name>.<number>.part}
 * next to that name, with another number for each writer, so that two of them never write one file.
 */
final class NewFile implements AutoCloseable
{
    private static final String PART_SUFFIX = ".part";

    private final Path target;
    private final boolean overwrite;
    private final Path part;
    private final FileChannel channel;

    private NewFile(final Path target, final boolean overwrite, final Path part) throws IOException
    {
        this.target = target;
        this.overwrite = overwrite;
        this.part = part;
        channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /**
     * Begin a file.
     *
     * @throws FileAlreadyExistsException if there is one that must stay.
     */
    static NewFile create(final Path target, final boolean overwrite) throws IOException
    {
        final Path path = target.toAbsolutePath();
        refuseExisting(path, overwrite);
        return new NewFile(path, overwrite, beside(path, PART_SUFFIX));
    }

    /** A name in the same directory that nobody else uses. */
    static Path beside(final Path path, final String suffix)
    {
        final String number = Long.toHexString(ThreadLocalRandom.current().nextLong());
        return path.resolveSibling(path.getFileName() + "." + number + suffix);
    }

    static void refuseExisting(final Path path, final boolean overwrite) throws IOException
    {
        // a device is never replaced by a file: /dev/null would be gone
        if (Files.exists(path) && (!overwrite || !Files.isRegularFile(path)))
        {
            throw new FileAlreadyExistsException(path.toString());
        }
    }

    FileChannel channel()
    {
        return channel;
    }

    /**
     * It is whole: let it appear.
     *
     * @throws FileAlreadyExistsException if another one appeared meanwhile that must stay.
     */
    void finish() throws IOException
    {
        channel.force(true);
        channel.close();
        refuseExisting(target, overwrite);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        // a name is on disk only when its directory is
        try (FileChannel directory = FileChannel.open(target.getParent(), StandardOpenOption.READ))
        {
            directory.force(true);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
        Files.deleteIfExists(part);
    }
}
