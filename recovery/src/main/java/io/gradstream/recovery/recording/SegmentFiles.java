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
package io.gradstream.recovery.recording;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The segment files of one recording, read a term at a time: no frame crosses the end of its term.
 */
final class SegmentFiles implements AutoCloseable
{
    private final RecordingDirectory directory;
    private final RecordingEntry entry;
    private final ByteBuffer bytes;
    private final UnsafeBuffer term;
    private long loadedTerm = -1;
    private FileChannel channel;
    private long channelBase = -1;

    SegmentFiles(final RecordingDirectory directory, final RecordingEntry entry)
    {
        this.directory = directory;
        this.entry = entry;
        bytes = ByteBuffer.allocateDirect(entry.geometry().termLength());
        term = new UnsafeBuffer(bytes);
    }

    /**
     * Load the term that holds a position, unless it is loaded. What its file lacks at the end is blank.
     *
     * @return false if its segment file is missing.
     */
    boolean load(final long position)
    {
        final long base = termBase(position);
        if (base == loadedTerm)
        {
            return true;
        }

        try
        {
            if (!open(position))
            {
                return false;
            }
            readTerm(base - channelBase);
            loadedTerm = base;

            return true;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + directory.path().resolve(entry.segmentName(position)), ex);
        }
    }

    /** The loaded term. */
    UnsafeBuffer term()
    {
        return term;
    }

    long termBase(final long position)
    {
        return position & -entry.geometry().termLength();
    }

    /** End of the last segment file there is, which may be blank from somewhere on. */
    long filesEnd()
    {
        final List<Long> bases = directory.segmentBases(entry);
        return bases.isEmpty() ? entry.startPosition() : bases.get(bases.size() - 1) + entry.segmentLength();
    }

    @Override
    public void close()
    {
        closeChannel();
        BufferUtil.free(bytes);
    }

    private boolean open(final long position) throws IOException
    {
        final long base = entry.segmentBase(position);
        if (base == channelBase)
        {
            return true;
        }
        closeChannel();
        final Path file = directory.path().resolve(entry.segmentName(position));
        if (!Files.isRegularFile(file))
        {
            return false;
        }
        channel = FileChannel.open(file, StandardOpenOption.READ);
        channelBase = base;

        return true;
    }

    private void readTerm(final long fileOffset) throws IOException
    {
        bytes.clear();
        long offset = fileOffset;
        int read = 0;
        while (bytes.hasRemaining() && read >= 0)
        {
            read = channel.read(bytes, offset);
            offset += Math.max(0, read);
        }
        if (bytes.hasRemaining())
        {
            term.setMemory(bytes.position(), bytes.remaining(), (byte)0);
        }
    }

    private void closeChannel()
    {
        channelBase = -1;
        if (null != channel)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException("cannot close a segment file of " + directory.path(), ex);
            }
        }
    }
}
