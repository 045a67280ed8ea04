// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PushGroupsTest
{
    @Test
    void shouldBeginAnewWithEachPass()
    {
        final PushGroups groups = new PushGroups(10, 4);

        assertThat(groups.pushesOfPass()).isEqualTo(3);
        assertThat(IntStream.range(0, 10).filter(groups::isEnd)).containsExactly(3, 7, 9);
        assertThat(IntStream.rangeClosed(0, 7).mapToLong(groups::batches).toArray())
            .containsExactly(0, 4, 8, 10, 14, 18, 20, 24);
    }

    @Test
    void shouldFindThePushesOfBatches()
    {
        final PushGroups groups = new PushGroups(10, 4);

        for (long pushes = 0; pushes < 20; pushes++)
        {
            assertThat(groups.pushes(groups.batches(pushes))).isEqualTo(pushes);
        }
        assertThat(groups.pushes(9)).as("the push under way has not ended").isEqualTo(2);
        assertThat(groups.pushes(13)).isEqualTo(3);
    }

    @Test
    void shouldEndAPushWithEachBatchIfNotToldOtherwise()
    {
        final PushGroups groups = new PushGroups(3, 1);

        assertThat(IntStream.range(0, 3).allMatch(groups::isEnd)).isTrue();
        assertThat(groups.batches(7)).isEqualTo(7);
        assertThat(groups.pushes(7)).isEqualTo(7);
    }

    @Test
    void shouldPushOnceAPassWhereAPassIsShorter()
    {
        final PushGroups groups = new PushGroups(3, 10_000);

        assertThat(groups.pushesOfPass()).isEqualTo(1);
        assertThat(List.of(groups.isEnd(1), groups.isEnd(2))).containsExactly(false, true);
        assertThat(groups.batches(2)).isEqualTo(6);
    }

    @Test
    void shouldHaveNoneWithoutBatches()
    {
        final PushGroups groups = new PushGroups(0, 4);

        assertThat(List.of(groups.batches(5), groups.pushes(5))).containsExactly(0L, 0L);
    }
}
