// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.simulator.coordinator.PlantedCoordinatorFaults;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.Spool;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Commits the planted faults of a worker: it changes the bytes that come to the client and tampers with its spools. */
final class PlantedWorkerFaults
{
    private static final long NEWEST = 1L << 40;

    private final World world;
    private final PlantedCoordinatorFaults lies;
    private final long incarnation;
    private final long[] lastHello;
    private UnsafeBuffer late;
    private final HelloDecoder hello = new HelloDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();
    private final RowsDecoder rows = new RowsDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    private final PullDecoder pull = new PullDecoder();
    /** By partition: the pulls that were asked, without those that it has said something of since. */
    private final List<Set<Long>> asked;
    private int[] refusals = {};

    PlantedWorkerFaults(final World world, final PlantedCoordinatorFaults lies, final long incarnation)
    {
        this.world = world;
        this.lies = lies;
        this.incarnation = incarnation;
        lastHello = new long[world.config().partitions()];
        asked = Stream.<Set<Long>>generate(HashSet::new).limit(lastHello.length).toList();
    }

    /** The level at which the sessions let go of pushes. */
    AckLevel ackLevel(final AckLevel promised)
    {
        return world.isPlanted(PlantedFault.RELEASE_AT_APPLIED) ? AckLevel.APPLIED : promised;
    }

    /** Returns what the coordinators' message is taken for. */
    DirectBuffer map(final DirectBuffer buffer, final int offset, final int length)
    {
        final ClusterMapCodec codec = new ClusterMapCodec();
        if (lies.hasLied() && codec.isMap(buffer, offset, length))
        {
            final ClusterMap sent = codec.decode(buffer, offset, length);
            final ExpandableArrayBuffer copy = new ExpandableArrayBuffer();
            final int copied = codec.encode(new ClusterMap(
                sent.job(), sent.endpoints(), sent.assignment(), lies.map(sent.chains()), sent.clusterId()), copy, 0);
            return new UnsafeBuffer(copy, 0, copied);
        }

        return new UnsafeBuffer(buffer, offset, length);
    }

    /** Send what the client says, or something in its place; false if not now. */
    boolean send(final WorkerLink.Requests requests, final UnsafeBuffer message)
    {
        final int kind = header.wrap(message, 0).templateId();
        if (HelloDecoder.TEMPLATE_ID == kind)
        {
            hello.wrapAndApplyHeader(message, 0, header);
            lastHello[hello.partition()] = hello.helloId();
        }

        return PullDecoder.TEMPLATE_ID == kind ?
            sendPull(requests, message) : requests.offer(message, 0, message.capacity());
    }

    private boolean sendPull(final WorkerLink.Requests requests, final UnsafeBuffer message)
    {
        if (world.isPlanted(PlantedFault.PULL_BEFORE_OWN_PUSHES))
        {
            putLong(message, PullDecoder.lastSequenceEncodingOffset(), 0);
        }
        if (world.isPlanted(PlantedFault.PULL_WITHOUT_CLOCK))
        {
            putLong(message, PullDecoder.clockEncodingOffset(), 0);
        }
        pull.wrapAndApplyHeader(message, 0, header);
        final boolean isAgain = world.isPlanted(PlantedFault.PULL_ASKED_ONCE) &&
            asked.get(pull.partition()).contains(pull.requestId());
        final boolean isSent = isAgain || requests.offer(message, 0, message.capacity());
        if (isSent)
        {
            asked.get(pull.partition()).add(pull.requestId());
        }

        return isSent;
    }

    /** A session that is told nothing is taken for one that is told nothing new. */
    void beforeWork(final Client client)
    {
        for (int i = 0; i < client.partitions() && world.isPlanted(PlantedFault.SESSION_FORGOTTEN_UNSEEN); i++)
        {
            client.session(i).onWatermarks(client.session(i).epoch(), 0, 0, 0, 0, world.events().nowNs());
        }
    }

    /**
     * True if rows are to arrive after those that come next: who takes older rows must have some. Without a plant rows
     * overtake each other too seldom.
     */
    boolean keepsBack(final UnsafeBuffer message)
    {
        final boolean isKept = null == late && world.isPlanted(PlantedFault.OLDER_ROWS_ACCEPTED);
        if (isKept)
        {
            final byte[] bytes = new byte[message.capacity()];
            message.getBytes(0, bytes);
            late = new UnsafeBuffer(bytes);
        }

        return isKept;
    }

    /** Returns the rows that were kept back, once, or null. */
    UnsafeBuffer keptBack()
    {
        final UnsafeBuffer kept = late;
        late = null;
        return kept;
    }

