// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.CatalogHeaderEncoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import io.aeron.archive.codecs.RecordingState;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The catalog of an Archive whose process is known dead: its entries may be read and mended in memory, then written
 * back.
 * <p>
 * The Archive writes an entry and the number of the next recording apart, and refuses to start on a catalog whose next
 * number is taken: such a number is raised. It writes stop positions and checksums of entries apart too, so after a
 * kill a checksum may be stale: all are written again. An entry that rotted is still found, since {@link TailRepair}
 * compares it with the frames recorded.
 */
public final class ArchiveCatalog
{
    /** In the directory of its Archive. */
    public static final String FILE_NAME = "archive.catalog";

    /** Longest catalog read; one of 100,000 recordings has a third of it. */
    private static final int MAX_LENGTH = 64 * 1024 * 1024;
    private static final int HEADER_LENGTH = RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;
    // Of catalogs older than the alignment field.
    private static final int DEFAULT_ALIGNMENT = 1024;

    private final RecordingDescriptorHeaderDecoder header = new RecordingDescriptorHeaderDecoder();
    private final RecordingDescriptorHeaderEncoder headerEncoder = new RecordingDescriptorHeaderEncoder();
    private final RecordingDescriptorDecoder descriptor = new RecordingDescriptorDecoder();
    private final RecordingDescriptorEncoder descriptorEncoder = new RecordingDescriptorEncoder();
    private final CatalogHeaderDecoder catalogHeader = new CatalogHeaderDecoder();
    private final Path file;
    private final UnsafeBuffer catalog;
    private long recordings;
    private String damage;

    private ArchiveCatalog(final Path file, final UnsafeBuffer catalog)
    {
        this.file = file;
        this.catalog = catalog;
        catalogHeader.wrap(catalog, 0, CatalogHeaderDecoder.BLOCK_LENGTH, CatalogHeaderDecoder.SCHEMA_VERSION);
    }

    /** Read the whole file of an Archive that does not run. */
    public static ArchiveCatalog read(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            if (channel.size() > MAX_LENGTH)
            {
                throw new IOException(file + " is longer than a catalog may be, length=" + channel.size());
            }
            final ByteBuffer bytes = BufferUtil.allocateDirectAligned((int)channel.size(), Long.BYTES);
            int read = 0;
            while (bytes.hasRemaining() && read >= 0)
            {
                read = channel.read(bytes, bytes.position());
            }

            return new ArchiveCatalog(file, new UnsafeBuffer(bytes));
        }
    }

    /** Show each entry that was not deleted, to be read and mended. The checksum of each is right afterwards. */
    public int forEach(final Mender mender) throws IOException
    {
        final Checksum checksums = Checksums.crc32c();
        final boolean hasAlignment = 0 != catalogHeader.alignment();
        final int alignment = hasAlignment ? catalogHeader.alignment() : DEFAULT_ALIGNMENT;
        if (!BitUtil.isPowerOfTwo(alignment))
        {
            throw new IOException(file + " is not the catalog of an Archive: alignment=" + alignment);
        }
        int changed = 0;
        int offset = hasAlignment ? CatalogHeaderDecoder.BLOCK_LENGTH : DEFAULT_ALIGNMENT;
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
                damage = "entry at offset=" + offset + " has length=" + length;
                break;
            }

            wrap(offset);
            recordings = Math.max(recordings, descriptor.recordingId() + 1);
            final RecordingState state = header.state();
            if (RecordingState.VALID == state || RecordingState.INVALID == state)
            {
                mender.onEntry(this);
            }
            final int checksum = checksums.compute(catalog.addressOffset(), offset + HEADER_LENGTH, length);
            // the checksum does not cover the state
            if (checksum != header.checksum() || state != header.state())
            {
                headerEncoder.wrap(catalog, offset).checksum(checksum);
                changed++;
            }
            offset += BitUtil.align(HEADER_LENGTH + length, alignment);
        }

        return changed;
    }

    /** The damage that kept the last {@link #forEach} from going on to the end, or null. */
    public String damage()
    {
        return damage;
    }

    /** Of the entry shown now. */
    public RecordingDescriptorDecoder descriptor()
    {
        return descriptor;
    }

    public boolean isValid()
    {
        return RecordingState.VALID == header.state();
    }

    void valid(final boolean isValid)
    {
        headerEncoder.state(isValid ? RecordingState.VALID : RecordingState.INVALID);
    }

    /** True if the entry's Archive was killed before the catalog counted the entry. Then nobody was told of it. */
    boolean isUnfinished()
    {
        return descriptor.recordingId() >= catalogHeader.nextRecordingId();
    }

    public void delete()
    {
        headerEncoder.state(RecordingState.DELETED);
    }

    long nextRecordingId()
    {
        return catalogHeader.nextRecordingId();
    }

    /** Let no new recording have the id of an entry that was shown, or of one with files. False if none had. */
    boolean raiseNextRecordingId(final long recordingsWithFiles)
    {
        final long next = Math.max(recordings, recordingsWithFiles);
        if (next <= nextRecordingId())
        {
            return false;
        }
        new CatalogHeaderEncoder().wrap(catalog, 0).nextRecordingId(next);

        return true;
    }

    /**
     * Alias of its stream, or empty if it has none.
     *
     * @throws IllegalArgumentException  if its channel cannot be read.
     * @throws IndexOutOfBoundsException if its channel cannot be read.
     */
    public String alias()
    {
        descriptor.sbeRewind();
        descriptor.skipStrippedChannel();

        return ChannelUri.parse(descriptor.originalChannel()).get(CommonContext.ALIAS_PARAM_NAME, "");
    }

    public void stop(final long position, final long timestampMs)
    {
        descriptorEncoder.stopPosition(position).stopTimestamp(timestampMs);
    }

    public void write() throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            final ByteBuffer bytes = catalog.byteBuffer().clear();
            while (bytes.hasRemaining())
            {
                channel.write(bytes, bytes.position());
            }
        }
    }

    private void wrap(final int offset)
    {
        headerEncoder.wrap(catalog, offset);
        descriptor.wrap(
            catalog, offset + HEADER_LENGTH, RecordingDescriptorDecoder.BLOCK_LENGTH,
            RecordingDescriptorDecoder.SCHEMA_VERSION);
        descriptorEncoder.wrap(catalog, offset + HEADER_LENGTH);
    }

    /** Called with each entry. */
    public interface Mender
    {
        void onEntry(ArchiveCatalog entry) throws IOException;
    }
}
