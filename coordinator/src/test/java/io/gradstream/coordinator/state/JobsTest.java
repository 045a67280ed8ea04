// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.HashSet;
import java.util.List;
import java.util.Map;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Several jobs in one cluster: their places, numbers, slots and work, and what becomes of them when one is deleted. */
class JobsTest
{
    private static final long CLUSTER = 7;
    private static final int NODES = 3;

    private CoordinatorState state = new CoordinatorState();
    private TestNodes nodes = new TestNodes(state);
    private final long[] incarnations = {10, 11, 12};

    @BeforeEach
    void begin()
    {
        nodes.nowMs = 10_000;
        state.defineJob(job(6, 2, RecoveryMode.CHAIN), CLUSTER);
        registerAll();
    }

    @Test
    void shouldPlaceAJobOnNodesThatLiveWhereTheFewestPlacesAre()
    {
        assertThat(create("b", job(3, 2, RecoveryMode.CHAIN))).isTrue();
        assertThat(state.clusterMap().isPlaced()).isFalse();
        tick();

        final ClusterMap map = state.clusterMap();
        final ClusterMap.Job b = map.job("b");
        assertThat(b.id()).isEqualTo(2);
        assertThat(b.firstPartition()).isEqualTo(6);
        assertThat(map.of(b).assignment()).allMatch((places) -> 2 == new HashSet<>(places).size());
        for (int node = 0; node < NODES; node++)
        {
            assertThat(places(node)).as("node " + node).isEqualTo(6);
            assertThat(headsOf(map.of(b), node)).as("heads of node " + node).isEqualTo(1);
        }
    }

    @Test
    void shouldPlaceAJobOnceEnoughNodesLiveThatAreNotDrained()
    {
        state.drain(CLUSTER, 2, true);
        create("b", job(2, 3, RecoveryMode.CHAIN));
        tick();
        assertThat(state.clusterMap().job("b")).isNotNull();
        assertThat(isPlaced("b")).isFalse();

        state.drain(CLUSTER, 2, false);
        tick();
        assertThat(isPlaced("b")).isTrue();
    }

    @Test
    void shouldKeepAJobOfTheSameNameAndRefuseWhatHasNoRoom()
    {
        create("b", job(2, 1, RecoveryMode.REPLAY));
        final long version = state.version();
        assertThat(create("b", job(4, 1, RecoveryMode.REPLAY))).isFalse();
        assertThat(create(ClusterMap.Job.DEFAULT_NAME, job(4, 1, RecoveryMode.REPLAY))).isFalse();
        assertThat(state.createJob(CLUSTER + 1, "c", job(1, 1, RecoveryMode.REPLAY), nodes.nowMs)).isFalse();
        assertThatThrownBy(() -> create("No", job(1, 1, RecoveryMode.REPLAY))).hasMessageContaining("name=No");
        assertThatThrownBy(() -> create("c", job(JobSpec.MAX_PARTITIONS, 1, RecoveryMode.REPLAY)))
            .hasMessageContaining("partitions=1024");
        assertThatThrownBy(() -> create("c", job(1, 1, RecoveryMode.REPLAY).with(List.of("sketch/1"))))
            .hasMessageContaining("sketch/1");
        assertThat(state.version()).isEqualTo(version);
        for (int i = 2; i < ClusterMap.MAX_JOBS; i++)
        {
            assertThat(create("job-" + i, job(1, 1, RecoveryMode.REPLAY))).isTrue();
        }
        assertThatThrownBy(() -> create("c", job(1, 1, RecoveryMode.REPLAY))).hasMessageContaining("jobs=33");
    }

    @Test
    void shouldNeverUseANumberAgainButThePartitionsWithGreaterVersionsAndEpochs()
    {
        create("b", job(2, 2, RecoveryMode.CHAIN));
        create("c", job(1, 1, RecoveryMode.REPLAY));
        tick();
        open(6);
        final Chain before = chain(6);
        assertThat(before.epoch()).isPositive();
        assertThat(state.deleteJob(CLUSTER, 2)).isTrue();
        assertThat(state.deleteJob(CLUSTER, 2)).isFalse();
        assertThat(state.deleteJob(CLUSTER + 1, 3)).isFalse();
        assertThat(state.deleteJob(CLUSTER, 1)).as("the first job").isFalse();
        assertThat(state.clusterMap().isDeleted(2)).isTrue();
        assertThat(chain(6).members()).isEmpty();

        create("d", job(3, 2, RecoveryMode.CHAIN));
        assertThat(state.clusterMap().job("d").firstPartition()).as("no room in one piece").isEqualTo(9);
        create("b", job(2, 2, RecoveryMode.CHAIN));
        tick();
        final ClusterMap.Job b = state.clusterMap().job("b");
        assertThat(b.id()).isEqualTo(5);
        assertThat(b.firstPartition()).isEqualTo(6);
        assertThat(chain(6).version()).isGreaterThan(before.version());

        final int head = state.clusterMap().assignment().get(6).get(0);
        // a node that empties the chain of the job before says one more than its version
        nodes.recovered(head, incarnations[head], 6, before.version() + 1, new LogEnd(1, 640));
        assertThat(chain(6).members()).as("of the job before").isEmpty();
        open(6);
        assertThat(chain(6).epoch()).isGreaterThan(before.epoch());
    }

