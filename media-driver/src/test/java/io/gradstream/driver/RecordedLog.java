// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import io.aeron.archive.codecs.RecordingState;
import io.aeron.archive.status.RecordingPos;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.driver.files.ArchiveCatalog;
import org.agrona.BitUtil;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A small recording whose file a test damages as a crash or a disk would.
 */
final class RecordedLog
{
    private static final int MESSAGE_LENGTH = 6000;
    private static final int PAGE_LENGTH = 4096;
    private static final int REPLAY_STREAM_ID = 7002;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    // A replay that meets damage just ends: this long without a message is its end.
    private static final long REPLAY_SILENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path archiveDirectory;
    private final int messages;
    private final int frameLength;
    private final long stopPosition;

    private RecordedLog(
        final Path archiveDirectory, final int messages, final int messageLength, final long stopPosition)
    {
        this.archiveDirectory = archiveDirectory;
        this.messages = messages;
        this.stopPosition = stopPosition;
        frameLength = BitUtil.align(
            messageLength + DataHeaderFlyweight.HEADER_LENGTH, FrameDescriptor.FRAME_ALIGNMENT);
    }

    static RecordedLog record(final Path aeronDirectory, final Path archiveDirectory, final int messages)
    {
        return record(aeronDirectory, archiveDirectory, RecordingProcess.CHANNEL, messages, MESSAGE_LENGTH);
    }

    static RecordedLog record(
        final Path aeronDirectory,
        final Path archiveDirectory,
        final String channel,
        final int messages,
        final int messageLength)
    {
        final long stopPosition;
        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext());
            ExclusivePublication publication = client.addRecordedExclusivePublication(
                channel, RecordingProcess.STREAM_ID))
        {
            stopPosition = append(client, publication, messages, messageLength);
        }

        return new RecordedLog(archiveDirectory, messages, messageLength, stopPosition);
    }

    /** Append to a recorded stream; the position up to which it is recorded. */
    static long append(
        final AeronArchive client,
        final ExclusivePublication publication,
        final int messages,
        final int messageLength)
    {
        final byte[] bytes = new byte[messageLength];
        Arrays.fill(bytes, (byte)0x5A);
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        final CountersReader counters = client.context().aeron().countersReader();
        Await.until(TIMEOUT_NS, () -> findCounter(counters, publication) != CountersReader.NULL_COUNTER_ID);
        for (int i = 0; i < messages; i++)
        {
            Await.until(TIMEOUT_NS, () -> publication.offer(message) > 0);
        }
        Await.until(TIMEOUT_NS,
            () -> counters.getCounterValue(findCounter(counters, publication)) == publication.position());

        return publication.position();
    }

    private static int findCounter(final CountersReader counters, final ExclusivePublication publication)
    {
        return RecordingPos.findCounterIdBySession(counters, publication.sessionId(), Aeron.NULL_VALUE);
    }

    long stopPosition()
    {
        return stopPosition;
    }

    long lastFragmentOffset()
    {
        return stopPosition() - frameLength;
    }

    void tearLastFragment() throws IOException
    {
        final long firstPageAfter = BitUtil.align(lastFragmentOffset() + 1, PAGE_LENGTH);
        write(firstPageAfter, new byte[(int)(stopPosition() - firstPageAfter)]);
    }

    void replaceLastFragmentByPadding() throws IOException
    {
        write(lastFragmentOffset() + DataHeaderFlyweight.TYPE_FIELD_OFFSET,
            new byte[]{ (byte)FrameDescriptor.PADDING_FRAME_TYPE, 0 });
        write(lastFragmentOffset() + DataHeaderFlyweight.HEADER_LENGTH,
            new byte[frameLength - DataHeaderFlyweight.HEADER_LENGTH]);
    }

    /** As a kill between two blocks leaves it: the last frames were never written. */
    void blankFrom(final long offset) throws IOException
    {
        write(offset, new byte[(int)(stopPosition - offset)]);
    }

    void flipByte(final long offset) throws IOException
    {
        write(offset, new byte[]{ 0x5B });
    }

    // As a kill leaves it: no mark of a clean stop, and a catalog entry without a stop position.
    void pretendKilled() throws IOException
    {
        Files.delete(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE));
        stopAt(AeronArchive.NULL_POSITION);
    }

    int replayedMessages(final Path aeronDirectory)
    {
        final MutableInteger received = new MutableInteger();
        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext());
            Subscription replay = client.replay(
                0, 0, stopPosition(), RecordingProcess.CHANNEL, REPLAY_STREAM_ID))
        {
            long deadlineNs = System.nanoTime() + REPLAY_SILENCE_NS;
            while (received.get() < messages && System.nanoTime() < deadlineNs)
            {
                final int polled = replay.poll((buffer, offset, length, header) -> received.increment(), messages);
                if (polled > 0)
                {
                    deadlineNs = System.nanoTime() + REPLAY_SILENCE_NS;
                }
                Thread.yield();
            }
        }

        return received.get();
    }

    void write(final long offset, final byte[] bytes) throws IOException
    {
        try (FileChannel channel = FileChannel.open(
            archiveDirectory.resolve("0-0.rec"), StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(bytes), offset);
        }
    }

    /** As a truncation leaves the catalog before it has touched files. */
    void stopAt(final long position) throws IOException
    {
        final ArchiveCatalog catalog = ArchiveCatalog.read(archiveDirectory.resolve(ArchiveCatalog.FILE_NAME));
        catalog.forEach((entry) -> entry.stop(position, 0));
        catalog.write();
    }

    /** As a kill leaves the catalog that comes before the new entry is counted. */
    void addUncountedEntry(final RecordingState state) throws IOException
    {
        final Path file = archiveDirectory.resolve(ArchiveCatalog.FILE_NAME);
        final UnsafeBuffer catalog = new UnsafeBuffer(Files.readAllBytes(file));
        final CatalogHeaderDecoder header = new CatalogHeaderDecoder().wrap(
            catalog, 0, CatalogHeaderDecoder.BLOCK_LENGTH, CatalogHeaderDecoder.SCHEMA_VERSION);
        final int first = CatalogHeaderDecoder.BLOCK_LENGTH;
        final int length = BitUtil.align(
            RecordingDescriptorHeaderDecoder.BLOCK_LENGTH + catalog.getInt(first), header.alignment());
        catalog.putBytes(first + length, catalog, first, length);
        new RecordingDescriptorHeaderEncoder().wrap(catalog, first + length).state(state).checksum(0);
        new RecordingDescriptorEncoder()
            .wrap(catalog, first + length + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH)
            .recordingId(1).stopPosition(AeronArchive.NULL_POSITION);
        Files.write(file, catalog.byteArray());
        Files.delete(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE));
    }

    /** Does the catalog say that the Archive may offer it, and where it stops? */
    String catalogued() throws IOException
    {
        final StringBuilder text = new StringBuilder();
        ArchiveCatalog.read(archiveDirectory.resolve(ArchiveCatalog.FILE_NAME)).forEach((entry) ->
            text.append(entry.isValid() ? "valid" : "invalid").append(" stop=")
                .append(entry.descriptor().stopPosition()));
        return text.toString();
    }
}
