// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Refusals that nobody has heard of, where somebody has heard of the first.
 */
class UntoldReasonTest
{
    private final Tickets tickets = new Tickets(4, LatencyListener.NONE);

    @Test
    void shouldNameTheReasonOfOneThatIsUntold()
    {
        final long first = refused(Refusal.OUT_OF_ROWS, 0);
        final long second = refused(Refusal.NOT_FINITE, 1);
        tickets.tellRefusal(first);

        assertThat(tickets.untoldRefusals()).isEqualTo(1);
        assertThat(tickets.firstUntold()).isEqualTo(tickets.refusal(second));
        assertThat(tickets.firstUntoldPartition()).isEqualTo(1);
    }

    @Test
    void shouldNameTheReasonOfAPushThatWasMadeBeforeTheOneThatIsTold()
    {
        final long first = push();
        final long second = refused(Refusal.OUT_OF_ROWS, 0);
        tickets.onPartDone(first, Refusal.NOT_FINITE, 1, 1);
        tickets.tellRefusal(second);

        assertThat(tickets.untoldRefusals()).isEqualTo(1);
        assertThat(tickets.firstUntold()).isEqualTo(Refusal.NOT_FINITE);
        assertThat(tickets.firstUntoldPartition()).isEqualTo(1);
        tickets.tellRefusal(first);
        assertThat(tickets.untoldRefusals()).isZero();
        refused(Refusal.OUT_OF_ROWS, 0);
        assertThat(tickets.firstUntold()).isEqualTo(Refusal.OUT_OF_ROWS);
    }

    @Test
    void shouldHideNoOtherWhereOneIsToldTwice()
    {
        final long first = refused(Refusal.OUT_OF_ROWS, 0);
        refused(Refusal.NOT_FINITE, 1);
        tickets.tellRefusal(first);
        tickets.tellRefusal(first);
        assertThat(tickets.untoldRefusals()).isEqualTo(1);
    }

    private long push()
    {
        final long ticket = tickets.open(true, 0);
        tickets.addPart(ticket);
        tickets.seal(ticket, 0);
        return ticket;
    }

    private long refused(final Refusal refusal, final int partition)
    {
        final long ticket = push();
        tickets.onPartDone(ticket, refusal, partition, 1);
        return ticket;
    }
}
