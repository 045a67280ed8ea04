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
package io.gradstream.training;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A file of training data, open for reading: plain, or compressed by gzip or Zstandard.
 * <p>
 * Compressed files are known by their first bytes, whatever their name. Of Zstandard, windows up to 8 MiB are read,
 * which is what {@code zstd} writes at its levels 1 to 19 without {@code --long}. Used by one thread.
 */
public final class DataFile implements Closeable
{
    private static final int BUFFER_LENGTH = 64 * 1024;
    private static final int MAGIC_LENGTH = 4;
    private static final int GZIP_MAGIC = 0x1F8B;
    private static final int GZIP_MAGIC_SHIFT = 16;
    private static final int ZSTD_MAGIC = 0x28B52FFD;

    private final Path path;
    private final SeekableByteChannel channel;
    private final Form form;
    private final InputStream content;
    private long position;

    private DataFile(final Path path) throws IOException
    {
        this.path = path;
        channel = Files.newByteChannel(path);
        try
        {
            final InputStream in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER_LENGTH);
            form = form(in);
            content = decompressed(in, form);
        }
        catch (final IOException | RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /**
     * Open a file.
     *
     * @throws MalformedDataException if it does not exist, is a directory or cannot be read, or is compressed and its
     *                                header is damaged.
     */
    public static DataFile open(final Path path)
    {
        if (!Files.exists(path))
        {
            throw new MalformedDataException(path + ": does not exist: check the name of the data file");
        }
        if (Files.isDirectory(path))
        {
            throw new MalformedDataException(path + ": is a directory: name the files in it");
        }

        try
        {
            return new DataFile(path);
        }
        catch (final EOFException | ZipException ex)
        {
            throw new MalformedDataException(path + ": gzip header is cut short or damaged: " + reason(ex), ex);
        }
        catch (final IOException ex)
        {
            throw new MalformedDataException(path + ": cannot be read: " + ex, ex);
        }
    }

    /** Where it is. */
    public Path path()
    {
        return path;
    }

    /**
     * Read what comes next, as much of it as is at hand.
     *
     * @param buffer of at least one byte.
     * @return number of bytes read, at least 1, or -1 at the end.
     * @throws MalformedDataException if the file cannot be read, or is compressed and cut short or damaged; the message
     *                                names the file, and the bytes of it and of its content between which that is.
     */
    public int read(final byte[] buffer)
    {
        return read(buffer, 0, buffer.length);
    }

    /**
     * Fill a buffer.
     *
     * @return number of bytes read, fewer than the length only at the end.
     * @throws MalformedDataException as {@link #read(byte[])}.
     */
    public int readFully(final byte[] buffer)
    {
        int length = 0;
        int read = read(buffer);
        while (read > 0)
        {
            length += read;
            read = read(buffer, length, buffer.length - length);
        }
        return length;
    }

    @Override
    public void close()
    {
        try
        {
            channel.close();
        }
        catch (final IOException ignore)
        {
            // What was read has been read, and nothing was written.
        }
    }

    private int read(final byte[] buffer, final int offset, final int length)
    {
        try
        {
            // no more than this at once: what a decoder has ready when it finds damage behind it is lost
            final int read = content.read(buffer, offset, Math.min(length, BUFFER_LENGTH));
            position += Math.max(0, read);
            return read;
        }
        catch (final IOException | MalformedInputException | IndexOutOfBoundsException ex)
        {
            // the decoder of zstd finds some damage only when an index leads out of its tables
            throw malformed(ex);
        }
    }

    private static Form form(final InputStream in) throws IOException
    {
        in.mark(MAGIC_LENGTH);
        int magic = 0;
        for (int i = 0; i < MAGIC_LENGTH; i++)
        {
            magic = (magic << Byte.SIZE) | Math.max(0, in.read());
        }
        in.reset();

        if (GZIP_MAGIC == magic >>> GZIP_MAGIC_SHIFT)
        {
            return Form.GZIP;
        }
        return ZSTD_MAGIC == magic ? Form.ZSTD : Form.PLAIN;
    }

    private static InputStream decompressed(final InputStream in, final Form form) throws IOException
    {
        return switch (form)
        {
            case PLAIN -> in;
            case GZIP -> new GZIPInputStream(in, BUFFER_LENGTH);
            case ZSTD -> new ZstdInputStream(in);
        };
    }

    private MalformedDataException malformed(final Exception cause)
    {
        if (Form.PLAIN == form)
        {
            return new MalformedDataException(path + ": cannot be read: " + cause, cause);
        }
        return new MalformedDataException(
            path + ": " + form.title + " data are cut short or damaged before byte " + bytesTaken() +
            ", which is behind byte " + position + " of their content: " + reason(cause), cause);
    }

    private long bytesTaken()
    {
        try
        {
            return channel.position();
        }
        catch (final IOException ignore)
        {
            return Long.MAX_VALUE;
        }
    }

    private static String reason(final Exception cause)
    {
        return null == cause.getMessage() ? "they end too early" : cause.getMessage();
    }

    /** How the content is kept. */
    private enum Form
    {
        /** As it is. */
        PLAIN("plain"),
        /** RFC 1952. */
        GZIP("gzip"),
        /** RFC 8878. */
        ZSTD("zstd");

        private final String title;

        Form(final String title)
        {
            this.title = title;
        }
    }
}