    /** A message is about to reach the client. */
    void beforeAnswer(final UnsafeBuffer message, final Client client)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case WelcomeDecoder.TEMPLATE_ID ->
            {
                final int partition = welcome.wrapAndApplyHeader(message, 0, header).partition();
                refusals = refusals(client.session(partition));
                asked.get(partition).clear();
                if (world.isPlanted(PlantedFault.LATE_WELCOME_ACCEPTED))
                {
                    putLong(message, WelcomeDecoder.incarnationEncodingOffset(), incarnation);
                    putLong(message, WelcomeDecoder.helloIdEncodingOffset(), lastHello[partition]);
                }
            }
            case RefusedDecoder.TEMPLATE_ID ->
            {
                final int partition = refused.wrapAndApplyHeader(message, 0, header).partition();
                asked.get(partition).remove(refused.requestId());
                if (world.isPlanted(PlantedFault.LATE_REFUSAL_ACCEPTED))
                {
                    putLong(message, RefusedDecoder.incarnationEncodingOffset(), incarnation);
                    putLong(message, RefusedDecoder.helloIdEncodingOffset(), lastHello[partition]);
                }
            }
            case WatermarksDecoder.TEMPLATE_ID -> onWatermarks(message, client);
            case RowsDecoder.TEMPLATE_ID ->
            {
                rows.wrapAndApplyHeader(message, 0, header);
                asked.get(rows.partition()).remove(rows.requestId());
                if (world.isPlanted(PlantedFault.OLDER_ROWS_ACCEPTED))
                {
                    putLong(message, RowsDecoder.epochEncodingOffset(), NEWEST);
                    putLong(message, RowsDecoder.positionEncodingOffset(), NEWEST);
                }
            }
            default ->
            {
                // nothing is planted there
            }
        }
    }

    /** A welcome has reached the client. */
    void afterWelcome(final PartitionSession session)
    {
        for (int i = 0; i < refusals.length && world.isPlanted(PlantedFault.REFUSAL_KEPT_FOR_THE_NEXT_EPOCH); i++)
        {
            session.spool().refuse(session.spool().oldest() + i, refusals[i]);
        }
    }

    private void onWatermarks(final UnsafeBuffer message, final Client client)
    {
        final boolean isAnyEpoch = world.isPlanted(PlantedFault.STALE_EPOCH_ACCEPTED);
        final boolean isSafeAtOnce = world.isPlanted(PlantedFault.REFUSAL_TOLD_BEFORE_IT_IS_SAFE);
        if (!isAnyEpoch && !isSafeAtOnce)
        {
            return;
        }
        final long[] unsafe = isSafeAtOnce ? newestRefused(message) : new long[world.config().partitions()];
        watermarks.wrapAndApplyHeader(message, 0, header);
        final WatermarksDecoder.PartitionsDecoder entries = watermarks.partitions();
        while (entries.hasNext())
        {
            final int offset = watermarks.limit();
            final PartitionSession session = client.session(entries.next().partition());
            final long told = unsafe[session.partition()];
            if (isAnyEpoch && session.epoch() >= 0)
            {
                message.putLong(offset + WatermarksDecoder.PartitionsDecoder.epochEncodingOffset(), session.epoch(),
                    MessageHeaderDecoder.BYTE_ORDER);
            }
            if (told > session.acknowledgedThrough())
            {
                for (int field = WatermarksDecoder.PartitionsDecoder.appliedEncodingOffset();
                    field <= WatermarksDecoder.PartitionsDecoder.snapshottedEncodingOffset(); field += Long.BYTES)
                {
                    message.putLong(offset + field,
                        Math.max(told, message.getLong(offset + field, MessageHeaderDecoder.BYTE_ORDER)),
                        MessageHeaderDecoder.BYTE_ORDER);
                }
            }
        }
    }

    private long[] newestRefused(final UnsafeBuffer message)
    {
        final long[] newest = new long[world.config().partitions()];
        watermarks.wrapAndApplyHeader(message, 0, header);
        watermarks.partitions().forEach((entry) -> entry.partition());
        for (final WatermarksDecoder.RefusalsDecoder refusal : watermarks.refusals())
        {
            newest[refusal.partition()] = Math.max(newest[refusal.partition()], refusal.sequence());
        }

        return newest;
    }

    private static int[] refusals(final PartitionSession session)
    {
        final Spool spool = session.spool();
        final int[] refusals = new int[(int)(spool.next() - spool.oldest())];
        for (int i = 0; i < refusals.length; i++)
        {
            refusals[i] = spool.refusalOf(spool.oldest() + i);
        }

        return refusals;
    }

    private static void putLong(final UnsafeBuffer message, final int fieldOffset, final long value)
    {
        message.putLong(
            MessageHeaderDecoder.ENCODED_LENGTH + fieldOffset, value, MessageHeaderDecoder.BYTE_ORDER);
    }
}
