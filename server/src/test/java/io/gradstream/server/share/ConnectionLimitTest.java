// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.share;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many connections jobs get that all take as many as they may have.
 */
class ConnectionLimitTest
{
    /** As docs/SCALING.md says. */
    @Test
    void shouldGiveJobsThatAllWantMoreAsManyEachAndLeaveSomeFree()
    {
        assertThat(taken(1024, 1)).containsExactly(768);
        assertThat(taken(1024, 2)).containsExactly(439, 439);
        assertThat(taken(1024, 3)).containsExactly(308, 307, 307);
        assertThat(taken(1024, 32)).hasSize(32).containsOnly(31, 32);
    }

    @Test
    void shouldLeaveConnectionsForJobsThatComeLater()
    {
        final int[] taken = new int[4];
        final ConnectionLimit limit = new ConnectionLimit(1024);
        for (int job = 0; job < taken.length; job++)
        {
            takeAll(limit, taken, job);
        }

        assertThat(taken).containsExactly(768, 192, 48, 12);
    }

    @Test
    void shouldHearTwoJobsByTheLeastLimit()
    {
        final int[] taken = new int[2];
        final ConnectionLimit limit = new ConnectionLimit(ConnectionLimit.LEAST);
        takeAll(limit, taken, 0);
        takeAll(limit, taken, 1);

        assertThat(taken).containsExactly(3, 1);
    }

    @Test
    void shouldSayWhyThereIsNoRoom()
    {
        assertThat(new ConnectionLimit(8).check(5, 6, 6)).isEqualTo(new ConnectionLimit.NoRoom(5, 6, 6, 8));
        assertThat(new ConnectionLimit(8).check(5, 0, 8)).isEqualTo(new ConnectionLimit.NoRoom(5, 0, 8, 8));
    }

    /** The jobs take one connection each in turns. */
    private static int[] taken(final int max, final int jobs)
    {
        final int[] taken = new int[jobs];
        final ConnectionLimit limit = new ConnectionLimit(max);
        boolean isMore = true;
        while (isMore)
        {
            isMore = false;
            for (int job = 0; job < jobs; job++)
            {
                isMore |= takeOne(limit, taken, job);
            }
        }

        return taken;
    }

    private static void takeAll(final ConnectionLimit limit, final int[] taken, final int job)
    {
        boolean isMore = true;
        while (isMore)
        {
            isMore = takeOne(limit, taken, job);
        }
    }

    private static boolean takeOne(final ConnectionLimit limit, final int[] taken, final int job)
    {
        final boolean isTaken = null == limit.check(job, taken[job], Arrays.stream(taken).sum());
        taken[job] += isTaken ? 1 : 0;

        return isTaken;
    }
}
