// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.coordinator.AnswerEncoder;
import io.gradstream.codecs.coordinator.AskDecoder;
import io.gradstream.codecs.coordinator.FollowDecoder;
import io.gradstream.codecs.coordinator.LeaveSlotDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.codecs.coordinator.SlotTakenEncoder;
import io.gradstream.codecs.coordinator.StatusEncoder;
import io.gradstream.codecs.coordinator.TakeSlotDecoder;
import io.gradstream.codecs.coordinator.WorkReportDecoder;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class CoordinatorLinkTest
{
    /** A clock may begin anywhere. */
    private static final long BEGIN_NS = -1_000_000_000_000L;

    private final List<Integer> sent = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private CoordinatorChannel.Listener listener;
    private long connection = 1;
    private NodeReport reported;
    private byte[] last;
    private final CoordinatorLink coordinator = new CoordinatorLink(
        (taker) ->
        {
            listener = taker;
            return new Channel();
        },
        (error) ->
        {
            throw new AssertionError(error);
        });

    @Test
    void shouldFollowAtOnceOnEachConnectionAndAgainUntilAMapComes()
    {
        coordinator.doWork(BEGIN_NS);
        coordinator.doWork(BEGIN_NS + 1);
        assertThat(sent).containsExactly(FollowDecoder.TEMPLATE_ID);

        coordinator.doWork(BEGIN_NS + CoordinatorLink.RETRY_NS);
        assertThat(sent).hasSize(2);

        onMap(1, 1);
        coordinator.doWork(BEGIN_NS + 2 * CoordinatorLink.RETRY_NS);
        assertThat(sent).hasSize(2);

        connection++;
        coordinator.doWork(BEGIN_NS + 2 * CoordinatorLink.RETRY_NS + 1);
        assertThat(sent).hasSize(3);
    }

    @Test
    void shouldSendAReportAsItIs()
    {
        final NodeReport report = new NodeReport(3, 5, 7, true, "a:1", List.of(
            new ReplicaReport(0, Status.RECOVERED, 9, new LogEnd(Chain.DAMAGED, 64, true), Chain.NONE, List.of(),
            new ReplicaPositions(1, 2, 3)),
            new ReplicaReport(2, Status.CLAIMS, 8, LogEnd.NONE, 4, List.of(new Suspicion(1, true),
            new Suspicion(2, false)), new ReplicaPositions(4, 5, 6, true))));
        assertThat(coordinator.report(report)).isTrue();
        assertThat(reported).isEqualTo(report);
    }

    @Test
    void shouldAskForAnAnswerThatIsWantedAndTakeMapsForOne()
    {
        coordinator.doWork(BEGIN_NS);
        sent.clear();
        assertThat(coordinator.isAnswered(BEGIN_NS)).isFalse();
        coordinator.ask();
        coordinator.ask();
        assertThat(sent).containsExactly(AskDecoder.TEMPLATE_ID);

        coordinator.doWork(BEGIN_NS + CoordinatorLink.ASK_INTERVAL_NS);
        coordinator.ask();
        assertThat(sent).hasSize(2);

        onAnswer();
        assertThat(coordinator.isAnswered(BEGIN_NS + CoordinatorLink.ASK_INTERVAL_NS)).isTrue();
        assertThat(coordinator.isAnswered(BEGIN_NS + CoordinatorLink.ASK_INTERVAL_NS + 1)).isFalse();
        coordinator.doWork(BEGIN_NS + 2 * CoordinatorLink.ASK_INTERVAL_NS);
        onMap(1, 1);
        assertThat(coordinator.isAnswered(BEGIN_NS + CoordinatorLink.ASK_INTERVAL_NS + 1)).isTrue();
    }

    @Test
    void shouldTellOfAnotherClusterThoughItsMapsAreOlder()
    {
        onMap(9, 3, 77);
        assertThat(coordinator.poll().clusterId()).isEqualTo(77);
        onMap(8, 2, 77);
        onMap(0, 0, ClusterMap.NO_CLUSTER);
        assertThat(coordinator.poll()).isNull();

        onMap(1, 1, 78);
        assertThat(coordinator.poll().clusterId()).isEqualTo(78);
    }

    @Test
    void shouldAskForASlotAndTellTheAnswerOnce()
    {
        assertThat(coordinator.takeSlot(77, 9)).isTrue();
        final TakeSlotDecoder asked = new TakeSlotDecoder().wrapAndApplyHeader(new UnsafeBuffer(last), 0, header);
        assertThat(List.of(asked.clusterId(), asked.requestId())).containsExactly(77L, 9L);
        assertThat(coordinator.pollSlot(9)).isNull();

        onSlotTaken(8);
        assertThat(coordinator.pollSlot(9)).as("the answer to another question").isNull();
        onSlotTaken(9);
        assertThat(coordinator.pollSlot(9)).isEqualTo(new SlotAnswer(9, 3, 1_000, 4));
        assertThat(coordinator.pollSlot(9)).isNull();

        assertThat(coordinator.leaveSlot(77, 3, 1_000, true)).isTrue();
        final LeaveSlotDecoder left = new LeaveSlotDecoder().wrapAndApplyHeader(new UnsafeBuffer(last), 0, header);
        assertThat(List.of(left.clusterId(), left.incarnation(), (long)left.slot(), (long)left.hasFinished()))
            .containsExactly(77L, 1_000L, 3L, 1L);
    }

    @Test
    void shouldReportWorkAndTellTheNewestAnswerOfEachSlotOnce()
    {
        final WorkSpec spec = new WorkSpec(5, 10, 4, 2, false);
        final WorkReport report =
            new WorkReport(3, 1_000, spec, new WorkReport.Found(900, 4, 6), 8, 8, 12, true, true);
        assertThat(coordinator.reportWork(77, report)).isTrue();
        final UnsafeBuffer message = new UnsafeBuffer(last);
        assertThat(new WorkCodec().decodeReport(message, 0)).isEqualTo(report);
        assertThat(new WorkReportDecoder().wrapAndApplyHeader(message, 0, header).clusterId()).isEqualTo(77);

        final WorkAnswer first = answer(3, 1_000, 7);
        final WorkAnswer second = answer(3, 1_000, 8);
        onWork(first);
        onWork(answer(4, 2_000, 1));
        onWork(second);
        assertThat(coordinator.pollWork(3, 1_000)).isEqualTo(second);
        assertThat(coordinator.pollWork(3, 1_000)).isNull();
        assertThat(coordinator.pollWork(4, 2_001)).as("to the process before").isNull();
        onWork(answer(4, 2_002, 1));
        assertThat(coordinator.pollWork(4, 2_001)).as("says that it is fenced").isEqualTo(answer(4, 2_002, 1));
    }

    @Test
    void shouldTellOfSlotsAndWorkWithTheStatus()
    {
        coordinator.requestStatus();
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final StatusEncoder status = new StatusEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .correlationId(1).workId(5).batchesTotal(20).batchesDone(7).batchesDropped(6).batchesLeftOut(5)
            .unitsReissued(4).slotsAdopted(3).leader(2);
        status.nodesCount(1).next().heardMs(12).nodeId(0);
        status.replicasCount(0);
        status.slotsCount(1).next().incarnation(1_000).heardMs(30).slot(2).openBatches(8).isHeld((short)1);
        listener.onMessage(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + status.encodedLength());

        assertThat(coordinator.pollStatus().heardMs()).containsExactly(12L);
        assertThat(coordinator.pollStatus().leader()).isEqualTo(2);
        assertThat(coordinator.pollWorkStatus()).isEqualTo(
            new WorkStatus(5, 20, 7, 6, 5, 4, 3, List.of(new WorkStatus.Slot(2, 1_000, 30, 8, true))));
        coordinator.requestStatus();
        assertThat(coordinator.pollWorkStatus()).isNull();
    }

    private static WorkAnswer answer(final int slot, final long incarnation, final long floorClock)
    {
        return new WorkAnswer(slot, incarnation, new WorkSpec(4, 9, 3, 1, true), new WorkSpec(5, 10, 4, 2, false),
            floorClock, true, 8 == floorClock, 7 == floorClock, 6, 1, 3_000,
            List.of(new WorkPiece(1, 3, 1), new WorkPiece(2, 0, 2)));
    }

    private void onWork(final WorkAnswer answer)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        listener.onMessage(buffer, 0, new WorkCodec().encode(answer, buffer));
    }

    private void onSlotTaken(final long requestId)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = new SlotTakenEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(requestId).incarnation(1_000).slot(3).slots(4).encodedLength();
        listener.onMessage(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + length);
    }

    private void onAnswer()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = new AnswerEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .encodedLength();
        listener.onMessage(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + length);
    }

    private void onMap(final long version, final long chainVersion)
    {
        onMap(version, chainVersion, ClusterMap.NO_CLUSTER);
    }

    private void onMap(final long version, final long chainVersion, final long clusterId)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final Chain chain = new Chain(1, chainVersion, List.of(0), Chain.NONE, 1);
        final int length = new ClusterMapCodec().encode(new ClusterMap(
            null, List.of("a:1"), List.of(List.of(0)), new ChainMap(version, List.of(1L), List.of(chain)), clusterId),
            buffer, 0);
        listener.onMessage(buffer, 0, length);
    }

    private final class Channel implements CoordinatorChannel
    {
        @Override
        public int poll(final long nowNs)
        {
            return 0;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            sent.add(header.wrap(buffer, offset).templateId());
            last = new byte[length];
            buffer.getBytes(offset, last);
            if (NodeReportDecoder.TEMPLATE_ID == header.templateId())
            {
                reported = new NodeReportCodec().decode(buffer, offset, length);
            }

            return true;
        }

        @Override
        public long connection()
        {
            return connection;
        }

        @Override
        public String describe()
        {
            return "";
        }

        @Override
        public void close()
        {
        }
    }
}
