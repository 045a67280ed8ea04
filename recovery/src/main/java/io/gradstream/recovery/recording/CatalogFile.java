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

import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import org.agrona.BitUtil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads from the catalog of an Archive that does not run which recordings are Gradstream's, and what each one holds.
 * <p>
 * The checksums of entries are not looked at: Archive writes them apart from the entries, so after a kill they may be
 * stale. Whether an entry is right shows when its recording is read.
 */
final class CatalogFile
{
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
        final List<RecordingEntry> entries = new ArrayList<>();
        if (Files.size(file) >= CatalogHeaderDecoder.BLOCK_LENGTH)
        {
            final ArchiveCatalog catalog = ArchiveCatalog.read(file);
            catalog.forEach((entry) -> entries.add(read(file, entry)));
            if (null != catalog.damage())
            {
                throw new ReplayException(file + " is damaged: " + catalog.damage());
            }
        }

        return List.copyOf(entries);
    }

    private static RecordingEntry read(final Path file, final ArchiveCatalog catalog)
    {
        final RecordingDescriptorDecoder descriptor = catalog.descriptor();
        try
        {
            final LogGeometry geometry = new LogGeometry(
                descriptor.mtuLength(), descriptor.termBufferLength(), descriptor.initialTermId());
            final RecordingEntry other = new RecordingEntry(
                descriptor.recordingId(), Kind.OTHER, 0, 0, descriptor.startPosition(), descriptor.stopPosition(),
                descriptor.segmentFileLength(), geometry, descriptor.streamId(), !catalog.isValid());
            check(other);

            return named(other, ALIAS.matcher(catalog.alias()));
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException ex)
        {
            throw new ReplayException(file + " is damaged: recordingId=" + descriptor.recordingId() + ": " +
                ex.getMessage(), ex);
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
