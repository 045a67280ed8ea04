// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import io.gradstream.training.form.FirstBytes;
import io.gradstream.training.form.GzipMembers;
import io.gradstream.training.form.ZstdFrames;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of training data, open for reading: plain, or compressed by gzip or Zstandard.
 * <p>
 * Compressed files are known by their first bytes, whatever their name. Of Zstandard, windows up to 8 MiB are read,
 * which is what {@code zstd} writes at its levels 1 to 19 without {@code --long}. What is compressed or packed in
 * another way is refused. A file may also be a pipe, which is read once. Used by one thread.
 */
public final class DataFile implements Closeable
{
    private static final int BUFFER_LENGTH = 64 * 1024;
    private static final int MAGIC_LENGTH = 4;
    private static final int GZIP_MAGIC = 0x1F8B;

    private final Path path;
    private final InputStream bytes;
    private final byte[] head = new byte[FirstBytes.LENGTH];
    private Form form = Form.PLAIN;
    private InputStream content;
    private GzipMembers members;
    private ZstdFrames frames;
    private int headAt;
    private int headLength;
    private long position;
    /** True if reading it has failed. */
    private boolean isDamaged;

    private DataFile(final Path path) throws IOException
    {
        this.path = path;
        // not of Files: its streams ask for a position, which a pipe does not have
        bytes = new BufferedInputStream(new FileInputStream(path.toFile()), BUFFER_LENGTH);
        content = bytes;
    }

    /**
     * Open a file.
     *
     * @throws MalformedDataException if it does not exist, is a directory or cannot be read, is compressed and its
     *                                first bytes are damaged, or is compressed or packed in a way that is not read.
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

        final DataFile file;
        try
        {
            file = new DataFile(path);
        }
        catch (final IOException ex)
        {
            throw new MalformedDataException(path + ": cannot be read: " + ex, ex);
        }

        try
        {
            file.findForm();
        }
        catch (final IOException ex)
        {
            file.close();
            throw new MalformedDataException(path + ": cannot be read: " + ex, ex);
        }
        catch (final MalformedDataException ex)
        {
            file.close();
            throw ex;
        }
        return file;
    }

    /**
     * Open a file of text, and pass over a byte order mark.
     *
     * @throws MalformedDataException as {@link #open(Path)}, and if it is no text in ASCII or UTF-8.
     */
    public static DataFile openText(final Path path)
    {
        final DataFile file = open(path);
        final String what = FirstBytes.ofNoText(file.head, file.headLength);
        if (null != what)
        {
            final MalformedDataException ex = file.orDamaged(new MalformedDataException(path + ": " + what));
            file.close();
            throw ex;
        }
        file.headAt = FirstBytes.markLength(file.head, file.headLength);
        return file;
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

    /**
     * Look whether the file is damaged, before its content is blamed: the rest of compressed data is read for that.
     *
     * @param malformed what is wrong with the content.
     * @return the same, or that the file is damaged.
     */
    public MalformedDataException orDamaged(final MalformedDataException malformed)
    {
        if (Form.PLAIN == form || isDamaged)
        {
            return malformed;
        }
        try
        {
            final byte[] rest = new byte[BUFFER_LENGTH];
            int read = 0;
            while (read >= 0)
            {
                read = readContent(rest, 0, rest.length);
            }
            return malformed;
        }
        catch (final MalformedDataException ex)
        {
            return new MalformedDataException(
                ex.getMessage() + "; that may be why " + malformed.getMessage(), malformed);
        }
    }

    @Override
    public void close()
    {
        try
        {
            content.close();
            bytes.close();
        }
        catch (final IOException ignore)
        {
            // What was read has been read, and nothing was written.
        }
    }

    private int read(final byte[] buffer, final int offset, final int length)
    {
        if (headAt < headLength && length > 0)
        {
            final int read = Math.min(length, headLength - headAt);
            System.arraycopy(head, headAt, buffer, offset, read);
            headAt += read;
            return read;
        }
        return readContent(buffer, offset, length);
    }

    private int readContent(final byte[] buffer, final int offset, final int length)
    {
        try
        {
            // no more than this at once: what a decoder has ready when it finds damage behind it is lost
            final int read = content.read(buffer, offset, Math.min(length, BUFFER_LENGTH));
            position += Math.max(0, read);
            checkEnd(read);
            return read;
        }
        catch (final IOException | MalformedInputException | IndexOutOfBoundsException ex)
        {
            // the decoder of zstd finds some damage only when an index leads out of its tables
            throw malformed(ex);
        }
    }

    /** The decoder of zstd does not compare what it made with what the frames say they hold. */
    private void checkEnd(final int read) throws IOException
    {
        final long expected = read < 0 && null != frames ? frames.contentLength() : ZstdFrames.UNKNOWN;
        if (ZstdFrames.UNKNOWN != expected && expected != position)
        {
            throw new IOException("the frames say that they hold " + expected + " bytes");
        }
    }

    private void findForm() throws IOException
    {
        final byte[] magic = new byte[MAGIC_LENGTH];
        bytes.mark(MAGIC_LENGTH);
        final int length = bytes.readNBytes(magic, 0, MAGIC_LENGTH);
        bytes.reset();
        if (GZIP_MAGIC == ((magic[0] & 0xFF) << Byte.SIZE | (magic[1] & 0xFF)))
        {
            form = Form.GZIP;
            members = new GzipMembers(bytes);
            content = members;
        }
        else if (MAGIC_LENGTH == length && ZstdFrames.isMagic(magic))
        {
            form = Form.ZSTD;
            frames = new ZstdFrames(bytes);
            content = hasFrame() ? new ZstdInputStream(frames) : frames;
        }

        int read = 0;
        while (read >= 0 && headLength < head.length)
        {
            headLength += read;
            read = headLength < head.length ? readContent(head, headLength, head.length - headLength) : -1;
        }
        final String other = FirstBytes.ofOther(head, headLength);
        if (null != other)
        {
            throw new MalformedDataException(
                path + ": " + (Form.PLAIN == form ? "" : "its " + form.title + " content ") + other);
        }
    }

    private boolean hasFrame()
    {
        try
        {
            return frames.hasNext();
        }
        catch (final IOException ex)
        {
            throw malformed(ex);
        }
    }

    private MalformedDataException malformed(final Exception cause)
    {
        if (Form.PLAIN == form)
        {
            return new MalformedDataException(path + ": cannot be read: " + cause, cause);
        }
        isDamaged = true;
        if (cause instanceof ZstdFrames.UnreadFrameException)
        {
            return new MalformedDataException(
                path + ": " + form.title + " data are not read: " + cause.getMessage(), cause);
        }
        return new MalformedDataException(
            path + ": " + form.title + " data are cut short or damaged before byte " +
            (null == frames ? members.bytesTaken() : frames.bytesTaken()) +
            ", which is after byte " + position + " of their content: " + reason(cause), cause);
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
