// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TicketsTest
{
    private final List<String> latencies = new ArrayList<>();
    private final Tickets tickets = new Tickets(4, new LatencyListener()
    {
        public void onPush(final long durationNs)
        {
            latencies.add("push " + durationNs);
        }

        public void onPull(final long durationNs)
        {
            latencies.add("pull " + durationNs);
        }
    });

    @Test
    void shouldReportHowLongServersTookAndNotTheCache()
    {
        final long fresh = pull(10);
        tickets.onPartDone(fresh, Refusal.NONE, 0, 30);
        final long stale = pull(40);
        tickets.onCached(stale, 7);
        tickets.onPartDone(stale, Refusal.NONE, 0, 41);

        assertThat(latencies).containsExactly("pull 20");
        assertThat(tickets.staleNs(fresh)).isZero();
        assertThat(tickets.staleNs(stale)).isEqualTo(7);
        assertThat(tickets.cachedParts()).isEqualTo(1);
    }

    @Test
    void shouldCountHowStaleAnsweredPullsWere()
    {
        final long stale = tickets.open(false, 0);
        tickets.addPart(stale);
        tickets.addPart(stale);
        tickets.seal(stale, 0);
        tickets.onRead(stale, 3, 70);
        tickets.onPartDone(stale, Refusal.NONE, 0, 1);
        tickets.onRead(stale, -2, 90);
        tickets.onPartDone(stale, Refusal.NONE, 1, 1);
        final long fresh = pull(2);
        tickets.onRead(fresh, -5, 0);
        tickets.onPartDone(fresh, Refusal.NONE, 0, 3);
        final long cached = pull(4);
        tickets.onCached(cached, 7);
        tickets.onPartDone(cached, Refusal.NONE, 0, 5);

        assertThat(tickets.staleness(stale)).isEqualTo(3);
        assertThat(tickets.heldNs(stale)).isEqualTo(90);
        assertThat(tickets.staleness(fresh)).isZero();
        assertThat(tickets.maxStaleness()).isEqualTo(3);
        assertThat(tickets.meanStaleness()).as("without what no primary answered").isEqualTo(1.5);
    }

    @Test
    void shouldSayTheAgeOfTheOldestPart()
    {
        final long ticket = tickets.open(false, 0);
        tickets.addPart(ticket);
        tickets.addPart(ticket);
        tickets.seal(ticket, 0);
        tickets.onCached(ticket, 500);
        tickets.onPartDone(ticket, Refusal.NONE, 0, 1);
        tickets.onCached(ticket, 300);
        tickets.onPartDone(ticket, Refusal.NONE, 1, 1);

        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(tickets.staleNs(ticket)).isEqualTo(500);
        assertThat(tickets.maxStaleNs()).isEqualTo(500);
    }

    @Test
    void shouldNotKnowTheAgeOfATicketThatMadeRoom()
    {
        final long ticket = pull(0);
        tickets.onCached(ticket, 500);
        tickets.onPartDone(ticket, Refusal.NONE, 0, 1);
        for (int i = 0; i < 4; i++)
        {
            tickets.onPartDone(pull(0), Refusal.NONE, 0, 1);
        }

        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(tickets.staleNs(ticket)).isZero();
        assertThat(tickets.isPush(ticket)).isFalse();
    }

    @Test
    void shouldCountTheTicketsThatAreDone()
    {
        tickets.onPartDone(pull(0), Refusal.BAD_KEY, 0, 1);
        final long open = pull(0);
        assertThat(tickets.doneCount()).isEqualTo(1);
        tickets.onPartDone(open, Refusal.NONE, 0, 1);
        assertThat(tickets.doneCount()).isEqualTo(2);
    }

    private long pull(final long nowNs)
    {
        final long ticket = tickets.open(false, nowNs);
        tickets.addPart(ticket);
        tickets.seal(ticket, nowNs);

        return ticket;
    }
}
