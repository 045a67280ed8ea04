// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChainMapTest
{
    private static final ChainMap MAP = new ChainMap(17, List.of(1_763_000_000_000L, 0L, 5L), List.of(
        new Chain(3, 9, List.of(2, 0), 1, 3),
        new Chain(0, 0, List.of(), Chain.NONE, 2),
        new Chain(1, 1, List.of(0), Chain.NONE, 1)));

    @Test
    void shouldReadWhatItWrote()
    {
        assertThat(ChainMap.parse(MAP.format())).isEqualTo(MAP);
    }

    @Test
    void shouldReadAMapWithoutChains()
    {
        final ChainMap map = new ChainMap(0, List.of(0L), List.of());

        assertThat(ChainMap.parse(map.format())).isEqualTo(map);
    }

    @Test
    void shouldWriteOneWord()
    {
        assertThat(MAP.format()).isEqualTo("17;1763000000000,0,5;3:9:2+0:1:3;0:0::-1:2;1:1:0:-1:1");
    }

    @Test
    void shouldRefuseWhatIsNoMap()
    {
        for (final String text :
            List.of("", "1", "x;1", "1;x", "1;1;2:3:4:5", "1;1;2:3:4:5:6:7", "1;1;2:3:x:5:6"))
        {
            assertThatThrownBy(() -> ChainMap.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldKnowNeighboursWhenThereIsAJoiner()
    {
        final Chain chain = MAP.chains().get(0);

        assertThat(chain.head()).isEqualTo(2);
        assertThat(chain.predecessorOf(2)).isEqualTo(Chain.NONE);
        assertThat(chain.predecessorOf(0)).isEqualTo(2);
        assertThat(chain.predecessorOf(1)).isEqualTo(0);
        assertThat(chain.predecessorOf(7)).isEqualTo(Chain.NONE);
        assertThat(chain.successorOf(2)).isEqualTo(0);
        assertThat(chain.successorOf(0)).isEqualTo(1);
        assertThat(chain.successorOf(1)).isEqualTo(Chain.NONE);
        assertThat(chain.isDegraded()).isTrue();
    }

    @Test
    void shouldHoldNobodyWhenNobodyIsMember()
    {
        final Chain chain = MAP.chains().get(1);

        assertThat(chain.head()).isEqualTo(Chain.NONE);
        assertThat(chain.holds(0)).isFalse();
        assertThat(chain.holds(Chain.NONE)).isFalse();
        assertThat(chain.predecessorOf(Chain.NONE)).isEqualTo(Chain.NONE);
    }
}
