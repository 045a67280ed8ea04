// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import io.aeron.Aeron;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Damaged recordings that the Archive does not offer. Its clients could not tell one from a recording that never was,
 * and would start over where they have lost everything: so each is announced by a counter of the media driver.
 * <p>
 * The counter's key is the recording id and the Archive's id, 8 bytes each, little endian; its label ends with the
 * alias of the recorded stream.
 *
 * @param newest recording id by alias of the stream.
 */
public record WithdrawnRecordings(Map<String, Long> newest)
{
    /** Type of the counters, in the range that Aeron leaves to others. */
    public static final int COUNTER_TYPE_ID = 8021;
    /** Most counters; a directory with more damage than that is not started. */
    static final int MAX_ANNOUNCED = 1024;
    /** Below every recording id. */
    public static final long NO_RECORDING = -1;
    /** Of a catalog of which nothing is withdrawn. */
    public static final WithdrawnRecordings NONE = new WithdrawnRecordings(Map.of());

    private static final String LABEL = "withdrawn recording: alias=";

    public static WithdrawnRecordings read(final Path catalogFile) throws IOException
    {
        final Map<String, Long> newest = new HashMap<>();
        ArchiveCatalog.read(catalogFile).forEach((entry) ->
        {
            if (!entry.isValid())
            {
                newest.merge(alias(entry), entry.descriptor().recordingId(), Math::max);
            }
        });

        return new WithdrawnRecordings(newest);
    }

    public boolean isEmpty()
    {
        return newest.isEmpty();
    }

    /**
     * Until the client is closed. To be called before the Archive has clients.
     *
     * @param archiveId of the Archive, one of several on a driver.
     */
    public void announce(final Aeron client, final long archiveId)
    {
        if (newest.size() > MAX_ANNOUNCED)
        {
            throw new IllegalStateException("recordings of " + newest.size() + " streams are damaged, at most " +
                MAX_ANNOUNCED + " can be: bring the directory back from a copy, or begin with an empty one");
        }
        final UnsafeBuffer key = new UnsafeBuffer(new byte[2 * Long.BYTES]);
        key.putLong(Long.BYTES, archiveId);
        newest.forEach((alias, recordingId) ->
        {
            key.putLong(0, recordingId);
            final byte[] label = (LABEL + alias).getBytes(StandardCharsets.US_ASCII);
            client.addCounter(
                COUNTER_TYPE_ID, key, 0, key.capacity(), new UnsafeBuffer(label), 0, label.length);
        });
    }

    /** The newest recording of a stream in an Archive that is announced, or {@link #NO_RECORDING}. */
    public static long find(final CountersReader counters, final long archiveId, final String alias)
    {
        final String label = LABEL + alias;
        final MutableLong newest = new MutableLong(NO_RECORDING);
        counters.forEach((counterId, typeId, key, counterLabel) ->
        {
            if (COUNTER_TYPE_ID == typeId && archiveId == key.getLong(Long.BYTES) && label.equals(counterLabel))
            {
                newest.set(Math.max(newest.get(), key.getLong(0)));
            }
        });

        return newest.get();
    }

    private static String alias(final ArchiveCatalog entry)
    {
        try
        {
            return entry.alias();
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException ex)
        {
            return "";
        }
    }
}
