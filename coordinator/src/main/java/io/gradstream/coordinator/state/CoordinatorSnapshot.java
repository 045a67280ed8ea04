// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SnapshotChainDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainEncoder;
import io.gradstream.codecs.coordinator.SnapshotReachDecoder;
import io.gradstream.codecs.coordinator.SnapshotSlotDecoder;
import io.gradstream.codecs.coordinator.SnapshotStateDecoder;
import io.gradstream.codecs.coordinator.SnapshotStateEncoder;
import io.gradstream.codecs.coordinator.SnapshotWorkDecoder;
import io.gradstream.codecs.coordinator.SnapshotWorkerDecoder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Writes the whole state as messages and reads it back: a coordinator that goes on from it decides as one that went on
 * without a stop.
 */
public final class CoordinatorSnapshot
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private CoordinatorState state;
    private int chainsMissing = -1;

    /** Takes the messages of a snapshot in their order. */
    @FunctionalInterface
    public interface Output
    {
        /**
         * One message.
         *
         * @param buffer that holds it until this returns.
         * @param offset where it begins.
         * @param length bytes.
         */
        void onMessage(DirectBuffer buffer, int offset, int length);
    }

    /**
     * Write a state.
     *
     * @param state  to write.
     * @param output takes the messages.
     */
    public static void write(final CoordinatorState state, final Output output)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
        final SnapshotStateEncoder encoder = new SnapshotStateEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .version(state.version)
            .failovers(state.failovers)
            .spuriousFailovers(state.spuriousFailovers);
        encoder.chains(state.chains.size()).clusterId(state.clusterId)
            .settledMs(state.balance.settledMs).settledVersion(state.balance.settledVersion);
        state.jobs.encode(encoder);
        final SnapshotStateEncoder.NodesEncoder nodes = encoder.nodesCount(state.nodes.size());
        for (final NodeRecord node : state.nodes)
        {
            nodes.next()
                .incarnation(node.incarnation)
                .deposed(node.deposed)
                .heardMs(node.heardMs)
                .isSeenAlive(flag(node.isSeenAlive))
                .isDraining(flag(node.isDraining))
                .hasReported(flag(node.hasReported))
                .reportNumber(node.reportNumber)
                .endpoint(node.endpoint);
        }
        output.onMessage(buffer, 0, HEADER_LENGTH + encoder.encodedLength());

        state.complaints.encode(buffer, headerEncoder, output);
        state.leads().encode(buffer, headerEncoder, output);
        SlotSnapshot.encode(state, buffer, headerEncoder, output);
        final SnapshotChainEncoder chainEncoder = new SnapshotChainEncoder();
        for (final int partition : state.chains.keySet())
        {
            chainEncoder.wrapAndApplyHeader(buffer, 0, headerEncoder).partition(partition);
            state.chains.get(partition).encode(chainEncoder);
            output.onMessage(buffer, 0, HEADER_LENGTH + chainEncoder.encodedLength());
        }
    }

    /**
     * Read the next message of a snapshot.
     *
     * @param buffer that holds it.
     * @param offset where it begins.
     * @param length bytes.
     * @throws IllegalStateException if it is not the one that should follow, or is of another version of Gradstream.
     */
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        final int templateId = length < HEADER_LENGTH || MessageHeaderDecoder.SCHEMA_ID !=
            header.wrap(buffer, offset).schemaId() ? -1 : header.templateId();
        if (-1 != templateId && MessageHeaderDecoder.SCHEMA_VERSION != header.version())
        {
            throw new IllegalStateException(otherVersion("snapshot", header.version()));
        }
        if (SnapshotStateDecoder.TEMPLATE_ID == templateId && null == state)
        {
            readState(new SnapshotStateDecoder().wrapAndApplyHeader(buffer, offset, header));
        }
        else if (SnapshotChainDecoder.TEMPLATE_ID == templateId && chainsMissing > 0)
        {
            final SnapshotChainDecoder decoder = new SnapshotChainDecoder().wrapAndApplyHeader(buffer, offset, header);
            state.chains.put(decoder.partition(), PartitionChain.decode(decoder));
            chainsMissing--;
        }
        else if (SnapshotReachDecoder.TEMPLATE_ID == templateId && chainsMissing > 0)
        {
            state.complaints.decode(new SnapshotReachDecoder().wrapAndApplyHeader(buffer, offset, header));
        }
        else if (SnapshotWorkerDecoder.TEMPLATE_ID == templateId && chainsMissing > 0)
        {
            state.leads().decode(new SnapshotWorkerDecoder().wrapAndApplyHeader(buffer, offset, header));
        }
        else if (SnapshotWorkDecoder.TEMPLATE_ID == templateId && chainsMissing > 0)
        {
            SlotSnapshot.decode(state, new SnapshotWorkDecoder().wrapAndApplyHeader(buffer, offset, header));
        }
        else if (SnapshotSlotDecoder.TEMPLATE_ID == templateId && chainsMissing > 0)
        {
            SlotSnapshot.decode(state, new SnapshotSlotDecoder().wrapAndApplyHeader(buffer, offset, header));
        }
        else
        {
            throw new IllegalStateException("a snapshot of the coordinator is broken: template=" + templateId +
                " length=" + length + " chains missing=" + chainsMissing);
        }
    }

    /**
     * The reason why a coordinator does not go on from what another version of Gradstream has left.
     *
     * @param what    was read: a log or a snapshot.
     * @param version of its schema.
     * @return a sentence that says what to do.
     */
    public static String otherVersion(final String what, final int version)
    {
        return "the coordinators' " + what + " was written by another version of Gradstream: schema " + version +
            ", and this one reads " + MessageHeaderDecoder.SCHEMA_VERSION + ". Go on with that version, or start over" +
            " with an empty --dir of every coordinator and of every server";
    }

    /** True if everything has been read. */
    public boolean isComplete()
    {
        return 0 == chainsMissing;
    }

    /**
     * The state that was read.
     *
     * @return the state.
     * @throws IllegalStateException if messages are missing.
     */
    public CoordinatorState state()
    {
        if (!isComplete())
        {
            throw new IllegalStateException("a snapshot of the coordinator ends too early: chains missing=" +
                chainsMissing);
        }

        return state;
    }

    private void readState(final SnapshotStateDecoder decoder)
    {
        state = new CoordinatorState();
        state.version = decoder.version();
        state.failovers = decoder.failovers();
        state.spuriousFailovers = decoder.spuriousFailovers();
        state.clusterId = decoder.clusterId();
        state.balance.settledMs = decoder.settledMs();
        state.balance.settledVersion = decoder.settledVersion();
        chainsMissing = decoder.chains();
        state.jobs.decode(decoder);
        for (final SnapshotStateDecoder.NodesDecoder node : decoder.nodes())
        {
            final NodeRecord record = new NodeRecord();
            record.incarnation = node.incarnation();
            record.deposed = node.deposed();
            record.heardMs = node.heardMs();
            record.isSeenAlive = 0 != node.isSeenAlive();
            record.isDraining = 0 != node.isDraining();
            record.hasReported = 0 != node.hasReported();
            record.reportNumber = node.reportNumber();
            record.endpoint = node.endpoint();
            state.nodes.add(record);
        }
    }

    private static short flag(final boolean value)
    {
        return (short)(value ? 1 : 0);
    }
}
