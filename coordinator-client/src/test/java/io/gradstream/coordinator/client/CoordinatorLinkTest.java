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
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
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
            new Suspicion(2, false)), new ReplicaPositions(4, 5, 6))));
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
