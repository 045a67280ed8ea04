// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.stream.IntStream;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A node lives and does not get in sync in its place: another one gets the place. */
class StalledPlacesTest
{
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;

    private TestCluster cluster;

    @BeforeEach
    void begin()
    {
        cluster = new TestCluster(List.of(List.of(A, B), List.of(A, B), List.of(A, B)));
    }

    @Test
    void shouldUndoAMoveWhoseNewcomerDoesNotGetInSync()
    {
        cluster.start(C);
        cluster.tick();
        final int partition = movingTo(C);
        final List<Integer> members = cluster.chain(partition).members();
        cluster.recovered(C, partition);
        assertThat(cluster.chain(partition).joiner()).isEqualTo(C);
        cluster.pass(StalledPlaces.STALLED_MS - 1_000);
        assertThat(cluster.assignment(partition)).contains(C);
        final long version = cluster.chain(partition).version();
        cluster.pass(1_500);

        assertThat(cluster.assignment(partition)).doesNotContain(C).containsExactlyInAnyOrderElementsOf(members);
        assertThat(cluster.chain(partition).members()).isEqualTo(members);
        assertThat(cluster.chain(partition).joiner()).isEqualTo(Chain.NONE);
        assertThat(cluster.chain(partition).version()).as("an admission is too late").isGreaterThan(version);
        cluster.pass(StalledPlaces.STALLED_MS / 2);
        assertThat(cluster.assignment(partition)).as("not again").doesNotContain(C);
    }

    @Test
    void shouldGiveTimeToANewcomerWhoseCopyGrows()
    {
        cluster.start(C);
        cluster.tick();
        final int partition = movingTo(C);
        cluster.recovered(C, partition);
        for (int i = 1; i < 10; i++)
        {
            cluster.pass(StalledPlaces.STALLED_MS / 2);
            cluster.applied(C, partition, 64L * i);
        }
        assertThat(cluster.assignment(partition)).contains(C);
    }

    @Test
    void shouldGiveTimeToANewcomerThatWaitsForItsTurnOrIsSentASnapshot()
    {
        cluster.start(C);
        cluster.tick();
        final int partition = movingTo(C);
        cluster.recovered(C, partition);
        final List<Integer> members = cluster.chain(partition).members();
        for (int i = 1; i < 5; i++)
        {
            cluster.pass(StalledPlaces.STALLED_MS / 2);
            cluster.serves(members.get(1), partition);
        }
        assertThat(cluster.assignment(partition)).contains(C);
        for (int i = 1; i < 3; i++)
        {
            cluster.pass(StalledPlaces.STALLED_MS / 2);
            cluster.serves(members.get(0), partition);
        }
        cluster.pass(1_000);
        assertThat(cluster.assignment(partition)).as("the one before it does not serve it").doesNotContain(C);
    }

    @Test
    void shouldTryAnotherNodeForAPlaceThatADrainedOneGivesAway()
    {
        cluster.start(C);
        cluster.start(D);
        cluster.state.drain(0, A, true);
        cluster.tick();
        final int partition = IntStream.range(0, 3).filter((each) -> !cluster.assignment(each).contains(A)).findFirst()
            .orElseThrow();
        final int newcomer = cluster.assignment(partition).get(1);
        cluster.pass(StalledPlaces.STALLED_MS + 1_000);

        assertThat(cluster.assignment(partition)).doesNotContain(newcomer).contains(C + D - newcomer);
    }

    @Test
    void shouldGiveAwayAtOnceWhatADrainedNodeHasNotInSync()
    {
        cluster.start(C);
        cluster.state.drain(0, C, true);
        cluster.start(D);
        cluster.state.drain(0, D, true);
        cluster.suspects(A, 0, B);
        cluster.tick();
        cluster.state.nodes.get(B).isDraining = true;
        cluster.state.drain(0, D, false);
        cluster.tick();
        assertThat(cluster.assignment(0)).as("what B has may be needed").containsExactly(A, B);
        cluster.confirm(0);
        cluster.tick();

        assertThat(cluster.assignment(0)).containsExactly(A, D);
        cluster.recovered(D, 0);
        cluster.admit(0);
        assertThat(cluster.chain(0).members()).containsExactly(A, D);
    }