    @Test
    void shouldNotGiveANumberAgainThatWasGivenSinceTheStateToWhichItWasPutBack()
    {
        nodes.nowMs = 1_800_000_000_000L;
        final CoordinatorState before = restored();
        create("b", job(1, 1, RecoveryMode.REPLAY));
        before.createJob(CLUSTER, "c", job(1, 1, RecoveryMode.REPLAY), nodes.nowMs + 60_000);

        assertThat(state.clusterMap().job("b").id()).isEqualTo(32_774_400);
        assertThat(before.clusterMap().job("c").id()).isEqualTo(32_774_460);
    }

    @Test
    void shouldNameTheJobsThatWereDeletedLastAndNoOther()
    {
        for (int i = 0; i <= ClusterMap.MAX_DELETED_JOBS; i++)
        {
            create("b", job(1, 1, RecoveryMode.REPLAY));
            state.deleteJob(CLUSTER, state.clusterMap().job("b").id());
        }
        assertThat(state.clusterMap().deletedJobs()).hasSize(ClusterMap.MAX_DELETED_JOBS);
        assertThat(List.of(state.clusterMap().isDeleted(2), state.clusterMap().isDeleted(3),
            state.clusterMap().isDeleted(2 + ClusterMap.MAX_DELETED_JOBS))).containsExactly(false, true, true);
        assertThat(restored().clusterMap()).isEqualTo(state.clusterMap());
    }

    @Test
    void shouldNotLetAJobThatCannotBePlacedStopADrain()
    {
        state.drain(CLUSTER, 2, true);
        create("b", job(1, 3, RecoveryMode.CHAIN));
        tick();
        state.drain(CLUSTER, 2, false);
        state.drain(CLUSTER, 1, true);
        assertThat(state.isDraining(1)).isTrue();
    }

    @Test
    void shouldLeaveTheOtherJobsAsTheyAre()
    {
        create("b", job(2, 2, RecoveryMode.CHAIN));
        tick();
        final List<Chain> before = state.map().chains().subList(0, 6);
        state.setConsistency(CLUSTER, 2, new Consistency(2, 0));
        state.setLimits(CLUSTER, 2, new JobSpec.Limits(1, 0));
        assertThat(restored().clusterMap()).isEqualTo(state.clusterMap());
        assertThat(state.clusterMap().job(2).spec().limits().rowBytes()).isEqualTo(1);
        assertThat(state.job().limits()).isEqualTo(JobSpec.Limits.NONE);
        assertThat(state.slots(2).take(42, nodes.nowMs)).isEqualTo(new SlotAnswer(42, 0, nodes.nowMs, 2));
        final WorkSpec spec = new WorkSpec(1, 10, 2, 1, true);
        state.work(2).onReport(new WorkReport(0, nodes.nowMs, spec, 0, 0, 2, false), nodes.nowMs);
        state.leads().onReach(2, 0, nodes.nowMs, Map.of(0, true), nodes.nowMs);

        assertThat(state.job().consistency()).isEqualTo(Consistency.EVENTUAL);
        assertThat(state.slots().known()).isEmpty();
        assertThat(state.work().spec()).isNull();
        assertThat(state.work(2).openBatches(0)).isEqualTo(2);
        state.deleteJob(CLUSTER, 2);
        assertThat(state.map().chains()).isEqualTo(before);
        assertThat(state.slots(2)).isNull();
    }

    @Test
    void shouldRefuseADrainThatOneJobDoesNotAllow()
    {
        create("b", job(1, 3, RecoveryMode.CHAIN));
        tick();
        assertThatThrownBy(() -> state.drain(CLUSTER, 0, true)).hasMessageContaining("3");
        state.deleteJob(CLUSTER, 2);
        create("c", job(1, 1, RecoveryMode.CHECKPOINT));
        assertThatThrownBy(() -> state.drain(CLUSTER, 0, true)).hasMessageContaining("checkpoint");
        state.deleteJob(CLUSTER, 3);
        assertThat(state.drain(CLUSTER, 0, true)).isTrue();
    }

    /** The versions of all chains add up to as much as before the deletion, though chains have changed. */
    @Test
    void shouldBeginToWaitForQuietAnewWhenAJobWasDeleted()
    {
        state = new CoordinatorState();
        nodes = new TestNodes(state);
        nodes.nowMs = 10_000;
        state.defineJob(job(1, 1, RecoveryMode.REPLAY), CLUSTER);
        registerAll();
        create("b", job(1, 1, RecoveryMode.REPLAY));
        tick();
        open(0);
        open(1);
        tick();
        tick();
        final long settledMs = state.balance.settledMs;
        tick();
        assertThat(state.balance.settledMs).as("all is quiet").isEqualTo(settledMs);

        final long version = chain(1).version();
        state.deleteJob(CLUSTER, 2);
        for (long i = 0; i < version; i++)
        {
            state.chains.get(0).dismissTransferee(0);
        }
        tick();
        assertThat(state.balance.settledMs).isEqualTo(nodes.nowMs);
    }

