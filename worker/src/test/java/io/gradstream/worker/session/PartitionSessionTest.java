// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static io.gradstream.worker.session.PartitionSession.State.ATTACHED;
import static io.gradstream.worker.session.PartitionSession.State.DETACHED;
import static io.gradstream.worker.session.PartitionSession.State.HALTED;
import static io.gradstream.worker.session.PartitionSession.State.HELLO_SENT;
import static org.assertj.core.api.Assertions.assertThat;

class PartitionSessionTest extends PartitionSessionRig
{
    @Test
    void shouldAdoptTheServersLastSequenceWhenFirstAttached()
    {
        assertThat(session.claim(8)).isEqualTo(Spool.NOT_NOW);
        attach(4, 20);

        push();
        send();

        assertThat(sent).containsExactly("hello 0", "4:21:20");
    }

    @Test
    void shouldSendAgainFromLastPlusOneWhenAttachedAgain()
    {
        attach(1, 0);
        push();
        push();
        push();
        send();
        sent.clear();

        session.onLinkDown(nowNs);
        assertThat(session.state()).isEqualTo(DETACHED);
        attach(2, 1);
        send();

        assertThat(sent).containsExactly("hello 1", "2:2:0", "2:3:0");
    }

    @Test
    void shouldNotReleaseBeforeItsLevelIsReached()
    {
        attach(1, 0);
        final long ticket = push();
        send();

        session.onWatermarks(1, 1, 1, 0, 0, nowNs);
        assertThat(tickets.isDone(ticket)).isFalse();
        assertThat(session.acknowledgedThrough()).isZero();

        session.onWatermarks(1, 1, 1, 1, 0, nowNs);
        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(session.acknowledgedThrough()).isEqualTo(1);
    }

    @Test
    void shouldIgnoreDuplicateAndOlderWatermarks()
    {
        attach(1, 0);
        push();
        final long second = push();
        send();
        session.onWatermarks(1, 1, 1, 1, 0, nowNs);
        session.onWatermarks(1, 1, 1, 1, 0, nowNs);
        session.onWatermarks(1, 0, 0, 0, 0, nowNs);

        assertThat(session.acknowledgedThrough()).isEqualTo(1);
        assertThat(tickets.isDone(second)).isFalse();
    }

    @Test
    void shouldIgnoreWhatAnOlderEpochSays()
    {
        attach(1, 0);
        final long ticket = push();
        send();
        session.onLinkDown(nowNs);
        attach(2, 0);

        session.onWatermarks(1, 1, 1, 1, 1, nowNs);
        session.onContentRefused(1, 1, Refusal.BAD_KEY.code());
        refuse(1, 1, 1, Refusal.FENCED);
        assertThat(welcome(1, 1)).isFalse();

        assertThat(tickets.isDone(ticket)).isFalse();
        assertThat(session.epoch()).isEqualTo(2);
        assertThat(session.state()).isEqualTo(ATTACHED);
    }

    @Test
    void shouldSayHelloAgainToAServerThatTellsNothingThoughAllIsApplied()
    {
        attach(1, 0);
        push();
        send();
        session.onWatermarks(1, 1, 1, 0, 0, nowNs);
        sent.clear();

        nowNs += 999;
        send();
        assertThat(sent).isEmpty();
        nowNs++;
        send();
        send();
        assertThat(sent).containsExactly("hello 1");
    }

    @Test
    void shouldSayNotNowWhenTheSpoolIsFull()
    {
        attach(1, 0);
        for (int i = 0; i < 8; i++)
        {
            push();
        }

        assertThat(session.claim(length())).isEqualTo(Spool.NOT_NOW);
        send();
        session.onWatermarks(1, 1, 1, 1, 1, nowNs);
        assertThat(session.claim(length())).isNotEqualTo(Spool.NOT_NOW);
    }

