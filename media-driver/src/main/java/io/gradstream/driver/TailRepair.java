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
package io.gradstream.driver;

import io.aeron.archive.ArchiveTool;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import static io.aeron.archive.ArchiveTool.VerifyOption.APPLY_CHECKSUM;

/**
 * Makes the recordings of a killed process fit for the next Archive, which refuses to start on a torn last fragment.
 * <p>
 * A torn fragment lies beyond every position its Archive had reported, so cutting it loses nothing acknowledged. The
 * last segment of each recording is checked whole; what rotted earlier shows when it is replayed.
 */
final class TailRepair
{
    private static final String CHECKSUM = "CRC-32C";
    private static final String DAMAGE_MARK = "ERR:";
    private static final String SEGMENT_FILES = "*.rec";

    private final Path archiveDirectory;
    private final List<String> truncated = new ArrayList<>();
    private final List<String> damaged = new ArrayList<>();

    TailRepair(final Path archiveDirectory)
    {
        this.archiveDirectory = archiveDirectory;
    }

    /**
     * Examine and repair. Only for whoever holds the directory.
     *
     * @return what was found.
     * @throws IOException if the catalog cannot be read or written.
     */
    RepairReport run() throws IOException
    {
        final long startNs = System.nanoTime();
        removeEmptySegments();
        CatalogChecksums.refresh(archiveDirectory.resolve(ArchiveDirectory.CATALOG_FILE));
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        ArchiveTool.verify(
            out, archiveDirectory.toFile(), EnumSet.of(APPLY_CHECKSUM), CHECKSUM, this::shouldTruncate);
        out.flush();
        bytes.toString(StandardCharsets.UTF_8).lines().filter((line) -> line.contains(DAMAGE_MARK))
            .forEach(damaged::add);

        return new RepairReport(true, List.copyOf(truncated), List.copyOf(damaged), System.nanoTime() - startNs);
    }

    // A segment file is made empty, then given its length: killed in between, the Archive leaves one without a frame.
    private void removeEmptySegments() throws IOException
    {
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(archiveDirectory, SEGMENT_FILES))
        {
            for (final Path segment : segments)
            {
                if (0 == Files.size(segment))
                {
                    Files.delete(segment);
                    truncated.add(segment.getFileName() + " removed (an empty segment)");
                }
            }
        }
    }

    // The Archive records only the header of a padding frame, so its body is blank by right: cutting it would take the
    // recording back behind a position already reported.
    private boolean shouldTruncate(final File segment)
    {
        try (FileChannel channel = FileChannel.open(segment.toPath(), StandardOpenOption.READ))
        {
            final LastFrame last = findLastFrame(channel);
            if (last.isPadding())
            {
                return false;
            }

            truncated.add(segment.getName() + " cut at offset " + last.offset() + " (torn fragment of " +
                last.length() + " bytes)");
            return true;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static LastFrame findLastFrame(final FileChannel channel) throws IOException
    {
        final ByteBuffer header = ByteBuffer.allocate(DataHeaderFlyweight.HEADER_LENGTH)
            .order(ByteOrder.LITTLE_ENDIAN);
        LastFrame last = new LastFrame(0, 0, false);
        long offset = 0;
        while (DataHeaderFlyweight.HEADER_LENGTH == channel.read(header.clear(), offset))
        {
            final int length = header.getInt(DataHeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET);
            if (length > 0)
            {
                final int type = header.getShort(DataHeaderFlyweight.TYPE_FIELD_OFFSET) & 0xFFFF;
                last = new LastFrame(offset, length, FrameDescriptor.PADDING_FRAME_TYPE == type);
                offset += BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
            }
            else if (0 == last.length())
            {
                // A recording may begin inside its first segment: what comes before is blank.
                offset += FrameDescriptor.FRAME_ALIGNMENT;
            }
            else
            {
                break;
            }
        }

        return last;
    }

    private record LastFrame(long offset, int length, boolean isPadding)
    {
    }
}
