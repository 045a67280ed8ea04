// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.replica.RecoveryStateMachine.Step;
import io.gradstream.recovery.replica.Replica.State;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class RecoveryStateMachineTest
{
    private static final Set<State> AT_END_OF_LOG = EnumSet.of(
        State.AWAIT_ROLE, State.FOLLOW_LOG, State.LEAVE_CHAIN, State.FETCH_SNAPSHOT, State.START_EPOCH, State.PRIMARY);

    /** Everything that the rules are a function of, and the step. */
    private record Case(State state, Role role, boolean isNews, boolean isSound)
    {
        Step step()
        {
            return RecoveryStateMachine.step(state, role, isNews, isSound);
        }
    }

    @Test
    void shouldKeepToTheRulesInEveryCase()
    {
        for (final Case each : cases())
        {
            final Step step = each.step();
            switch (step)
            {
                case START_EPOCH -> assertThat(each.role).as("%s", each).isEqualTo(Role.HEAD);
                case FOLLOW -> assertThat(each.role.isFollower()).as("%s", each).isTrue();
                case REPAIR -> assertThat(each.role.isFollower() && !each.isSound).as("%s", each).isTrue();
                case WIPE, ASK_TO_LEAVE, HALT -> assertThat(each.state).as("%s", each).isEqualTo(State.LEAVE_CHAIN);
                case REPORT -> assertThat(each.state).as("%s", each).isEqualTo(State.AWAIT_ROLE);
                case AWAIT_ROLE -> assertThat(each.state).as("%s", each).isEqualTo(State.FOLLOW_LOG);
                case RECOVER_AGAIN, STAY ->
                {
                    // judged below
                }
            }
            if (State.AWAIT_ROLE == each.state && !each.isSound)
            {
                assertThat(step).as("%s", each).isIn(Step.REPORT, Step.REPAIR);
            }
            if (!AT_END_OF_LOG.contains(each.state))
            {
                assertThat(step).as("%s", each).isEqualTo(Step.STAY);
            }
        }
    }

    @Test
    void shouldNeverLetAPrimaryGoOnInAnotherRoleOrAnotherEpoch()
    {
        for (final Case each : cases())
        {
            if (State.PRIMARY == each.state || State.START_EPOCH == each.state)
            {
                final boolean isSame = Role.HEAD == each.role && !each.isNews;
                assertThat(Step.STAY == each.step()).as("%s", each).isEqualTo(isSame);
            }
        }
    }

    /** What it has and has not recorded yet is counted as in sync. */
    @Test
    void shouldNotRecoverAPrimaryThatHasHandedTheLeadOver()
    {
        for (final boolean isNews : new boolean[]{true, false})
        {
            assertThat(RecoveryStateMachine.step(State.PRIMARY, Role.MEMBER, isNews, true)).isEqualTo(Step.FOLLOW);
        }
        assertThat(RecoveryStateMachine.step(State.PRIMARY, Role.HEAD, true, true)).as("and has got it back")
            .isEqualTo(Step.START_EPOCH);
        assertThat(RecoveryStateMachine.step(State.PRIMARY, Role.JOINER, true, true)).isEqualTo(Step.RECOVER_AGAIN);
        assertThat(RecoveryStateMachine.step(State.START_EPOCH, Role.MEMBER, true, true))
            .isEqualTo(Step.RECOVER_AGAIN);
    }

    @Test
    void shouldNeverDeleteWhatAMemberInSyncHas()
    {
        for (final Case each : cases())
        {
            if (Role.MEMBER == each.role || Role.HEAD == each.role)
            {
                assertThat(each.step()).as("%s", each).isNotIn(Step.WIPE, Step.ASK_TO_LEAVE);
            }
        }
    }

    @Test
    void shouldReadTheRoleFromTheChain()
    {
        final Chain chain = new Chain(1, 1, List.of(2, 0), 3, 3);
        assertThat(Role.of(chain, 2)).isEqualTo(Role.HEAD);
        assertThat(Role.of(chain, 0)).isEqualTo(Role.MEMBER);
        assertThat(Role.of(chain, 3)).isEqualTo(Role.JOINER);
        assertThat(Role.of(chain, 1)).isEqualTo(Role.NONE);
        assertThat(Role.of(new Chain(0, 0, List.of(), Chain.NONE, 0), 0)).isEqualTo(Role.NONE);
    }

    @Test
    void shouldDoWhatTheDocumentationSays() throws IOException
    {
        final String table = table();
        System.out.println(table);
        assertThat(Files.readString(Path.of("..", "docs", "ARCHITECTURE.md"))).contains(table);
    }

    private static String table()
    {
        final StringBuilder text = new StringBuilder(
            "| State | no role | follower | follower of another | head | head of a newer epoch |\n");
        text.append("|---|---|---|---|---|---|\n");
        for (final State state : State.values())
        {
            for (final boolean isSound : State.AWAIT_ROLE == state ? new boolean[]{true, false} : new boolean[]{true})
            {
                text.append("| `").append(state).append('`').append(isSound ? "" : ", damaged")
                    .append(" | ").append(nobodys(state, isSound))
                    .append(" | ").append(followers(state, false, isSound))
                    .append(" | ").append(followers(state, true, isSound))
                    .append(" | ").append(words(state, Role.HEAD, false, isSound))
                    .append(" | ").append(words(state, Role.HEAD, true, isSound))
                    .append(" |\n");
            }
        }

        return text.toString();
    }

    private static String nobodys(final State state, final boolean isSound)
    {
        final String free = words(state, Role.NONE, false, isSound);
        final String needed = words(state, Role.NONE, true, isSound);
        return free.equals(needed) ? free : free + "; needed: " + needed;
    }

    private static String followers(final State state, final boolean isNews, final boolean isSound)
    {
        final String joiner = words(state, Role.JOINER, isNews, isSound);
        final String member = words(state, Role.MEMBER, isNews, isSound);
        return joiner.equals(member) ? joiner : "joiner: " + joiner + "; member: " + member;
    }

    private static String words(final State state, final Role role, final boolean isNews, final boolean isSound)
    {
        final Step step = RecoveryStateMachine.step(state, role, isNews, isSound);
        return Step.STAY == step ? "–" : step.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }

    private static List<Case> cases()
    {
        final List<Case> cases = new ArrayList<>();
        for (final State state : State.values())
        {
            for (final Role role : Role.values())
            {
                for (int bits = 0; bits < 4; bits++)
                {
                    cases.add(new Case(state, role, 0 != (bits & 1), 0 != (bits & 2)));
                }
            }
        }

        return cases;
    }
}
