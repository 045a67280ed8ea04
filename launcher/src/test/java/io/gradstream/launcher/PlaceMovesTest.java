// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.List;

import io.gradstream.codecs.ChainMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PlaceMovesTest
{
    private final PlaceMoves moves = new PlaceMoves();

    @Test
    void shouldCountAPlaceWhenTheMemberThatLeavesIsGone()
    {
        on("1:1:0+1:-1:2;1:1:1+0:-1:2");
        on("1:2:0+1:2:2;1:1:1+0:-1:2");
        on("1:3:0+1+2:-1:2;1:1:1+0:-1:2");
        assertThat(moves.places()).isZero();
        on("1:4:0+2:-1:2;1:1:1+0:-1:2");

        assertThat(moves.places()).isEqualTo(1);
        assertThat(moves.partitions()).isEqualTo(1);
        assertThat(moves.leads()).isEmpty();
    }

    @Test
    void shouldNameTheEpochOfALeadThatMovedWithItsPlace()
    {
        on("1:1:0+1:-1:2;1:1:1+0:-1:2");
        on("1:3:0+1+2:-1:2;1:1:1+0:-1:2");
        on("2:4:1+2:-1:2;1:1:1+0:-1:2");

        assertThat(moves.leads()).containsExactly(new PlaceMoves.Lead(0, 2));
    }

    @Test
    void shouldNotCountAServerThatWasLostAndComesBack()
    {
        on("1:1:0+1:-1:2;1:1:1+0:-1:2");
        on("2:2:1:-1:2;1:2:1:-1:2");
        on("2:3:1+0:-1:2;1:3:1+0:-1:2");

        assertThat(moves.places()).isZero();
        assertThat(moves.leads()).isEmpty();
    }

    @Test
    void shouldBeEvenOnceNoServerHasTwoPlacesMore()
    {
        final ChainMap uneven = map("1:1:0+1:-1:2;1:1:1+0:-1:2;1:1:0+1:-1:2");
        assertThat(PlaceMoves.isEven(uneven, List.of(0, 1))).isTrue();
        assertThat(PlaceMoves.isEven(uneven, List.of(0, 1, 2))).isFalse();
        assertThat(PlaceMoves.isEven(map("1:1:0+2:-1:2;1:1:1+2:-1:2;1:1:0+1:-1:2"), List.of(0, 1, 2))).isTrue();
        assertThat(PlaceMoves.isEven(map("1:1:0+2:-1:2;1:1:1+2:-1:2;1:1:0+1:2:2"), List.of(0, 1, 2))).isFalse();
        assertThat(PlaceMoves.isEven(map("1:1:0+2:-1:2;1:1:1+2+0:-1:2"), List.of(0, 1, 2))).isFalse();
    }

    private void on(final String chains)
    {
        moves.onMap(map(chains));
    }

    private static ChainMap map(final String chains)
    {
        return ChainMap.parse("1;7,8,9;" + chains);
    }
}
