/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.coordinator.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.coordinator.AliveDecoder;
import io.gradstream.codecs.coordinator.AnswerEncoder;
import io.gradstream.codecs.coordinator.AskDecoder;
import io.gradstream.codecs.coordinator.FollowDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.coordinator.state.ReplicaPositions;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterCoordinatorTest
{
    /** A clock may begin anywhere. */
    private static final long BEGIN_NS = -1_000_000_000_000L;

    private final List<Integer> sent = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final AliveDecoder alive = new AliveDecoder();
    private CoordinatorChannel.Listener listener;
    private long connection = 1;
    private short repeated;
    private short isAnswered;
    private final ClusterCoordinator coordinator = new ClusterCoordinator(
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

        coordinator.doWork(BEGIN_NS + ClusterCoordinator.FOLLOW_RETRY_NS);
        assertThat(sent).hasSize(2);

        onMap(1, 1);
        coordinator.doWork(BEGIN_NS + 2 * ClusterCoordinator.FOLLOW_RETRY_NS);
        assertThat(sent).hasSize(2);

        connection++;
        coordinator.doWork(BEGIN_NS + 2 * ClusterCoordinator.FOLLOW_RETRY_NS + 1);
        assertThat(sent).hasSize(3);
    }

    @Test
    void shouldRepeatWhatWasSaidWithEachSignOfLifeUntilAMapSettlesIt()
    {
        coordinator.register(0, 1, "a:1");
        onMap(1, 1);
        coordinator.poll();
        coordinator.confirm(0, 1);

        coordinator.alive(Map.of(0, new ReplicaPositions(0, 0, 0)));
        assertThat(repeated).isEqualTo(ClusterCoordinator.SAID_CONFIRM);

        onMap(2, 2);
        coordinator.poll();
        coordinator.alive(Map.of(0, new ReplicaPositions(0, 0, 0)));
        assertThat(repeated).isEqualTo(ClusterCoordinator.SAID_NOTHING);
    }

    @Test
    void shouldSayWithEachSignOfLifeWhetherTheCoordinatorAnsweredSinceTheOneBefore()
    {
        coordinator.register(0, 1, "a:1");
        onMap(1, 1);
        coordinator.doWork(1_000);
        coordinator.alive(Map.of(0, new ReplicaPositions(0, 0, 0)));
        onAnswer();
        coordinator.doWork(2_000);
        coordinator.alive(Map.of(0, new ReplicaPositions(0, 0, 0)));
        assertThat(isAnswered).isEqualTo((short)1);

        coordinator.doWork(3_000);
        coordinator.alive(Map.of(0, new ReplicaPositions(0, 0, 0)));
        assertThat(isAnswered).isEqualTo((short)0);
    }

    @Test
    void shouldAskForAnAnswerThatIsWantedAndTakeMapsForOne()
    {
        coordinator.register(0, 1, "a:1");
        sent.clear();
        connection = 0;
        coordinator.doWork(BEGIN_NS);
        assertThat(coordinator.isAnswered(BEGIN_NS)).isFalse();
        assertThat(coordinator.isAnswered(BEGIN_NS)).isFalse();
        assertThat(sent).containsExactly(AskDecoder.TEMPLATE_ID);

        coordinator.doWork(BEGIN_NS + ClusterCoordinator.ASK_RETRY_NS);
        assertThat(coordinator.isAnswered(BEGIN_NS)).isFalse();
        assertThat(sent).hasSize(2);

        onAnswer();
        assertThat(coordinator.isAnswered(BEGIN_NS + ClusterCoordinator.ASK_RETRY_NS)).isTrue();
        assertThat(coordinator.isAnswered(BEGIN_NS + ClusterCoordinator.ASK_RETRY_NS + 1)).isFalse();
        coordinator.doWork(BEGIN_NS + 2 * ClusterCoordinator.ASK_RETRY_NS);
        onMap(1, 1);
        assertThat(coordinator.isAnswered(BEGIN_NS + ClusterCoordinator.ASK_RETRY_NS + 1)).isTrue();
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
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final Chain chain = new Chain(1, chainVersion, List.of(0), Chain.NONE, 1);
        final int length = new ClusterMapCodec().encode(new ClusterMap(
            null, List.of("a:1"), List.of(List.of(0)), new ChainMap(version, List.of(1L), List.of(chain))), buffer, 0);
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
            if (AliveDecoder.TEMPLATE_ID == header.templateId())
            {
                isAnswered = alive.wrapAndApplyHeader(buffer, offset, header).isAnswered();
                repeated = alive.replicas().next().said();
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
