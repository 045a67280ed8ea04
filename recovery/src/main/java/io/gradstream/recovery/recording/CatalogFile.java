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

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingState;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.replica.ReplayException;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the catalog of an Archive that does not run: one entry for each recording that was not deleted.
 * <p>
 * The checksums of entries are not looked at: Archive writes them apart from the entries, so after a kill they may be
 * stale. Whether an entry is right shows when its recording is read.
 */
final class CatalogFile
{
    static final String NAME = "archive.catalog";
    /** Longest catalog read; one of 100,000 recordings has a third of it. */
    static final int MAX_LENGTH = 64 * 1024 * 1024;

    private static final int HEADER_LENGTH = RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;
    // Of catalogs older than the alignment field.
    private static final int DEFAULT_ALIGNMENT = 1024;
    private static final Pattern ALIAS = Pattern.compile("gradstream-(log|snapshot)-(-?\\d{1,10})-(\\d{1,4})");

    private CatalogFile()
    {
    }

    /**
     * Read all entries, oldest first.
     *
     * @throws ReplayException if an entry cannot be right.
     */
    static List<RecordingEntry> read(final Path file) throws IOException
    {
        if (Files.size(file) > MAX_LENGTH)
        {
            throw new ReplayException(file + " is longer than a catalog may be, length=" + Files.size(file));
        }
        final UnsafeBuffer catalog = new UnsafeBuffer(Files.readAllBytes(file));
        if (catalog.capacity() < CatalogHeaderDecoder.BLOCK_LENGTH)
        {
            return List.of();
        }

        final CatalogHeaderDecoder header = new CatalogHeaderDecoder().wrap(
            catalog, 0, CatalogHeaderDecoder.BLOCK_LENGTH, CatalogHeaderDecoder.SCHEMA_VERSION);
        final boolean hasAlignment = 0 != header.alignment();
        final int alignment = hasAlignment ? header.alignment() : DEFAULT_ALIGNMENT;
        if (!BitUtil.isPowerOfTwo(alignment))
        {
            throw new ReplayException(file + " is not the catalog of an Archive: alignment=" + alignment);
        }

        return entries(file, catalog, hasAlignment ? CatalogHeaderDecoder.BLOCK_LENGTH : alignment, alignment);
    }

    private static List<RecordingEntry> entries(
        final Path file, final UnsafeBuffer catalog, final int firstOffset, final int alignment)
    {
        final List<RecordingEntry> entries = new ArrayList<>();
        final RecordingDescriptorHeaderDecoder header = new RecordingDescriptorHeaderDecoder();
        int offset = firstOffset;
        while (offset <= catalog.capacity() - HEADER_LENGTH)
        {
            header.wrap(catalog, offset, HEADER_LENGTH, RecordingDescriptorHeaderDecoder.SCHEMA_VERSION);
            final int length = header.length();
            if (length <= 0)
            {
                break;
            }
            if (length > catalog.capacity() - offset - HEADER_LENGTH)
            {
                throw new ReplayException(file + " is damaged: entry at offset=" + offset + " has length=" + length);
            }
            if (RecordingState.DELETED != header.state())
            {
                entries.add(entry(file, catalog, offset, RecordingState.VALID != header.state()));
            }
            offset += BitUtil.align(HEADER_LENGTH + length, alignment);
        }

        return List.copyOf(entries);
    }

    private static RecordingEntry entry(
        final Path file, final UnsafeBuffer catalog, final int offset, final boolean isWithdrawn)
    {
        final RecordingDescriptorDecoder descriptor = new RecordingDescriptorDecoder().wrap(
            catalog, offset + HEADER_LENGTH, RecordingDescriptorDecoder.BLOCK_LENGTH,
            RecordingDescriptorDecoder.SCHEMA_VERSION);
        try
        {
            final LogGeometry geometry = new LogGeometry(
                descriptor.mtuLength(), descriptor.termBufferLength(), descriptor.initialTermId());
            final RecordingEntry other = new RecordingEntry(
                descriptor.recordingId(), Kind.OTHER, 0, 0, descriptor.startPosition(), descriptor.stopPosition(),
                descriptor.segmentFileLength(), geometry, descriptor.streamId(), isWithdrawn);
            check(other);
            descriptor.skipStrippedChannel();
            final String alias =
                ChannelUri.parse(descriptor.originalChannel()).get(CommonContext.ALIAS_PARAM_NAME, "");

            return named(other, ALIAS.matcher(alias));
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException ex)
        {
            throw new ReplayException(file + " is damaged: entry at offset=" + offset + " recordingId=" +
                descriptor.recordingId() + ": " + ex.getMessage(), ex);
        }
    }

    private static void check(final RecordingEntry entry)
    {
        final int termLength = entry.geometry().termLength();
        final boolean isLength = BitUtil.isPowerOfTwo(entry.segmentLength()) && entry.segmentLength() >= termLength;
        final boolean isRange = entry.startPosition() >= 0 &&
            (!entry.isStopped() || entry.stopPosition() >= entry.startPosition());
        if (!isLength || !isRange)
        {
            throw new IllegalArgumentException("segmentLength=" + entry.segmentLength() + " startPosition=" +
                entry.startPosition() + " stopPosition=" + entry.stopPosition());
        }
    }

    private static RecordingEntry named(final RecordingEntry entry, final Matcher alias)
    {
        if (!alias.matches())
        {
            return entry;
        }
        final Kind kind = "log".equals(alias.group(1)) ? Kind.LOG : Kind.SNAPSHOT;
        final int partition = Integer.parseInt(alias.group(3));
        final int streamId = Kind.LOG == kind ?
            LogGeometry.logStreamId(partition) : LogGeometry.snapshotStreamId(partition);
        if (entry.streamId() != streamId)
        {
            return entry;
        }

        return new RecordingEntry(
            entry.recordingId(), kind, Integer.parseInt(alias.group(2)), partition, entry.startPosition(),
            entry.stopPosition(), entry.segmentLength(), entry.geometry(), streamId, entry.isWithdrawn());
    }
}
