// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.share;

import io.gradstream.codecs.ClusterMap;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/** The bytes of pushes that a server may take of each job. */
public final class JobShares
{
    private final Int2ObjectHashMap<JobShare> byJob = new Int2ObjectHashMap<>();
    private final List<JobShare> all = new ArrayList<>();
    /** Of connections whose job was deleted: their pushes are refused. */
    private final JobShare ofDeleted = new JobShare();

    /** The coordinators tell of the jobs: those that stay keep what they have taken. */
    public void onJobs(final List<ClusterMap.Job> jobs, final long nowNs)
    {
        final List<Integer> ids = jobs.stream().map(ClusterMap.Job::id).toList();
        byJob.keySet().removeIf((id) -> !ids.contains(id));
        for (final ClusterMap.Job job : jobs)
        {
            byJob.computeIfAbsent(job.id(), (id) -> new JobShare())
                .limit(job.spec().limits().pushRate(), 1 == jobs.size(), nowNs);
        }
        all.clear();
        all.addAll(byJob.values());
    }

    /** A duty cycle begins: each job has its turn, and credit for the time that has passed. */
    public void startCycle(final long nowNs)
    {
        for (int i = 0, size = all.size(); i < size; i++)
        {
            all.get(i).startCycle(nowNs);
        }
    }

    /** The share of a job. */
    public JobShare of(final int jobId)
    {
        final JobShare share = byJob.get(jobId);
        return null == share ? ofDeleted : share;
    }
}
