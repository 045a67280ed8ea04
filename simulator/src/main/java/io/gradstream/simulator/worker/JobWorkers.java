// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.simulator.check.JobChecks;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.OtherJobs;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;

import java.util.Map;
import java.util.TreeMap;

/** The workers of the jobs beside the first one: one for each job, from its creation on until it is deleted. */
public final class JobWorkers
{
    private static final long CYCLE_NS = 1_000_000;

    private final World world;
    private final Cluster cluster;
    private final JobChecks checks;
    private final OtherJobs jobs;
    /** By job; null while a process is dead. */
    private final Map<Integer, JobWorker> workers = new TreeMap<>();
    private final Map<Integer, Long> incarnations = new TreeMap<>();

    public JobWorkers(final World world, final Cluster cluster, final JobChecks checks)
    {
        this.world = world;
        this.cluster = cluster;
        this.checks = checks;
        jobs = cluster.otherJobs();
    }

    /** Begins, in a seed with such jobs. */
    public void start()
    {
        if (!cluster.coordinator().jobs().isDone())
        {
            world.events().after(CYCLE_NS, this::cycle);
        }
    }

    /** True if the worker of each job has pushed all it had to. */
    public boolean isDone()
    {
        return jobs.living().stream().allMatch(
            (job) -> null != workers.get(job.id()) && workers.get(job.id()).isDone());
    }

    private void cycle()
    {
        for (final ClusterMap.Job job : jobs.living())
        {
            if (null == workers.get(job.id()) && 0 == world.faults().draw(FaultClass.JOBS, 0, 9))
            {
                start(job);
            }
        }
        for (final ClusterMap.Job job : jobs.known())
        {
            if (null != workers.get(job.id()))
            {
                doWork(job, workers.get(job.id()));
            }
        }
        world.events().after(
            world.faults().draw(FaultClass.JOBS, CYCLE_NS / 2, CYCLE_NS + CYCLE_NS / 2), this::cycle);
    }

    private void start(final ClusterMap.Job job)
    {
        final long incarnation = incarnations.merge(job.id(), 1L, Long::sum);
        world.journal().note("worker of job " + job.id(), "starts, incarnation", incarnation);
        workers.put(job.id(), new JobWorker(world, cluster, checks, job, incarnation));
        for (int seat = 0; seat < world.config().seats(); seat++)
        {
            cluster.link(ScenarioConfig.clientOfJob(job.id()), seat).onWorkerStarted();
        }
    }

    private void doWork(final ClusterMap.Job job, final JobWorker worker)
    {
        for (final SimulatedNode node : cluster.nodes())
        {
            if (world.faults().strike(FaultClass.JOBS, 0.006))
            {
                cluster.link(ScenarioConfig.clientOfJob(job.id()), node.seat()).lose();
            }
        }
        worker.doWork(jobs.living().contains(job));
        if (worker.hasEnded() || world.faults().strike(FaultClass.JOBS, 0.004))
        {
            world.journal().note("worker of job " + job.id(), worker.hasEnded() ? "has ended" : "dies");
            worker.onDeath();
            workers.remove(job.id());
            for (int seat = 0; seat < world.config().seats(); seat++)
            {
                cluster.link(ScenarioConfig.clientOfJob(job.id()), seat).onWorkerDead();
            }
        }
    }

    /** How far jobs and their workers are, after what is said of the first job, in one line. */
    public String describe(final String ofFirst)
    {
        final StringBuilder text = new StringBuilder(ofFirst).append(jobs.describe());
        workers.values().forEach((worker) -> text.append(worker.describe()));

        return text.toString();
    }
}