    @Test
    void shouldNotMoveALeadAwayFromWhereTheWorkersOfItsJobReachItForThoseOfAnotherJob()
    {
        final Chain chain = wholeBesideAJob();
        final int standby = chain.members().get(1);
        state.leads().onReach(1, 0, 1, Map.of(chain.head(), true, standby, false), nodes.nowMs);
        for (int slot = 0; slot < 3; slot++)
        {
            state.leads().onReach(2, slot, 1, Map.of(chain.head(), false, standby, true), nodes.nowMs);
        }

        assertThat(chain(0)).isEqualTo(chain);
    }

    @Test
    void shouldMoveALeadThatTheWorkersOfItsJobMissThoughThoseOfAnotherJobReachIt()
    {
        final Chain chain = wholeBesideAJob();
        final int standby = chain.members().get(1);
        for (int slot = 0; slot < 3; slot++)
        {
            state.leads().onReach(2, slot, 1, Map.of(chain.head(), true, standby, true), nodes.nowMs);
        }
        state.leads().onReach(1, 0, 1, Map.of(chain.head(), false, standby, true), nodes.nowMs);

        assertThat(chain(0).transferee()).isEqualTo(standby);
    }

    /** The first partition of the first job, of which both copies are in sync. */
    private Chain wholeBesideAJob()
    {
        create("b", job(3, 2, RecoveryMode.CHAIN));
        tick();
        open(0);
        final int head = chain(0).head();
        nodes.admits(head, incarnations[head], 0, chain(0).version(), chain(0).joiner());
        assertThat(chain(0).isDegraded()).isFalse();

        return chain(0);
    }

    @Test
    void shouldGoOnFromASnapshotAsWithoutAStop()
    {
        create("b", job(2, 2, RecoveryMode.CHAIN));
        create("c", job(3, 1, RecoveryMode.REPLAY));
        tick();
        open(6);
        state.deleteJob(CLUSTER, 2);
        create("d", job(1, 2, RecoveryMode.CHAIN));
        tick();
        create("e", job(1, 2, RecoveryMode.CHAIN));
        state.slots(3).take(5, nodes.nowMs);
        state.slots(4).take(6, nodes.nowMs);
        state.leads().onReach(4, 0, nodes.nowMs, Map.of(0, true), nodes.nowMs);
        final CoordinatorState read = restored();

        assertThat(read.clusterMap()).isEqualTo(state.clusterMap());
        assertThat(read.slots(3).take(5, nodes.nowMs)).isEqualTo(state.slots(3).take(5, nodes.nowMs));
        assertThat(read.slots(4).known()).isEqualTo(state.slots(4).known());
        for (final CoordinatorState each : List.of(read, state))
        {
            each.createJob(CLUSTER, "f", job(2, 2, RecoveryMode.CHAIN), nodes.nowMs);
            each.onTime(nodes.nowMs);
            each.deleteJob(CLUSTER, 3);
        }
        assertThat(read.clusterMap()).isEqualTo(state.clusterMap());
    }

    private CoordinatorState restored()
    {
        final CoordinatorSnapshot snapshot = new CoordinatorSnapshot();
        CoordinatorSnapshot.write(state, snapshot::onMessage);

        return snapshot.state();
    }

    private boolean create(final String name, final JobSpec job)
    {
        return state.createJob(CLUSTER, name, job, nodes.nowMs);
    }

    private boolean isPlaced(final String name)
    {
        return state.clusterMap().isPlaced(state.clusterMap().job(name));
    }

    /** Let the nodes of a partition recover, and its head confirm. */
    private void open(final int partition)
    {
        for (final int node : List.copyOf(state.clusterMap().assignment().get(partition)))
        {
            nodes.recovered(node, incarnations[node], partition, 0, 0);
        }
        final int head = chain(partition).head();
        nodes.says(head, incarnations[head], partition, chain(partition).version(), Status.LEADS);
    }

    private Chain chain(final int partition)
    {
        return state.map().chains().get(partition);
    }

    private long places(final int node)
    {
        return state.clusterMap().assignment().stream().filter((places) -> places.contains(node)).count();
    }

    private static long headsOf(final ClusterMap map, final int node)
    {
        return map.assignment().stream().filter((places) -> places.get(0) == node).count();
    }

    private void tick()
    {
        nodes.nowMs += 500;
        registerAll();
        state.onTime(nodes.nowMs);
    }

    private void registerAll()
    {
        for (int node = 0; node < NODES; node++)
        {
            nodes.register(node, incarnations[node]);
        }
    }

    private static JobSpec job(final int partitions, final int copies, final RecoveryMode mode)
    {
        return new JobSpec(partitions, copies, NODES, 64, 100,
            JobSpec.DEFAULT_REPAIR_DELAY_MS, mode);
    }
}
