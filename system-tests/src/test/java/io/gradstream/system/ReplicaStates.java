// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.TreeMap;

import io.aeron.CncFileDescriptor;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.aeron.ReplicaCounter;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.status.CountersReader;

/** What the counters of a server's media driver say of its replicas, for a test that fails. */
final class ReplicaStates
{
    private ReplicaStates()
    {
    }

    /** Each partition's state and how far it has applied its log, or why that cannot be read. */
    static String read(final Path aeronDirectory)
    {
        MappedByteBuffer cnc = null;
        try
        {
            cnc = IoUtil.mapExistingFile(aeronDirectory.resolve(CncFileDescriptor.CNC_FILE).toFile(), "cnc");
            final DirectBuffer metadata = CncFileDescriptor.createMetaDataBuffer(cnc);
            return read(new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(cnc, metadata),
                CncFileDescriptor.createCountersValuesBuffer(cnc, metadata)));
        }
        catch (final RuntimeException ex)
        {
            return ex.toString();
        }
        finally
        {
            IoUtil.unmap(cnc);
        }
    }

    private static String read(final CountersReader counters)
    {
        final TreeMap<Integer, String> states = new TreeMap<>();
        final TreeMap<Integer, Long> applied = new TreeMap<>();
        counters.forEach((counterId, typeId, key, label) ->
        {
            final long value = counters.getCounterValue(counterId);
            if (ReplicaCounter.STATE.typeId() == typeId)
            {
                states.merge(key.getInt(Integer.BYTES), Replica.State.values()[(int)value].name(),
                    (before, now) -> before + '|' + now);
            }
            else if (ReplicaCounter.APPLIED.typeId() == typeId)
            {
                applied.merge(key.getInt(Integer.BYTES), value, Math::max);
            }
        });
        states.replaceAll((partition, state) -> state + '@' + applied.get(partition));

        return states.toString();
    }
}
