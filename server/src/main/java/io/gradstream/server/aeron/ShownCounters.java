// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.exceptions.RegistrationException;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;

/**
 * A row of counters in the media driver's directory, added without waiting. Their keys are the node's id and, for a
 * replica, its partition.
 */
final class ShownCounters implements AutoCloseable
{
    /** Bytes of a key: node id, then partition. */
    static final int KEY_LENGTH = 2 * Integer.BYTES;
    /** In place of a partition: the counter is the node's. */
    static final int NO_PARTITION = -1;

    private final Aeron aeron;
    private final int nodeId;
    private final int partition;
    private final long[] registrations;
    private final Counter[] counters;

    ShownCounters(final Aeron aeron, final int nodeId, final int partition, final int count)
    {
        this.aeron = aeron;
        this.nodeId = nodeId;
        this.partition = partition;
        registrations = new long[count];
        counters = new Counter[count];
    }

    void add(final int index, final int typeId, final String name)
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
        key.putInt(0, nodeId);
        key.putInt(Integer.BYTES, partition);
        final byte[] label = ("gradstream node=" + nodeId +
            (NO_PARTITION == partition ? "" : " partition=" + partition) + " " +
            name.toLowerCase(java.util.Locale.ROOT).replace('_', '-')).getBytes(StandardCharsets.US_ASCII);
        registrations[index] = aeron.asyncAddCounter(
            typeId, key, 0, KEY_LENGTH, new UnsafeBuffer(label), 0, label.length);
    }

    void set(final int index, final long value)
    {
        if (null == counters[index] && Aeron.NULL_VALUE != registrations[index])
        {
            open(index);
        }
        if (null != counters[index] && !counters[index].isClosed())
        {
            counters[index].setRelease(value);
        }
    }

    private void open(final int index)
    {
        try
        {
            counters[index] = aeron.getCounter(registrations[index]);
        }
        catch (final RegistrationException ex)
        {
            // the driver has no room for it: a node that cannot be looked at must serve all the same
            registrations[index] = Aeron.NULL_VALUE;
        }
    }

    /** A counter may not have been looked for since the driver added it, or not be added yet. */
    @Override
    public void close()
    {
        for (int i = 0; i < registrations.length && !aeron.isClosed(); i++)
        {
            if (null == counters[i] && Aeron.NULL_VALUE != registrations[i])
            {
                open(i);
            }
            if (null == counters[i] && Aeron.NULL_VALUE != registrations[i])
            {
                aeron.asyncRemoveCounter(registrations[i]);
            }
        }
        CloseHelper.quietCloseAll(counters);
    }
}
