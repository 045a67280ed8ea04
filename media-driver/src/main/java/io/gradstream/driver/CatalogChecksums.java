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

import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Brings the checksums of an Archive's catalog entries in line with the entries, where the process is known dead.
 * <p>
 * Archive and its tool write stop positions and checksums apart, and the tool's repair writes no checksum at all: the
 * second repair would find every entry the first one mended faulty, and take its recording away. An entry that rotted
 * is still found, since the same repair compares it with the frames recorded.
 */
final class CatalogChecksums
{
    private static final int HEADER_LENGTH = RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;

    // Of catalogs older than the alignment field.
    private static final int DEFAULT_ALIGNMENT = 1024;

    private CatalogChecksums()
    {
    }

    /**
     * Write the checksum of each entry.
     *
     * @param catalogFile of an Archive that does not run.
     * @return entries whose checksum was stale.
     * @throws IOException if the file cannot be read or written.
     */
    static int refresh(final Path catalogFile) throws IOException
    {
        try (FileChannel channel = FileChannel.open(
            catalogFile, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final ByteBuffer bytes = BufferUtil.allocateDirectAligned((int)channel.size(), Long.BYTES);
            int read = 0;
            while (bytes.hasRemaining() && read >= 0)
            {
                read = channel.read(bytes, bytes.position());
            }

            final int stale = refreshEntries(new UnsafeBuffer(bytes));
            if (stale > 0)
            {
                bytes.clear();
                while (bytes.hasRemaining())
                {
                    channel.write(bytes, bytes.position());
                }
            }

            return stale;
        }
    }

    private static int refreshEntries(final UnsafeBuffer catalog)
    {
        final CatalogHeaderDecoder catalogHeader = new CatalogHeaderDecoder();
        final RecordingDescriptorHeaderDecoder entry = new RecordingDescriptorHeaderDecoder();
        final RecordingDescriptorHeaderEncoder encoder = new RecordingDescriptorHeaderEncoder();
        catalogHeader.wrap(
            catalog, 0, CatalogHeaderDecoder.BLOCK_LENGTH, CatalogHeaderDecoder.SCHEMA_VERSION);

        final boolean hasAlignment = 0 != catalogHeader.alignment();
        final int alignment = hasAlignment ? catalogHeader.alignment() : DEFAULT_ALIGNMENT;
        int stale = 0;
        int offset = hasAlignment ? CatalogHeaderDecoder.BLOCK_LENGTH : DEFAULT_ALIGNMENT;
        while (offset <= catalog.capacity() - HEADER_LENGTH)
        {
            entry.wrap(catalog, offset, HEADER_LENGTH, RecordingDescriptorHeaderDecoder.SCHEMA_VERSION);
            final int length = entry.length();
            if (length <= 0 || length > catalog.capacity() - offset - HEADER_LENGTH)
            {
                break;
            }

            final int checksum = Checksums.crc32c().compute(catalog.addressOffset(), offset + HEADER_LENGTH, length);
            if (checksum != entry.checksum())
            {
                encoder.wrap(catalog, offset).checksum(checksum);
                stale++;
            }
            offset += BitUtil.align(HEADER_LENGTH + length, alignment);
        }

        return stale;
    }
}