    /** Seed 310010158: a place went to a node that was silent for longer than the repair delay, and less than 3 s. */
    @Test
    void shouldGiveAwayThePlaceOfADrainedNodeWhereTheOthersAreTakenForLost()
    {
        cluster.state.jobs.first().spec = new JobSpec(3, 2, 3, JobSpec.DEFAULT_VIRTUAL_NODES, 16,
            JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        cluster.start(C);
        cluster.suspects(A, 0, B);
        cluster.confirm(0);
        cluster.pass(JobSpec.MIN_REPAIR_DELAY_MS, A, C);
        cluster.state.nodes.get(B).isDraining = true;
        cluster.tick(A, C);

        assertThat(cluster.assignment(0)).containsExactly(A, C);
    }

    @Test
    void shouldGiveThePlaceOfANodeThatCannotBeJoinedToAnother()
    {
        cluster.suspects(A, 0, B);
        cluster.confirm(0);
        cluster.recovered(B, 0);
        cluster.pass(StalledPlaces.STALLED_MS + 1_000);
        assertThat(cluster.assignment(0)).as("there is no other").containsExactly(A, B);
        cluster.start(C);
        cluster.pass(1_000);

        assertThat(cluster.assignment(0)).containsExactly(A, C);
        assertThat(cluster.chain(0).joiner()).isEqualTo(Chain.NONE);
    }

    /** Nobody can send it what it lacks, and a user may have to go on with what it has. */
    @Test
    void shouldLeaveThePlaceToANodeWhoseHeadIsAway()
    {
        cluster.start(C);
        cluster.suspects(A, 0, B);
        cluster.confirm(0);
        cluster.recovered(B, 0);
        assertThat(cluster.chain(0).joiner()).isEqualTo(B);
        cluster.pass(2 * StalledPlaces.STALLED_MS, A);
        assertThat(cluster.assignment(0)).containsExactly(A, B);

        cluster.pass(StalledPlaces.STALLED_MS - 1_000);
        assertThat(cluster.assignment(0)).as("it has its whole time again").containsExactly(A, B);
        cluster.pass(2_000);
        assertThat(cluster.assignment(0)).containsExactly(A, C);
    }

    @Test
    void shouldGiveTimeToANodeThatWaitsUntilAnotherOneHasJoined()
    {
        joinTwo();
        cluster.start(D);
        for (int i = 1; i < 5; i++)
        {
            cluster.pass(StalledPlaces.STALLED_MS / 2);
            cluster.applied(C, 0, 64L * i);
        }

        assertThat(cluster.assignment(0)).containsExactly(A, B, C);
        assertThat(cluster.chain(0).joiner()).isEqualTo(C);
    }

    @Test
    void shouldTakeThePlaceFromAJoinerForWhichOthersWait()
    {
        joinTwo();
        cluster.start(D);
        cluster.pass(StalledPlaces.STALLED_MS + 1_000);

        assertThat(cluster.assignment(0)).containsExactly(A, B, D);
        assertThat(cluster.chain(0).joiner()).isEqualTo(B);
    }

    @Test
    void shouldLetAnotherNodeJoinFirstWhereNobodyElseCanHaveThePlace()
    {
        joinTwo();
        final long version = cluster.chain(0).version();
        cluster.pass(StalledPlaces.STALLED_MS - 1_000);
        assertThat(cluster.chain(0).joiner()).isEqualTo(C);
        cluster.pass(2_000);
        assertThat(cluster.assignment(0)).containsExactly(A, B, C);
        assertThat(cluster.chain(0).joiner()).isEqualTo(B);
        assertThat(cluster.chain(0).version()).as("an admission is too late").isGreaterThan(version);

        cluster.recovered(C, 0);
        cluster.admit(0);
        assertThat(cluster.chain(0).members()).containsExactly(A, B);
        assertThat(cluster.chain(0).joiner()).as("it is its turn").isEqualTo(C);
        cluster.pass(2 * StalledPlaces.STALLED_MS);
        assertThat(cluster.chain(0).joiner()).as("nobody waits for it").isEqualTo(C);
    }

    /** Two of three copies are to join the one that is left: C joins, and B waits. */
    private void joinTwo()
    {
        cluster = new TestCluster(List.of(List.of(A, B, C)));
        cluster.suspects(A, 0, B);
        cluster.suspects(A, 0, C);
        cluster.confirm(0);
        cluster.recovered(C, 0);
        cluster.recovered(B, 0);
        assertThat(cluster.chain(0).members()).containsExactly(A);
        assertThat(cluster.chain(0).joiner()).isEqualTo(C);
    }

    private int movingTo(final int node)
    {
        return IntStream.range(0, 3).filter((each) -> cluster.assignment(each).contains(node)).findFirst()
            .orElseThrow();
    }
}
