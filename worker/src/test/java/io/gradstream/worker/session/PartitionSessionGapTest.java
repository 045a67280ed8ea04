// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.gradstream.worker.session.PartitionSession.State.ATTACHED;
import static io.gradstream.worker.session.PartitionSession.State.HALTED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Refusals of parts in whose place the primary expects another one.
 */
class PartitionSessionGapTest extends PartitionSessionRig
{
    @Test
    void shouldIgnoreRefusalsOfAnEarlierConnection()
    {
        attach(1, 0);
        push();
        send();
        final long earlier = helloId;
        session.onLinkDown(nowNs);
        attach(1, 0);
        session.onWatermarks(1, 1, 1, 1, 1, nowNs);

        for (final Refusal refusal : List.of(Refusal.SEQUENCE_GAP, Refusal.FENCED, Refusal.MALFORMED))
        {
            session.onRefused(new PartRefused(5, earlier, 1, 3, 1, refusal), nowNs);
            session.onRefused(new PartRefused(4, helloId, 1, 3, 1, refusal), nowNs);
        }

        assertThat(session.state()).isEqualTo(ATTACHED);
        refuse(1, 3, 1, Refusal.MALFORMED);
        assertThat(session.state()).isEqualTo(HALTED);
    }

    @Test
    void shouldIgnoreAGapThatIsToldAfterItWasFilled()
    {
        attach(1, 0);
        push();
        push();
        push();
        send();
        refuse(1, 2, 1, Refusal.SEQUENCE_GAP);
        send();
        session.onWatermarks(1, 3, 3, 3, 0, nowNs);
        sent.clear();

        refuse(1, 3, 1, Refusal.SEQUENCE_GAP);
        send();

        assertThat(session.state()).isEqualTo(ATTACHED);
        assertThat(sent).isEmpty();
    }

    @Test
    void shouldLearnAtTheNextHelloThatAPrimaryHasLostWhatItAcknowledged()
    {
        attach(1, 0);
        push();
        push();
        send();
        session.onWatermarks(1, 1, 1, 1, 0, nowNs);

        refuse(1, 2, 1, Refusal.SEQUENCE_GAP);
        nowNs += TIMING.stallNs();
        send();
        attach(1, 0);

        assertThat(session.failure().kind()).isEqualTo(SessionFailure.Kind.PUSHES_LOST);
    }

    @Test
    void shouldNotSayHelloAgainWhileThePartitionHoldsAllThatWasSent()
    {
        attach(1, 0);
        push();
        push();
        send();
        for (int i = 0; i < 4; i++)
        {
            nowNs += TIMING.stallNs() / 2;
            session.onWatermarks(1, 0, 0, 0, 0, nowNs);
            session.onHeld(1, 2, nowNs);
            send();
            assertThat(session.state()).isEqualTo(ATTACHED);
        }

        for (int i = 0; i < 2; i++)
        {
            nowNs += TIMING.stallNs() / 2;
            session.onWatermarks(1, 0, 0, 0, 0, nowNs);
            session.onHeld(1, 1, nowNs);
            session.onHeld(0, 2, nowNs);
            send();
        }
        assertThat(session.state()).isNotEqualTo(ATTACHED);
    }

    @Test
    void shouldGoBackOnceWhenThereIsAGap()
    {
        attach(1, 0);
        push();
        push();
        push();
        send();
        sent.clear();

        refuse(1, 2, 1, Refusal.SEQUENCE_GAP);
        send();
        refuse(1, 3, 1, Refusal.SEQUENCE_GAP);
        send();

        assertThat(sent).containsExactly("1:1:0", "1:2:0", "1:3:0");
    }
}
