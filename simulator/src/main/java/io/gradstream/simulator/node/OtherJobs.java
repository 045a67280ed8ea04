// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.simulator.coordinator.JobDecisions;

import java.util.List;
import java.util.function.BiPredicate;

/** The jobs beside the first one, as nodes keep them. Partitions are numbered as their job numbers them. */
public final class OtherJobs
{
    private final Cluster cluster;
    private final JobDecisions decisions;

    OtherJobs(final Cluster cluster)
    {
        this.cluster = cluster;
        decisions = cluster.coordinator().checks().jobs();
    }

    /** All that there ever were. */
    public List<ClusterMap.Job> known()
    {
        return List.copyOf(decisions.known().values());
    }

    /** The jobs that exist by the newest decision. */
    public List<ClusterMap.Job> living()
    {
        return decisions.known().values().stream().filter((job) -> decisions.isLiving(job.id())).toList();
    }

    /** A process's copy of a partition, or null if it has none. */
    public HostedPartition copy(final SimulatedNode node, final ClusterMap.Job job, final int partition)
    {
        final HostedPartition copy =
            node.isAlive() ? node.process().hosted(job.firstPartition() + partition) : null;
        return null != copy && job.id() == copy.jobId() ? copy : null;
    }

    /** True if a process would answer workers of a partition now. */
    public boolean mayAnswer(final SimulatedNode node, final ClusterMap.Job job, final int partition)
    {
        return null != copy(node, job, partition) && node.process().mayAnswer(job.firstPartition() + partition);
    }

    /** The chain of a partition of a job that there is. */
    public Chain chain(final ClusterMap.Job job, final int partition)
    {
        return cluster.coordinator().chain(job.firstPartition() + partition);
    }

    /** True if all is decided that was wanted, each copy is in sync, and nothing is left of a deleted job. */
    public boolean isWhole()
    {
        return cluster.coordinator().jobs().isDone() && allOfLiving(this::isWhole) && describeLeft().isEmpty();
    }

    private boolean isWhole(final ClusterMap.Job job, final int partition)
    {
        final Chain chain = chain(job, partition);
        boolean isWhole = !chain.members().isEmpty() && !chain.isDegraded() && chain.isConfirmed() &&
            cluster.coordinator().assignment(job.firstPartition() + partition).containsAll(chain.members());
        long position = -1;
        for (final int member : chain.members())
        {
            final SimulatedNode node = cluster.node(member);
            final HostedPartition copy = copy(node, job, partition);
            final boolean isHead = member == chain.head();
            if (null == copy || null == copy.replica().log() || copy.isPrimary() != isHead ||
                !isHead && Replica.State.FOLLOW_LOG != copy.replica().state())
            {
                return false;
            }
            final long own = copy.partition().cursor().position();
            position = position < 0 ? own : position;
            isWhole &= own == position &&
                node.storage(job.id(), partition).file().recordedPosition() >= position &&
                (!isHead || mayAnswer(node, job, partition));
        }

        return isWhole;
    }

    /** True if another living member in sync has each partition that a node has, and no job is about to be created. */
    public boolean isKeptByOthers(final SimulatedNode node)
    {
        return !cluster.coordinator().jobs().isUnderWay() && allOfLiving((job, partition) ->
            !chain(job, partition).members().isEmpty() &&
            (null == node.storage(job.id(), partition) || isKeptElsewhere(node, job, partition)));
    }

    private boolean isKeptElsewhere(final SimulatedNode node, final ClusterMap.Job job, final int partition)
    {
        final Chain chain = chain(job, partition);
        boolean isKept = false;
        for (final int member : chain.members())
        {
            final SimulatedNode other = cluster.node(member);
            final HostedPartition copy = copy(other, job, partition);
            isKept |= member != node.id() && null != copy && copy.partition().epoch() >= chain.epoch() &&
                other.incarnation() == cluster.coordinator().map().incarnations().get(member);
        }

        return isKept;
    }

    /** True if a node is needed because another process is started of a node that has the same partition. */
    public boolean isNeededByOneThatIsTwice(final int id)
    {
        return !allOfLiving((job, partition) ->
        {
            final List<Integer> members = chain(job, partition).members();
            return members.stream().noneMatch((member) -> cluster.hasTwo(member) && members.contains(id) &&
                (member != id || 1 == members.size()));
        });
    }

    private boolean allOfLiving(final BiPredicate<ClusterMap.Job, Integer> condition)
    {
        boolean isTrue = true;
        for (final ClusterMap.Job job : living())
        {
            for (int partition = 0; isTrue && partition < job.spec().partitions(); partition++)
            {
                isTrue = condition.test(job, partition);
            }
        }

        return isTrue;
    }

    /** How the copies of jobs stand, and what is left of deleted ones, in one line. */
    public String describe()
    {
        final StringBuilder text = new StringBuilder();
        for (final ClusterMap.Job job : living())
        {
            for (int partition = 0; partition < job.spec().partitions(); partition++)
            {
                text.append(" job-").append(job.id()).append('/').append(partition)
                    .append(isWhole(job, partition) ? " is whole" : " is not whole");
                for (final SimulatedNode node : cluster.nodes())
                {
                    final HostedPartition copy = copy(node, job, partition);
                    text.append(null == copy ? "" : " node-" + node.seat() + "=" + copy.replica().state() + "@" +
                        copy.partition().cursor().position() + " " + copy.replica().chain().version());
                }
            }
        }

        return text + describeLeft();
    }

    /** Names what living nodes have of deleted jobs; empty if nothing. */
    private String describeLeft()
    {
        final StringBuilder text = new StringBuilder();
        for (final ClusterMap.Job job : known())
        {
            for (final SimulatedNode node : cluster.nodes())
            {
                if (!decisions.isLiving(job.id()) && node.isAlive() && node.keepsOf(job.id()))
                {
                    text.append(" node-").append(node.seat()).append(" keeps of deleted job-").append(job.id());
                }
            }
        }

        return text.toString();
    }
}
