// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.chain.AttachAnswerEncoder;
import io.gradstream.codecs.chain.AttachEncoder;
import io.gradstream.codecs.chain.ForwardEncoder;
import io.gradstream.codecs.chain.HeartbeatEncoder;
import io.gradstream.codecs.chain.MessageHeaderEncoder;
import io.gradstream.codecs.chain.ProgressEncoder;
import io.gradstream.codecs.chain.SnapshotFrameEncoder;
import io.gradstream.recovery.chain.ChainMonitor;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.LoneChain;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class ChainAdapterTest
{
    private static final int FRAMES = 200_000;
    private static final int MAX_LENGTH = 1024;
    private static final int OFFSET = 64;
    private static final int EPOCHS = 3;
    private static final long ATTACHMENT = 7;

    private final InMemoryStorage storage = new InMemoryStorage();
    private final Partition partition = new Partition(
        1, 0, 0, new PartitionFunction(1), (p, spec, length) -> new InMemoryRowStore(length, 16));
    private final LoneChain chain = new LoneChain();
    private final Replica replica = new Replica(0, 1, 0, storage, partition, chain);
    private final HostedPartitions partitions = new HostedPartitions();
    private final NodeCounters counters = new NodeCounters();
    private final ChainAdapter adapter = new ChainAdapter();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @BeforeEach
    void setUp()
    {
        final ChainMonitor monitor =
            new ChainMonitor(0, 1, 4, ChainTiming.QUIET, List.of(replica), chain, (sinceNs) -> true);
        adapter.receiver(new NeighbourMessages(1, () -> 0, monitor, partitions, counters));
        lead(partition, storage, replica);
    }

    private void lead(final Partition kept, final InMemoryStorage keptIn, final Replica keeper)
    {
        partitions.add(new HostedPartition(kept, keptIn, keeper, SnapshotThreshold.fixed(Long.MAX_VALUE)));
        while (!keeper.isPrimary())
        {
            chain.drive(keeper);
            keptIn.recordAll();
        }
    }

    @Test
    void shouldTakeWhatIsAsLongAsItSaysAndRefuseEveryOtherLength()
    {
        for (final byte[] frame : frames())
        {
            assertThat(take(frame, frame.length)).as("template %d", frame[2]).isZero();
            for (int length = 0; length < MAX_LENGTH - OFFSET; length++)
            {
                if (length != frame.length)
                {
                    assertThat(take(frame, length)).as("template %d, length %d", frame[2], length).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void shouldRefuseLengthsBeyondTheMessage()
    {
        for (final byte[] frame : frames())
        {
            final int lengthOffset = frame.length - ("data".length() + Integer.BYTES);
            for (final int wrong : new int[]{ -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 5, 0 })
            {
                if (isData(frame))
                {
                    final byte[] broken = frame.clone();
                    new UnsafeBuffer(broken).putInt(lengthOffset, wrong);
                    assertThat(take(broken, broken.length)).as("template %d, %d", frame[2], wrong).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void shouldRefuseAHistoryThatGoesBack()
    {
        final byte[] attach = frames().get(1);
        new UnsafeBuffer(attach).putLong(attach.length - 2 * Long.BYTES, 0);

        assertThat(take(attach, attach.length)).isEqualTo(1);
    }

    @Test
    void shouldRefuseAnAnswerThatItDoesNotKnow()
    {
        final byte[] answer = frames().get(3);
        answer[answer.length - 1] = (byte)(AttachAnswer.values().length + 1);

        assertThat(take(answer)).isEqualTo(1);
    }

    /** An operator who upgrades one node first is told so. */
    @Test
    void shouldCountWhatComesFromAnotherVersion()
    {
        final byte[] older = frames().get(1);
        older[6]--;

        assertThat(take(older)).isEqualTo(1);
        assertThat(counters.get(Counter.OTHER_VERSION_MESSAGES)).isEqualTo(1);
        assertThat(take(older, 6)).isEqualTo(1);
        older[4]--;
        assertThat(take(older)).isEqualTo(1);
        assertThat(counters.get(Counter.OTHER_VERSION_MESSAGES)).isEqualTo(1);
    }

    /** Each replica of a process numbers its attachments by itself: those in two partitions have the same numbers. */
    @Test
    void shouldTellTheProgressInOnePartitionFromThatInAnotherUnderTheSameAttachment()
    {
        final InMemoryStorage otherStorage = new InMemoryStorage();
        final Partition otherPartition = new Partition(
            1, 1, 0, new PartitionFunction(2), (p, spec, length) -> new InMemoryRowStore(length, 16));
        final Replica other = new Replica(0, 1, 1, otherStorage, otherPartition, chain);
        lead(otherPartition, otherStorage, other);
        follow(replica);
        follow(other);
        final long end = otherPartition.cursor().position();
        assertThat(end).isGreaterThan(Long.BYTES).isEqualTo(partition.cursor().position());

        take(progress(0, Long.BYTES));
        take(progress(1, end));

        assertThat(replica.replicatedPosition()).isEqualTo(Long.BYTES);
        assertThat(other.replicatedPosition()).isEqualTo(end);
    }

    private void follow(final Replica head)
    {
        final Chain alone = head.chain();
        head.onChain(new Chain(alone.epoch(), alone.version() + 1, List.of(0, 1), Chain.NONE, 2));
        head.downstream().onAttach(new ChainLink(1, head.partition(), ATTACHMENT), new EpochHistory(), 0, 0);
    }

    @Test
    void shouldLiveWhenFramesAreMutated()
    {
        final List<byte[]> originals = frames();
        final Random random = new Random(20261122);
        final long position = partition.cursor().position();
        for (int i = 0; i < FRAMES; i++)
        {
            final byte[] frame = originals.get(random.nextInt(originals.size())).clone();
            final UnsafeBuffer bytes = new UnsafeBuffer(frame);
            for (int flips = random.nextInt(4); flips > 0; flips--)
            {
                final int at = random.nextInt(frame.length);
                bytes.putByte(at, (byte)(bytes.getByte(at) ^ 1 << random.nextInt(8)));
            }
            take(frame, 0 == random.nextInt(3) ? random.nextInt(frame.length + 1) : frame.length);
            replica.doWork(i);
        }

        assertThat(replica.isPrimary()).isTrue();
        assertThat(partition.cursor().position()).isEqualTo(position);
        assertThat(counters.get(Counter.MALFORMED_FRAMES)).isGreaterThan(FRAMES / 4);
    }

    /** How often it was called malformed, by the way that this kind of message takes. */
    private long take(final byte[] frame)
    {
        return take(frame, frame.length);
    }

    private long take(final byte[] frame, final int length)
    {
        final long before = counters.get(Counter.MALFORMED_FRAMES);
        scratch.setMemory(0, MAX_LENGTH, (byte)7);
        scratch.putBytes(OFFSET, frame);
        if ((frame[2] & 0xFF) < AttachAnswerEncoder.TEMPLATE_ID)
        {
            assertThat(adapter.onControl(9, scratch, OFFSET, length)).isTrue();
        }
        else
        {
            assertThat(adapter.onRecord(9, scratch, OFFSET, length)).isTrue();
        }

        return counters.get(Counter.MALFORMED_FRAMES) - before;
    }

    private static boolean isData(final byte[] frame)
    {
        return ForwardEncoder.TEMPLATE_ID == frame[2] || SnapshotFrameEncoder.TEMPLATE_ID == frame[2];
    }

    /** Heartbeat, Attach, Progress, AttachAnswer, Forward and SnapshotFrame of node 1 about partition 0. */
    private List<byte[]> frames()
    {
        final List<byte[]> frames = new ArrayList<>();
        final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
        heartbeat.wrapAndApplyHeader(scratch, 0, header).incarnation(1).sentNs(5).heardNs(4).silentNs(0).mapVersion(1)
            .jobId(1).nodeId(1);
        frames.add(copy(heartbeat.encodedLength()));
        final AttachEncoder attach = new AttachEncoder();
        final AttachEncoder.EpochsEncoder epochs =
            attach.wrapAndApplyHeader(scratch, 0, header).attachment(7).position(64).nodeId(1).partition(0)
            .epochsCount(EPOCHS);
        for (int i = 1; i <= EPOCHS; i++)
        {
            epochs.next().epoch(i).startPosition(32L * i);
        }
        frames.add(copy(attach.encodedLength()));
        frames.add(progress(0, 64));
        final AttachAnswerEncoder answer = new AttachAnswerEncoder();
        answer.wrapAndApplyHeader(scratch, 0, header).attachment(7).position(64).partition(0).code((short)1);
        frames.add(copy(answer.encodedLength()));
        final ForwardEncoder forward = new ForwardEncoder();
        forward.wrapAndApplyHeader(scratch, 0, header).attachment(7).previousPosition(64).endPosition(128).partition(0)
            .putRecord("data".getBytes(StandardCharsets.US_ASCII), 0, 4);
        frames.add(copy(forward.encodedLength()));
        final SnapshotFrameEncoder frame = new SnapshotFrameEncoder();
        frame.wrapAndApplyHeader(scratch, 0, header).attachment(7).index(0).partition(0)
            .putFrame("data".getBytes(StandardCharsets.US_ASCII), 0, 4);
        frames.add(copy(frame.encodedLength()));

        return frames;
    }

    private byte[] progress(final int ofPartition, final long applied)
    {
        final ProgressEncoder progress = new ProgressEncoder();
        progress.wrapAndApplyHeader(scratch, 0, header).attachment(ATTACHMENT).applied(applied).recorded(applied)
            .snapshotted(0).grantNs(0).nodeId(1).partition(ofPartition);

        return copy(progress.encodedLength());
    }

    private byte[] copy(final int bodyLength)
    {
        final byte[] frame = new byte[MessageHeaderEncoder.ENCODED_LENGTH + bodyLength];
        scratch.getBytes(0, frame);
        return frame;
    }
}
