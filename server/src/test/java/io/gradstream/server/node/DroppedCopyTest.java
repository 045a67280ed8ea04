// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.Replica;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.function.Consumer;

import static io.gradstream.server.node.NodeRig.HEAD;
import static io.gradstream.server.node.NodeRig.NODE;
import static io.gradstream.server.node.NodeRig.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A place that moves to this node, and away again before the copy has come.
 */
class DroppedCopyTest
{
    private final NodeRig rig = new NodeRig();
    private final Node node = rig.node;
    private long version;

    /** How far the join has come. */
    private enum Join
    {
        ATTACHING(null, Replica.State.FOLLOW_LOG),
        FOLLOWING(AttachAnswer.GO_ON, Replica.State.FOLLOW_LOG),
        FETCHING(AttachAnswer.WIPE, Replica.State.FETCH_SNAPSHOT);

        private final AttachAnswer answer;
        private final Replica.State reached;

        Join(final AttachAnswer answer, final Replica.State reached)
        {
            this.answer = answer;
            this.reached = reached;
        }
    }

    @ParameterizedTest
    @EnumSource(Join.class)
    void shouldDeleteACopyThatIsDroppedWhileItJoinsAndBeginAnewWhenThePlaceComesBack(final Join join)
    {
        join();
        final long attachment = rig.attached.get(0).attachment();
        if (null != join.answer)
        {
            hearing((receiver) -> receiver.onAttachAnswer(0, attachment, join.answer, 0));
        }
        assertThat(node.hosted(0).replica().state()).isEqualTo(join.reached);

        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(node.hosted(0)).isNull();
        assertThat(rig.dropped).containsExactly(0);
        assertThat(rig.wipes).isPositive();

        // what is under way for the copy that was dropped reaches nobody
        hearing((receiver) ->
        {
            receiver.onAttachAnswer(0, attachment, AttachAnswer.GO_ON, 0);
            receiver.onForward(0, attachment, 0, 64, null, 0, 64);
        });
        give(List.of(HEAD, NODE), List.of(HEAD), NODE);
        cycles(3);
        assertThat(node.hosted(0)).as("it is still being deleted").isNull();

        rig.isWiped = true;
        cycles(10);
        assertThat(rig.made).isEqualTo(2);
        assertThat(node.hosted(0).replica().state()).isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(rig.attached.get(rig.attached.size() - 1).attachment()).isNotEqualTo(attachment);
    }

    @Test
    void shouldKeepACopyThatTheHeadStillNeedsUntilItIsConfirmedWithoutIt()
    {
        join();
        version++;
        tell(List.of(HEAD, OTHER),
            new Chain(1, version, List.of(HEAD, OTHER), Chain.NONE, 2, Chain.NONE, List.of(), List.of(HEAD)));
        cycles(3);
        assertThat(node.hosted(0)).isNotNull();

        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(node.hosted(0)).isNull();
    }

    @Test
    void shouldKeepACopyWhileTheChainWithoutItIsShort()
    {
        join();
        give(List.of(HEAD, OTHER), List.of(HEAD), OTHER);
        cycles(3);
        assertThat(node.hosted(0)).isNotNull();
        assertThat(rig.wipes).isZero();
    }

    @Test
    void shouldKeepACopyWhereTheChainIsOlderThanTheCopyKnows()
    {
        version = 5;
        join();
        version++;
        tell(List.of(HEAD, OTHER), new Chain(1, 3, List.of(HEAD, OTHER), Chain.NONE, 2));
        cycles(3);
        assertThat(node.hosted(0)).isNotNull();
        assertThat(rig.wipes).isZero();
    }

    @Test
    void shouldDeleteNothingByAMapThatIsOlderThanTheOneByWhichAnEarlierProcessHadAPlace()
    {
        rig.placesVersion = 2;
        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(rig.wipes).isZero();
        assertThat(rig.placesVersion).isEqualTo(2);

        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(rig.wipes).isPositive();
    }

    @Test
    void shouldNoteTheMapByWhichItHasAPlace()
    {
        version = 5;
        join();
        assertThat(rig.placesVersion).isEqualTo(6);
    }

    private void join()
    {
        give(List.of(HEAD, NODE), List.of(HEAD), NODE);
        cycles(10);
        assertThat(rig.attached).isNotEmpty();
    }

    private void give(final List<Integer> places, final List<Integer> members, final int joiner)
    {
        version++;
        tell(places, new Chain(1, version, members, joiner, 2));
    }

    private void tell(final List<Integer> places, final Chain chain)
    {
        rig.map = NodeRig.map(version, 2, NodeRig.HEADS_INCARNATION, places, List.of(chain));
    }

    private void hearing(final Consumer<NeighbourMessages> messages)
    {
        cycle(messages);
        cycles(2);
    }

    private void cycles(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            cycle((receiver) -> {});
        }
    }

    private void cycle(final Consumer<NeighbourMessages> messages)
    {
        rig.nowNs += NodeTiming.SLOW_TICK_NS;
        rig.cycle(messages);
    }
}