    @Test
    void shouldTellTheTicketOfARefusedPush()
    {
        attach(1, 0);
        final long first = push();
        final long second = push();
        send();
        session.onContentRefused(1, 2, Refusal.OUT_OF_ROWS.code());
        assertThat(tickets.isDone(second)).isFalse();

        session.onWatermarks(1, 2, 2, 2, 0, nowNs);

        assertThat(tickets.refusal(first)).isEqualTo(Refusal.NONE);
        assertThat(tickets.refusal(second)).isEqualTo(Refusal.OUT_OF_ROWS);
        assertThat(tickets.refusedBy(second)).isEqualTo(3);
    }

    @Test
    void shouldSayWhichOutcomesItKnowsWhenNoPushSaysSoAndThereMayBeMoreRefusals()
    {
        attach(1, 0);
        push();
        push();
        push();
        send();
        sent.clear();
        session.onContentRefused(1, 1, Refusal.OUT_OF_ROWS.code());
        send();
        assertThat(sent).as("before it is safe").isEmpty();

        session.onWatermarks(1, 1, 1, 1, 0, nowNs);
        isBlocked = true;
        send();
        isBlocked = false;
        send();
        send();
        assertThat(sent).containsExactly("known 1");

        session.onWatermarks(1, 2, 2, 2, 0, nowNs);
        send();
        assertThat(sent).as("nothing was refused").hasSize(1);

        session.onContentRefused(1, 3, Refusal.OUT_OF_ROWS.code());
        session.onWatermarks(1, 3, 3, 3, 0, nowNs);
        send();
        assertThat(sent).as("nothing is outstanding").hasSize(1);
    }

    @Test
    void shouldLetThePushesSayWhichOutcomesItKnows()
    {
        attach(1, 0);
        push();
        push();
        send();
        sent.clear();
        session.onContentRefused(1, 1, Refusal.OUT_OF_ROWS.code());
        session.onWatermarks(1, 1, 1, 1, 0, nowNs);
        push();
        send();
        send();

        assertThat(sent).containsExactly("1:3:1");
    }

