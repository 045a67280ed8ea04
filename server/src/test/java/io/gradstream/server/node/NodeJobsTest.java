// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static io.gradstream.server.node.NodeRig.HEAD;
import static io.gradstream.server.node.NodeRig.HEADS_INCARNATION;
import static io.gradstream.server.node.NodeRig.INCARNATION;
import static io.gradstream.server.node.NodeRig.NODE;
import static org.assertj.core.api.Assertions.assertThat;

/** What a node keeps of several jobs, and what it deletes once one of them is missing from the map. */
class NodeJobsTest
{
    private static final int B = 2;
    private static final int C = 3;
    private static final List<String> ENDPOINTS = List.of("127.0.0.1:0", "127.0.0.1:1");

    private final NodeRig rig = new NodeRig();
    private long version;

    @Test
    void shouldDeleteNothingOfAJobThatIsNotPlacedYet()
    {
        tell(List.of(), List.of(job(1, 0, 1), job(B, 1, 2)), List.of(placed(1), unplaced(), unplaced()));
        cycles(5);

        assertThat(rig.opened).isEmpty();
        assertThat(rig.node.hosted(0)).isNotNull();
    }

    @Test
    void shouldDeleteADeletedJobAndThenKeepAnotherOneUnderTheSameNumbers()
    {
        tell(List.of(), List.of(job(1, 0, 1), job(B, 1, 1)), List.of(placed(1), placed(2)));
        cycles(5);
        assertThat(rig.node.hosted(1).jobId()).isEqualTo(B);
        rig.jobsOnDisk.put(B, 1);

        final long placedBy = rig.placesVersion;
        tell(List.of(B), List.of(job(1, 0, 1), job(C, 1, 1)), List.of(placed(1), placed(9)));
        cycles(3);
        assertThat(rig.dropped).containsExactly(1);
        assertThat(rig.placesVersion).as("another job has the number").isGreaterThan(placedBy);
        assertThat(rig.opened).containsExactly("2/0");
        assertThat(rig.jobsOnDisk).containsKey(B);
        assertThat(rig.node.hosted(1).jobId()).as("its storage is another one").isEqualTo(C);

        rig.isWiped = true;
        cycles(3);
        assertThat(rig.jobsOnDisk).isEmpty();
        assertThat(rig.opened).containsExactly("2/0");
        assertThat(rig.node.hosted(0)).isNotNull();
    }

    @Test
    void shouldDeleteAJobThatWasDeletedWhileTheNodeWasAway()
    {
        rig.jobsOnDisk.put(B, 2);
        rig.jobsOnDisk.put(C, 1);
        rig.isWiped = true;
        tell(List.of(B), List.of(job(1, 0, 1), job(C, 1, 1)), List.of(placed(1), placed(2)));
        cycles(8);

        assertThat(rig.opened).containsExactly("2/0", "2/1");
        assertThat(rig.jobsOnDisk).containsOnlyKeys(C);
        assertThat(rig.dropped).isEmpty();
    }

    /** Another order in each process would give a seed of the simulator another course. */
    @Test
    void shouldDeleteJobsInTheOrderOfTheirNumbers()
    {
        final List<Integer> deleted = List.of(2, 3, 4, 5, 6, 7, 8, 9);
        deleted.forEach((job) -> rig.jobsOnDisk.put(job, 1));
        rig.isWiped = true;
        tell(deleted, List.of(job(1, 0, 1)), List.of(placed(1)));
        cycles(20);

        assertThat(rig.opened).containsExactly("2/0", "3/0", "4/0", "5/0", "6/0", "7/0", "8/0", "9/0");
    }

    @Test
    void shouldDeleteNothingOfAJobOfWhichTheCoordinatorsHaveNotHeardOrByAnOlderMap()
    {
        rig.jobsOnDisk.put(B, 1);
        rig.jobsOnDisk.put(C, 1);
        rig.placesVersion = 2;
        tell(List.of(B), List.of(job(1, 0, 1)), List.of(placed(1)));
        cycles(5);
        assertThat(rig.opened).as("an older map").isEmpty();

        version = 5;
        tell(List.of(B), List.of(job(1, 0, 1), job(4, 1, 1)), List.of(placed(1), placed(2)));
        cycles(5);
        assertThat(rig.opened).as("job 3 is missing, and was not deleted").containsExactly("2/0");
    }

