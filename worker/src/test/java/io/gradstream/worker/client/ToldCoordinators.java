// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.LeaveSlotDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SlotTakenEncoder;
import io.gradstream.codecs.coordinator.TakeSlotDecoder;
import io.gradstream.codecs.coordinator.WorkReportDecoder;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkReport;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Coordinators that are always connected, say what a test has them say, and keep what they are told.
 */
public final class ToldCoordinators implements CoordinatorChannel
{
    /** Answers reports of work; null: not at all. */
    public Function<WorkReport, WorkAnswer> work = (report) -> null;
    /** Answers the question for a slot, by its number; null: not at all. */
    public LongFunction<SlotAnswer> slots = (requestId) -> null;
    /** Slots that were left, and whether they have finished. */
    public final Map<Integer, Boolean> left = new TreeMap<>();
    final List<DirectBuffer> said = new ArrayList<>();
    long connection = 1;
    private final List<DirectBuffer> inbox = new ArrayList<>();
    private final ClusterMapCodec codec = new ClusterMapCodec();
    private final List<String> endpoints;
    private Listener receiver;
    private Consistency consistency = Consistency.EVENTUAL;

    /**
     * They have told nothing yet.
     *
     * @param endpoints of the nodes that have registered.
     */
    public ToldCoordinators(final String... endpoints)
    {
        this.endpoints = List.of(endpoints);
    }

    /**
     * They say that the first node leads every partition in epoch 1.
     *
     * @param partitions of the job.
     * @param endpoints  of the nodes that have registered.
     * @return the coordinators.
     */
    public static ToldCoordinators serving(final int partitions, final String... endpoints)
    {
        final ToldCoordinators coordinators = new ToldCoordinators(endpoints);
        coordinators.tell(1, 1, coordinators.chains(partitions));

        return coordinators;
    }

    /**
     * The map by which the first node leads every partition in epoch 1.
     *
     * @param partitions of the job.
     * @param endpoints  of the nodes that have registered.
     * @return the map.
     */
    public static ClusterMap map(final int partitions, final String... endpoints)
    {
        final ToldCoordinators coordinators = new ToldCoordinators(endpoints);
        return coordinators.map(1, 1, coordinators.chains(partitions));
    }

    /**
     * A chain whose version is its epoch.
     *
     * @param epoch   of the chain.
     * @param members from its head on; none for one that nobody leads.
     * @return the chain.
     */
    public static Chain chain(final long epoch, final Integer... members)
    {
        return new Chain(epoch, epoch, List.of(members), Chain.NONE, members.length);
    }

    /**
     * Connect a client.
     *
     * @param newReceiver of the client.
     * @return the channel.
     */
    public CoordinatorChannel open(final Listener newReceiver)
    {
        receiver = newReceiver;
        return this;
    }

    /**
     * Have them say who serves what.
     *
     * @param version     of the map.
     * @param incarnation of the first node; the others' is one more each.
     * @param chains      by partition.
     */
    public void tell(final long version, final long incarnation, final Chain... chains)
    {
        tell(map(version, incarnation, chains));
    }

    /**
     * Have them say that the job's slots are bound otherwise.
     *
     * @param version        of the map.
     * @param partitions     of the job.
     * @param newConsistency of the job.
     * @return these.
     */
    public ToldCoordinators bind(final long version, final int partitions, final Consistency newConsistency)
    {
        consistency = newConsistency;
        tell(version, 1, chains(partitions));

        return this;
    }

    void tell(final ClusterMap map)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = codec.encode(map, buffer, 0);
        inbox.add(new UnsafeBuffer(buffer, 0, length));
    }

    List<Integer> kinds()
    {
        return said.stream().map((message) -> new MessageHeaderDecoder().wrap(message, 0).templateId()).toList();
    }

    @Override
    public int poll(final long nowNs)
    {
        final int count = inbox.size();
        inbox.forEach((message) -> receiver.onMessage(message, 0, message.capacity()));
        inbox.clear();

        return count;
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        answer(new UnsafeBuffer(bytes));
        return said.add(new UnsafeBuffer(bytes));
    }

    private void answer(final DirectBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final ExpandableArrayBuffer answer = new ExpandableArrayBuffer();
        switch (header.wrap(message, 0).templateId())
        {
            case WorkReportDecoder.TEMPLATE_ID ->
            {
                final WorkCodec works = new WorkCodec();
                final WorkAnswer given = work.apply(works.decodeReport(message, 0));
                if (null != given)
                {
                    inbox.add(new UnsafeBuffer(answer, 0, works.encode(given, answer)));
                }
            }
            case TakeSlotDecoder.TEMPLATE_ID ->
            {
                final SlotAnswer given =
                    slots.apply(new TakeSlotDecoder().wrapAndApplyHeader(message, 0, header).requestId());
                if (null != given)
                {
                    final int length = new SlotTakenEncoder().wrapAndApplyHeader(answer, 0, new MessageHeaderEncoder())
                        .requestId(given.requestId())
                        .incarnation(given.incarnation())
                        .slot(given.slot())
                        .slots(given.slots())
                        .encodedLength();
                    inbox.add(new UnsafeBuffer(answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + length));
                }
            }
            case LeaveSlotDecoder.TEMPLATE_ID ->
            {
                final LeaveSlotDecoder decoder = new LeaveSlotDecoder().wrapAndApplyHeader(message, 0, header);
                left.put(decoder.slot(), 0 != decoder.hasFinished());
            }
            default ->
            {
                // kept, and not answered
            }
        }
    }

    @Override
    public long connection()
    {
        return connection;
    }

    @Override
    public String describe()
    {
        return "connected";
    }

    @Override
    public void close()
    {
        connection = 0;
    }

    private Chain[] chains(final int partitions)
    {
        final Integer[] members = new Integer[endpoints.size()];
        Arrays.setAll(members, (node) -> node);
        final Chain[] chains = new Chain[partitions];
        Arrays.fill(chains, chain(1, members));

        return chains;
    }

    private ClusterMap map(final long version, final long incarnation, final Chain... chains)
    {
        final List<Long> incarnations = new ArrayList<>();
        for (int node = 0; node < endpoints.size(); node++)
        {
            incarnations.add(incarnation + node);
        }

        return new ClusterMap(
            new JobSpec(chains.length, 1, endpoints.size(), 64, 1000, JobSpec.MIN_REPAIR_DELAY_MS,
                RecoveryMode.REPLAY).with(consistency),
            endpoints, Collections.nCopies(chains.length, List.of(0)),
            new ChainMap(version, incarnations, List.of(chains)));
    }
}
