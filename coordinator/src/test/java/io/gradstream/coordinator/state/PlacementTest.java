// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.gradstream.codecs.Chain;
import io.gradstream.coordinator.state.Placement.Move;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PlacementTest
{
    @Test
    void shouldLengthenChainsWhenNodesComeAndShortenThemWhenTheyGo()
    {
        final Placement two = Placement.initial(List.of(0, 1), 8, 3, 16);
        assertThat(two.assignment()).allMatch((chain) -> 2 == chain.size());

        final Placement three = two.with(2);
        assertThat(three.assignment()).allMatch((chain) -> 3 == chain.size());
        assertThat(Placement.moves(two, three)).hasSize(8).allMatch((move) -> Chain.NONE == move.from());
        assertThat(Placement.moved(two, three)).isEqualTo(8);
        assertThat(three.headsOf(2)).as("heads of the newcomer").isEqualTo(2);

        final Placement again = three.without(2);
        assertThat(again.assignment()).allMatch((chain) -> 2 == chain.size());
        assertThat(Placement.moves(three, again)).hasSize(8).allMatch((move) -> Chain.NONE == move.to());
        assertThat(Placement.moved(three, again)).isZero();
        assertThat(again.copies()).isEqualTo(3);
        assertThat(again.without(1).placesOf(0)).isEqualTo(8);
    }

    @Test
    void shouldMoveOthersOnlyAsFarAsANodeGoes()
    {
        final Placement before = Placement.of(List.of(0, 1, 2, 3), List.of(List.of(0, 1), List.of(2, 3)), 8);

        final Placement after = before.without(1);

        assertThat(after.assignment(0).get(0)).isZero();
        assertThat(after.assignment(1)).isEqualTo(List.of(2, 3));
        final int transferee = after.assignment(0).get(1);
        assertThat(transferee).isIn(2, 3);
        assertThat(Placement.moves(before, after)).containsExactly(new Move(0, 1, transferee));
        assertThat(after.hasNode(1)).isFalse();
        assertThat(after.placesOf(1)).isZero();
        assertThat(after.headsOf(0)).isEqualTo(1);
    }

    @Test
    void shouldGoAboveTheCapByTheLeastWhereEachLostPlaceHasOneWay()
    {
        final List<List<Integer>> assignment = Collections.nCopies(10, List.of(0, 1));
        final Placement before = Placement.of(List.of(0, 1, 2, 3), assignment, 2, 16);

        final Placement after = before.without(1);

        assertThat(after.placesOf(0)).isEqualTo(10);
        assertThat(after.placesOf(2)).isEqualTo(5);
        assertThat(after.placesOf(3)).isEqualTo(5);
        assertThat(after.cap()).isEqualTo(8);
    }

    @Test
    void shouldMakeRoomByMovingWhatHasJustBeenGiven()
    {
        final Placement placement = Placement.initial(IntStream.range(0, 5).boxed().toList(), 4095, 3, 1);

        assertThat(placement.nodes()).allMatch((node) -> 2457 == placement.placesOf(node));
        assertThat(placement.nodes()).allMatch((node) -> 819 == placement.headsOf(node));
    }

    @Test
    void shouldKeepTheDecisionsOfEarlierReleases()
    {
        final Placement placement = Placement.initial(List.of(0, 1, 2, 3), 6, 2, Placement.DEFAULT_VIRTUAL_NODES);

        assertThat(placement.assignment().toString()).isEqualTo(
            "[[3, 0], [0, 2], [0, 1], [1, 2], [1, 3], [2, 3]]");
        assertThat(placement.without(1).assignment().toString()).isEqualTo(
            "[[3, 0], [0, 2], [0, 2], [2, 3], [3, 0], [2, 3]]");
        assertThat(placement.with(4).assignment().toString()).isEqualTo(
            "[[3, 0], [4, 2], [0, 4], [1, 2], [1, 3], [2, 3]]");
    }

    @Test
    void shouldRefuseWhatCannotBePlaced()
    {
        refused(() -> Placement.initial(List.of(), 8, 2, 16), "invalid nodes=[]: must be 1..1024 different ids");
        refused(() -> Placement.initial(List.of(1, 1), 8, 2, 16), "invalid nodes=[1, 1]");
        refused(() -> Placement.initial(List.of(-1), 8, 2, 16), "invalid nodes=[-1]");
        refused(() -> Placement.initial(IntStream.range(0, 1025).boxed().toList(), 8, 2, 16), "must be 1..1024");
        refused(() -> Placement.initial(List.of(0), 0, 2, 16), "invalid partitions=0: must be 1..4096");
        refused(() -> Placement.initial(List.of(0), 4097, 2, 16), "invalid partitions=4097: must be 1..4096");
        refused(() -> Placement.initial(List.of(0), 8, 17, 16), "invalid copies=17: must be 1..16");
        refused(() -> Placement.initial(List.of(0), 8, 2, 1025), "invalid virtualNodes=1025: must be 1..1024");
        refused(
            () -> Placement.of(List.of(0, 1), List.of(List.of(0, 2)), 16), "invalid assignment=[0, 2] of partition 0");
        refused(() -> Placement.of(List.of(0, 1), List.of(List.of(0, 0)), 16), "must be at most 2 different nodes");
        refused(() -> Placement.of(List.of(0, 1), List.of(List.of(0, 1)), 1, 16), "must be at most 1 different nodes");
        final Placement placement = Placement.initial(List.of(0), 8, 2, 16);
        refused(() -> placement.with(0), "invalid node=0: is one of the nodes [0] already");
        refused(() -> placement.with(-1), "invalid nodes=[0, -1]");
        refused(() -> placement.without(0), "invalid node=0: must be one of several nodes [0]");
        refused(() -> placement.with(1).without(2), "invalid node=2: must be one of several nodes [0, 1]");
        refused(() -> Placement.moved(placement, Placement.initial(List.of(0), 9, 2, 16)), "has 9 partitions");
    }

    private static void refused(final Runnable call, final String expected)
    {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(expected);
    }
}