    /** The log of each job begins alike: another job's records would be taken, and none of its own. */
    @Test
    void shouldNotTakeForACopyWhatWasSentToThatOfADeletedJob()
    {
        tell(List.of(), List.of(job(1, 0, 1), job(B, 1, 1)), List.of(placed(1), placed(2)));
        cycles(10);
        final long attachment = newestAttachment();
        tell(List.of(B), List.of(job(1, 0, 1), job(C, 1, 1)), List.of(placed(1), placed(9)));
        rig.isWiped = true;
        cycles(10);
        assertThat(rig.node.hosted(1).jobId()).isEqualTo(C);
        final long newAttachment = newestAttachment();

        rig.cycle((receiver) -> receiver.onAttachAnswer(1, attachment, AttachAnswer.GO_ON, 0));
        assertThat(rig.node.hosted(1).replica().upstream().attachment()).isZero();
        rig.cycle((receiver) -> receiver.onAttachAnswer(1, newAttachment, AttachAnswer.GO_ON, 0));
        assertThat(rig.node.hosted(1).replica().upstream().attachment()).isEqualTo(newAttachment);
    }

    /** A chain that begins two versions later is that of the next job. */
    @Test
    void shouldRaiseTheVersionOfADeletedJobsChainOnceHoweverManyMapsCome()
    {
        tell(List.of(), List.of(job(1, 0, 1), job(B, 1, 1)), List.of(placed(1), placed(2)));
        cycles(5);
        for (int i = 0; i < 3; i++)
        {
            tell(List.of(B), List.of(job(1, 0, 1), job(C, 1, 1)), List.of(placed(1), 2 == i ? placed(4) : unplaced()));
            rig.node.doWork();
        }

        assertThat(rig.node.hosted(1).jobId()).isEqualTo(B);
        assertThat(rig.node.hosted(1).replica().chain().version()).isEqualTo(3);
    }

    @Test
    void shouldStopServingADeletedJobAtOnce()
    {
        tell(List.of(), List.of(job(1, 0, 1), job(B, 1, 1)), List.of(placed(1), placed(2)));
        cycles(5);
        version++;
        rig.map = map(List.of(B), List.of(job(1, 0, 1)), List.of(placed(1)));
        rig.node.doWork();

        assertThat(rig.node.hosted(1).replica().chain().members()).isEmpty();
        assertThat(rig.node.hosted(0).replica().chain().members()).isNotEmpty();
    }

    private static ClusterMap.Job job(final int id, final int first, final int partitions)
    {
        return new ClusterMap.Job(id, "job-" + id, first, new JobSpec(partitions, 2, 2,
            JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN));
    }

    private static Chain placed(final long version)
    {
        return new Chain(version, version, List.of(HEAD), NODE, 2);
    }

    private static Chain unplaced()
    {
        return new Chain(0, 0, List.of(), Chain.NONE, 0);
    }

    /** The newest attachment of a copy of partition 1. */
    private long newestAttachment()
    {
        return rig.attached.stream().filter((link) -> 1 == link.partition()).mapToLong(ChainLink::attachment)
            .reduce((before, last) -> last).orElseThrow();
    }

    private void tell(final List<Integer> deleted, final List<ClusterMap.Job> jobs, final List<Chain> chains)
    {
        version++;
        rig.map = map(deleted, jobs, chains);
    }

    private ClusterMap map(final List<Integer> deleted, final List<ClusterMap.Job> jobs, final List<Chain> chains)
    {
        final List<List<Integer>> places = new ArrayList<>();
        chains.forEach((chain) -> places.add(chain.members().isEmpty() ? List.of() : List.of(HEAD, NODE)));

        return new ClusterMap(jobs, deleted, ENDPOINTS, places,
            new ChainMap(version, List.of(HEADS_INCARNATION, INCARNATION), chains), 1);
    }

    private void cycles(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            rig.nowNs += NodeTiming.SLOW_TICK_NS;
            rig.node.doWork();
        }
    }
}
