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
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ChainNodeTest
{
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final long STEP_NS = TIMING.heartbeatNs();

    private final FakePorts ports = new FakePorts();
    private final Replica replica = new Replica(1, 5, 0, new FakeStorage(), new FakeState(), ports, ports);
    private final ChainNode node = new ChainNode(1, 5, 3, TIMING, List.of(replica), ports, ports);

    @Test
    void shouldTellASuspicionAgainWhenItWasLost()
    {
        node.onMap(map(1, List.of(0, 1)), 0);
        node.onHeartbeat(0, 3, 1, 0);

        run(0, TIMING.suspicionNs());
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);

        run(TIMING.suspicionNs(), TIMING.suspicionNs() + ChainNode.SUSPECT_RETRY_NS);
        assertThat(ports.count("suspect 1 0")).isEqualTo(2);
    }

    @Test
    void shouldIgnoreAMapOfAnEarlierLife()
    {
        node.onMap(new ChainMap(9, List.of(3L, 4L, 2L), List.of(new Chain(1, 9, List.of(1), Chain.NONE, 2))), 0);

        assertThat(node.isKnown()).isFalse();
        assertThat(replica.chain().version()).isZero();
    }

    @Test
    void shouldSendHeartbeatsToItsWholeChain()
    {
        node.onMap(map(1, List.of(0, 2, 1)), 0);
        run(0, 2 * STEP_NS);

        assertThat(ports.count("heartbeat 0")).isEqualTo(3);
        assertThat(ports.count("heartbeat 2")).isEqualTo(3);
    }

    @Test
    void shouldSuspectAHeadThatDiedWithTheMemberBetweenAfterOneMoreSuspicionTime()
    {
        node.onMap(map(1, List.of(0, 2, 1)), 0);
        node.onHeartbeat(0, 3, 1, 0);
        node.onHeartbeat(2, 2, 1, 0);
        run(0, TIMING.suspicionNs());
        assertThat(ports.count("suspect 1 2")).isEqualTo(1);
        assertThat(ports.count("suspect 1 0")).isZero();

        node.onMap(map(2, List.of(0, 1)), TIMING.suspicionNs());
        run(TIMING.suspicionNs(), 2 * TIMING.suspicionNs());
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
    }

    @Test
    void shouldGiveANewPredecessorTheSuspicionTimeEvenIfItHasBeenSilentForLong()
    {
        node.onMap(map(1, List.of(0, 2, 1)), 0);
        node.onHeartbeat(0, 3, 1, 0);
        final long learnedNs = TIMING.suspicionNs() - 1;
        node.onMap(map(2, List.of(0, 1)), learnedNs);

        node.doWork(learnedNs);
        node.doWork(learnedNs + TIMING.suspicionNs() / 2);
        node.doWork(learnedNs + TIMING.suspicionNs() - 1);
        assertThat(ports.count("suspect 2 0")).isZero();

        node.doWork(learnedNs + TIMING.suspicionNs());
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
    }

    private static ChainMap map(final long version, final List<Integer> members)
    {
        return new ChainMap(version, List.of(3L, 5L, 2L), List.of(new Chain(1, version, members, Chain.NONE, 2)));
    }

    private void run(final long fromNs, final long toNs)
    {
        for (long nowNs = fromNs; nowNs <= toNs; nowNs += STEP_NS)
        {
            node.doWork(nowNs);
        }
    }
}