    @Test
    void shouldForgetARefusalOfAnOlderEpoch()
    {
        attach(1, 0);
        final long ticket = push();
        send();
        session.onContentRefused(1, 1, Refusal.OUT_OF_ROWS.code());
        session.onLinkDown(nowNs);
        attach(2, 0);
        send();

        session.onWatermarks(2, 1, 1, 1, 0, nowNs);

        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(tickets.refusal(ticket)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldNotBelieveARefusalThatAnOlderEpochTellsLate()
    {
        attach(1, 0);
        final long ticket = push();
        send();
        session.onLinkDown(nowNs);
        attach(2, 0);
        send();
        session.onContentRefused(1, 1, Refusal.OUT_OF_ROWS.code());

        session.onWatermarks(2, 1, 1, 1, 0, nowNs);

        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(tickets.refusal(ticket)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldIgnoreAWelcomeOfAnEarlierConnection()
    {
        attach(1, 0);
        push();
        send();
        session.onLinkDown(nowNs);
        final Welcome late = new Welcome(5, helloId, 1, 0, 5);
        assertThat(session.onWelcome(late, nowNs)).isFalse();
        attach(1, 0);
        session.onWatermarks(1, 1, 1, 1, 1, nowNs);
        assertThat(session.onWelcome(late, nowNs)).isFalse();
        session.onLinkDown(nowNs);
        session.onLinkUp();
        send();

        assertThat(session.onWelcome(late, nowNs)).isFalse();
        assertThat(session.onWelcome(new Welcome(4, helloId, 1, 0, 5), nowNs)).isFalse();

        assertThat(session.state()).isEqualTo(HELLO_SENT);
        assertThat(welcome(1, 1)).isTrue();
        assertThat(welcome(1, 0)).isFalse();
        assertThat(session.state()).isEqualTo(ATTACHED);
    }

    @Test
    void shouldTakeTheAnswerToAHelloThatWasSentAgainMeanwhile()
    {
        session.onLinkUp();
        send();
        nowNs += 100;
        send();
        assertThat(welcome(1, 0)).isTrue();
        assertThat(sent).hasSize(1);
    }

    @Test
    void shouldHaltWhenAnotherProcessTookASequenceOfItsOwn()
    {
        attach(1, 4);
        push();
        send();
        session.onLinkDown(nowNs);
        session.onLinkUp();
        send();

        session.onWelcome(new Welcome(5, helloId, 2, 5, 4), nowNs);

        assertThat(session.failure().kind()).isEqualTo(SessionFailure.Kind.FENCED);
        assertThat(session.failure().detail()).contains("incarnation=4", "incarnation=5", "another process");
    }

    @Test
    void shouldGoOnBehindWhatTheProcessBeforeItSent()
    {
        session.onLinkUp();
        send();
        session.onWelcome(new Welcome(5, helloId, 1, 4, 3), nowNs);
        push();
        session.onLinkDown(nowNs);
        session.onLinkUp();
        send();

        assertThat(session.onWelcome(new Welcome(5, helloId, 2, 4, 3), nowNs)).isTrue();
    }

    @Test
    void shouldHaltWhenAcknowledgedPushesAreLost()
    {
        attach(1, 0);
        push();
        push();
        send();
        session.onWatermarks(1, 2, 2, 2, 0, nowNs);
        session.onLinkDown(nowNs);

        attach(2, 1);

        assertThat(session.state()).isEqualTo(HALTED);
        assertThat(session.failure().kind()).isEqualTo(SessionFailure.Kind.PUSHES_LOST);
        assertThat(session.failure().detail()).contains("expects sequence=2", "oldest kept is 3", "1 acknowledged");
    }

    @Test
    void shouldHaltWhenTheServerKnowsMoreThanWasSent()
    {
        attach(1, 0);
        session.onLinkDown(nowNs);

        attach(2, 1);

        assertThat(session.failure().kind()).isEqualTo(SessionFailure.Kind.FENCED);
    }

    @Test
    void shouldWaitBeforeHelloAgainWhenNotPrimary()
    {
        attach(1, 0);
        refuse(0, 0, 0, Refusal.NOT_PRIMARY);
        sent.clear();

        nowNs += 9;
        send();
        assertThat(sent).isEmpty();
        nowNs += 1;
        send();
        assertThat(sent).containsExactly("hello 1");
        assertThat(session.state()).isEqualTo(HELLO_SENT);
        nowNs += 100;
        send();
        send();
        assertThat(sent).containsExactly("hello 1", "hello 1");
    }

    @Test
    void shouldWaitLongerEachTimeButNotForEverWhenRefusedAgainAndAgain()
    {
        attach(1, 0);
        final List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++)
        {
            refuse(0, 0, 0, Refusal.NOT_PRIMARY);
            final long refusedNs = nowNs;
            sent.clear();
            while (sent.isEmpty())
            {
                nowNs++;
                send();
            }
            waits.add(nowNs - refusedNs);
        }
        assertThat(waits).containsExactly(10L, 20L, 40L, 80L, 100L, 100L);

        refuse(0, 0, 0, Refusal.NOT_PRIMARY);
        session.onLinkUp();
        sent.clear();
        send();
        assertThat(sent).containsExactly("hello 1");
    }

    @Test
    void shouldNotBelieveThePrimaryOfAnOlderEpochThanGranted()
    {
        attach(1, 0);
        final long ticket = push();
        send();
        session.onEpochGranted(2, nowNs);
        assertThat(session.state()).isEqualTo(DETACHED);
        send();

        session.onWatermarks(1, 1, 1, 1, 1, nowNs);
        assertThat(welcome(1, 1)).isFalse();

        assertThat(tickets.isDone(ticket)).isFalse();
        assertThat(session.state()).isEqualTo(HELLO_SENT);
        assertThat(welcome(2, 1)).isTrue();
        assertThat(session.state()).isEqualTo(ATTACHED);
    }

    @Test
    void shouldBelieveANewerEpochBeforeItIsGranted()
    {
        attach(1, 0);
        session.onLinkDown(nowNs);
        attach(3, 0);
        session.onEpochGranted(3, nowNs);
        session.onEpochGranted(2, nowNs);

        assertThat(session.state()).isEqualTo(ATTACHED);
        final long ticket = push();
        session.onWatermarks(3, 1, 1, 1, 1, nowNs);
        assertThat(tickets.isDone(ticket)).isTrue();
    }

    @Test
    void shouldSayWithHelloWhichClockIsForgotten()
    {
        attach(1, 0);
        push(4);
        push(5);
        push(6);
        send();
        session.onWatermarks(1, 2, 2, 2, 2, nowNs);
        session.onLinkDown(nowNs);
        session.onLinkUp();
        send();

        assertThat(helloClock).isEqualTo(5);
    }

    @Test
    void shouldPauseWhenBusy()
    {
        attach(1, 0);
        push();
        push();
        send();
        sent.clear();
        refuse(1, 1, 0, Refusal.BUSY);

        send();
        assertThat(sent).isEmpty();
        nowNs += 10;
        send();
        assertThat(sent).containsExactly("1:1:0", "1:2:0");
    }

    /** The message that is sent again has its keys: there is nothing to wait for. */
    @Test
    void shouldSendAPartAgainAtOnceWhenItsKeysAreUnknown()
    {
        attach(1, 0);
        push();
        push();
        push();
        send();
        refuse(1, 2, 7, Refusal.KEYS_UNKNOWN);

        send();
        assertThat(sent).endsWith("1:3:0", "1:2:0", "1:3:0");
        sent.clear();
        refuse(1, 3, 2, Refusal.SEQUENCE_GAP);
        refuse(1, 4, 7, Refusal.KEYS_UNKNOWN);
        send();
        assertThat(sent).as("of the part that was under way after it, and of one that there is not").isEmpty();
    }

    @Test
    void shouldSayHelloAgainWhenWhatWasSentMakesNoProgress()
    {
        attach(1, 0);
        push();
        send();
        sent.clear();

        nowNs += 1_000;
        send();
        send();

        assertThat(sent).containsExactly("hello 1");
        welcome(1, 0);
        send();
        assertThat(sent).containsExactly("hello 1", "1:1:0");
        assertThat(outages).isEmpty();
    }

    @Test
    void shouldReportAnOutageAtTheFirstAcknowledgementOfWhatWasOutstanding()
    {
        attach(1, 0);
        push();
        push();
        send();
        session.onWatermarks(1, 1, 1, 1, 0, 20);
        nowNs = 50;
        session.onLinkDown(nowNs);
        push();
        nowNs = 70;
        attach(2, 1);
        send();
        session.onWatermarks(2, 2, 1, 1, 0, 80);
        assertThat(outages).isEmpty();

        session.onWatermarks(2, 3, 3, 2, 0, 90);
        session.onWatermarks(2, 3, 3, 3, 0, 95);

        assertThat(outages).containsExactly("3 2 2 20 90");
    }

    @Test
    void shouldReportAnOutageFromTheLossIfNothingWasAcknowledgedBefore()
    {
        attach(1, 0);
        push();
        nowNs = 50;
        session.onLinkDown(nowNs);
        nowNs = 70;
        attach(2, 0);
        send();
        session.onWatermarks(2, 1, 1, 1, 0, 90);

        assertThat(outages).containsExactly("3 2 1 50 90");
    }

    @Test
    void shouldGoOnWhereItStoppedWhenNothingIsTaken()
    {
        attach(1, 0);
        push();
        push();
        isBlocked = true;
        send();
        assertThat(sent).containsExactly("hello 0");

        isBlocked = false;
        send();
        assertThat(sent).containsExactly("hello 0", "1:1:0", "1:2:0");
    }
}
