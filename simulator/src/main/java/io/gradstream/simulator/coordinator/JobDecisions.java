// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.coordinator.CreateJobDecoder;
import io.gradstream.codecs.coordinator.DeleteJobDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import org.agrona.DirectBuffer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks what the coordinators decide of jobs. A number of a job is not used again, a partition is, with a greater
 * version and no lesser epoch. A job that comes or goes changes no other, nor does a report about a copy of another.
 */
public final class JobDecisions
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    /** All jobs that there ever were but the first one, by their numbers. */
    private final SortedMap<Integer, ClusterMap.Job> known = new TreeMap<>();
    /** By node, process, number of its report and partition: the job of the copy of which it reports. */
    private final Map<List<Long>, Integer> said = new HashMap<>();
    private final long[] version = new long[ScenarioConfig.MAX_PARTITIONS];
    private final long[] epoch = new long[ScenarioConfig.MAX_PARTITIONS];
    /** Partitions of which the newest entry reports for another job than the one that has it. */
    private final Set<Integer> reportedOfOthers = new HashSet<>();
    private final PlantedJobFaults lies;
    private boolean isOfUser;
    private ClusterMap decided;

    JobDecisions(final PlantedJobFaults lies)
    {
        this.lies = lies;
    }

    /** All jobs that there ever were but the first one, by their numbers. */
    public SortedMap<Integer, ClusterMap.Job> known()
    {
        return known;
    }

    /** True if there is a job, by the newest decision. */
    public boolean isLiving(final int jobId)
    {
        return null != decided && null != decided.job(jobId);
    }

    /** A process reports of its copy of a partition. */
    public void onSaid(
        final int node, final long incarnation, final long number, final int partition, final int jobId)
    {
        if (ScenarioConfig.JOB_ID != jobId)
        {
            said.put(List.of((long)node, incarnation, number, (long)partition), jobId);
        }
    }

    /** The newest entry is none of those that are looked at, unless one of the next calls says so. */
    void onEntry()
    {
        isOfUser = false;
        reportedOfOthers.clear();
    }

    void onMessage(final DirectBuffer bytes)
    {
        final int templateId = header.wrap(bytes, 0).templateId();
        isOfUser = CreateJobDecoder.TEMPLATE_ID == templateId || DeleteJobDecoder.TEMPLATE_ID == templateId;
    }

    /** A report counts that is not the first one of its process. */
    void onReport(final NodeReport report)
    {
        for (final ReplicaReport replica : report.replicas())
        {
            final Integer jobId = said.get(List.of(
                (long)report.nodeId(), report.incarnation(), report.number(), (long)replica.partition()));
            final ClusterMap.Job job = null == decided ? null : decided.jobOf(replica.partition());
            if (null != jobId && null != job && jobId != job.id())
            {
                reportedOfOthers.add(replica.partition());
            }
        }
    }

    /** True if a partition is one of the same job as before, and had its place. */
    boolean isSame(final int partition, final ClusterMap before, final ClusterMap map)
    {
        final ClusterMap.Job job = map.jobOf(partition);
        final ClusterMap.Job jobBefore = before.jobOf(partition);
        return null != job && null != jobBefore && job.id() == jobBefore.id() &&
            (ScenarioConfig.JOB_ID == job.id() || partition < before.assignment().size() &&
            !before.assignment().get(partition).isEmpty());
    }

    void onMap(final ClusterMap before, final ClusterMap map)
    {
        decided = map;
        for (final ClusterMap.Job job : map.jobs())
        {
            if (ScenarioConfig.JOB_ID != job.id() && null == before.job(job.id()))
            {
                Violation.check(!known.containsKey(job.id()), Violation.Kind.DECISION_WRONG,
                    "the number of a job is used again", job.id());
                known.put(job.id(), job);
            }
        }
        for (int partition = 0; partition < map.assignment().size(); partition++)
        {
            if (isSame(partition, before, map))
            {
                checkSame(partition, before, map);
            }
            else if (!map.assignment().get(partition).isEmpty())
            {
                checkBegun(partition, map.chains().chains().get(partition));
            }
        }
        for (int partition = 0; partition < map.assignment().size(); partition++)
        {
            version[partition] = Math.max(version[partition], map.chains().chains().get(partition).version());
            epoch[partition] = Math.max(epoch[partition], map.chains().chains().get(partition).epoch());
        }
    }

    private void checkSame(final int partition, final ClusterMap before, final ClusterMap map)
    {
        final Chain chain = map.chains().chains().get(partition);
        final Chain chainBefore = before.chains().chains().get(partition);
        Violation.check(!isOfUser || chain.equals(chainBefore) &&
            map.assignment().get(partition).equals(before.assignment().get(partition)), Violation.Kind.DECISION_WRONG,
            "a job that comes or goes changes another one: partition", partition);
        Violation.check(!reportedOfOthers.contains(partition) || chain.equals(chainBefore),
            Violation.Kind.DECISION_WRONG, "a report about another job's copy counts: partition", partition);
    }

    private void checkBegun(final int partition, final Chain chain)
    {
        lies.onBegun(partition, chain.version());
        Violation.check(chain.version() > version[partition] && chain.epoch() >= epoch[partition],
            Violation.Kind.DECISION_WRONG, "begins before that of an earlier job: partition, version, epoch, before",
            partition, chain.version(), chain.epoch(), version[partition], epoch[partition]);
    }
}
