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
    void shouldHideNoOtherWhereOneIsToldTwice()
    {
        final long first = refused(Refusal.OUT_OF_ROWS, 0);
        refused(Refusal.NOT_FINITE, 1);
        tickets.tellRefusal(first);
        tickets.tellRefusal(first);
        assertThat(tickets.untoldRefusals()).isEqualTo(1);
    }

    private long refused(final Refusal refusal, final int partition)
    {
        final long ticket = tickets.open(true, 0);
        tickets.addPart(ticket);
        tickets.seal(ticket, 0);
        tickets.onPartDone(ticket, refusal, partition, 1);
        return ticket;
    }
}
