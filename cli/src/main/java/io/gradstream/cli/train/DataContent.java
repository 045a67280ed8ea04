// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

import io.gradstream.cli.options.UsageException;

/**
 * The content of a run's data: the number of examples, and the size and a checksum of each file. The next batch follows
 * from the data, so a run is resumed only with the same data.
 *
 * @param examples read from all files.
 * @param files    in the order in which they are read: data, then labels.
 */
record DataContent(long examples, List<FileContent> files)
{
    private static final int HEX = 16;

    /**
     * The content of one file.
     *
     * @param bytes  length of the file.
     * @param crc32c of the whole file.
     */
    record FileContent(long bytes, int crc32c)
    {
        /** Length and checksum; both are 0 if it is no regular file, which can be read only once. */
        static FileContent of(final Path file) throws IOException
        {
            final CRC32C crc = new CRC32C();
            long bytes = 0;
            if (Files.isRegularFile(file))
            {
                try (InputStream in = new CheckedInputStream(Files.newInputStream(file), crc))
                {
                    bytes = in.transferTo(OutputStream.nullOutputStream());
                }
            }
            return new FileContent(bytes, (int)crc.getValue());
        }
    }

    /**
     * The content of files that were read.
     *
     * @throws IOException if a file cannot be read again.
     */
    static DataContent of(final long examples, final List<Path> files) throws IOException
    {
        final List<FileContent> contents = new ArrayList<>();
        for (final Path file : files)
        {
            contents.add(FileContent.of(file));
        }
        return new DataContent(examples, contents);
    }

    /** Parse a {@link #text()}. */
    static DataContent parse(final String text)
    {
        try
        {
            final String[] parts = text.split("/", -1);
            final List<FileContent> files = new ArrayList<>();
            for (int i = 1; i < parts.length; i++)
            {
                final String[] words = parts[i].split(":", 2);
                files.add(new FileContent(Long.parseLong(words[0]), Integer.parseUnsignedInt(words[1], HEX)));
            }
            return new DataContent(Long.parseLong(parts[0]), files);
        }
        catch (final NumberFormatException | ArrayIndexOutOfBoundsException ex)
        {
            throw new UsageException("invalid " + TrainCommand.TRAINED_ON + "=" + text +
                ": must be examples/bytes:crc32c, of each file");
        }
    }

    /** As a word. */
    String text()
    {
        return examples + "/" + files.stream()
            .map((file) -> file.bytes + ":" + Integer.toHexString(file.crc32c)).collect(Collectors.joining("/"));
    }

    /**
     * The difference to the data of an earlier run.
     *
     * @param names of the files.
     * @return a part of a sentence; null if nothing differs.
     */
    String difference(final DataContent before, final List<Path> names)
    {
        if (files.size() != before.files.size())
        {
            return "there are " + files.size() + " data files, where that run had " + before.files.size();
        }
        for (int i = 0; i < files.size(); i++)
        {
            final FileContent now = files.get(i);
            final FileContent then = before.files.get(i);
            if (now.bytes != then.bytes)
            {
                return names.get(i) + " has " + now.bytes + " bytes, where that run read " + then.bytes;
            }
            if (now.crc32c != then.crc32c)
            {
                return names.get(i) + " has another content than that run read, of the same " + now.bytes + " bytes";
            }
        }
        return examples == before.examples ? null : "the same files are read as " + examples +
            " examples, where that run read " + before.examples + ": it was another version of this program";
    }
}
