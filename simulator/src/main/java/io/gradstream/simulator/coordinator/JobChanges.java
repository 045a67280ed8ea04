// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.CreateJobEncoder;
import io.gradstream.codecs.coordinator.DeleteJobEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A user who creates jobs beside the first one in the middle of the run, and deletes some of them, in some seeds. A
 * request is repeated until the coordinators have decided it.
 */
public final class JobChanges
{
    private static final int MAX_STEPS = 7;
    private static final int MAX_JOBS = 3;
    private static final int MAX_PARTITIONS = 2;

    /** A job is created, or deleted, some time after the step before. */
    private record Step(String name, int partitions, boolean isCreated, long afterNs)
    {
    }

    private final World world;
    private final List<Step> steps = new ArrayList<>();
    private BooleanSupplier mayCreate = () -> true;
    private int next;
    private long nextNs;
    private boolean isAsked;

    JobChanges(final World world)
    {
        this.world = world;
        final ScenarioConfig config = world.config();
        if (world.faults().isOfJobs() && !config.isEndedEarly() && null == config.resumed())
        {
            drawSteps();
            nextNs = steps.get(0).afterNs;
        }
    }

    private void drawSteps()
    {
        final List<String> living = new ArrayList<>();
        int created = 0;
        for (int i = 0; i < MAX_STEPS; i++)
        {
            final boolean mayDelete = !living.isEmpty() && i > 1;
            final boolean isCreated = created + ScenarioConfig.JOB_ID < ScenarioConfig.MAX_JOB_ID &&
                living.size() < MAX_JOBS && (!mayDelete || 0 == draw(0, 1));
            if (isCreated)
            {
                living.add("job-" + created++);
                steps.add(new Step(
                    living.get(living.size() - 1), (int)draw(1, MAX_PARTITIONS), true, draw(5_000_000, 110_000_000)));
            }
            else if (mayDelete)
            {
                final String deleted = living.remove((int)draw(0, living.size() - 1));
                steps.add(new Step(deleted, 0, false, draw(5_000_000, 110_000_000)));
            }
        }
    }

    private long draw(final long least, final long most)
    {
        return world.faults().draw(FaultClass.JOBS, least, most);
    }

    /** Sets the condition under which a job may be created now. */
    public void mayCreate(final BooleanSupplier condition)
    {
        mayCreate = condition;
    }

    /** True if everything that was wanted is decided. */
    public boolean isDone()
    {
        return next == steps.size();
    }

    /** True if a request was made that may be decided yet. */
    public boolean isUnderWay()
    {
        return isAsked;
    }

    /** The request to the coordinators that is due now, or null. */
    UnsafeBuffer request(final ClusterMap map)
    {
        final long nowNs = world.events().nowNs();
        if (isDone() || null == map || map.jobs().isEmpty() || nowNs < nextNs)
        {
            return null;
        }
        final Step step = steps.get(next);
        final ClusterMap.Job job = map.job(step.name);
        if (isAsked && step.isCreated == (null != job))
        {
            isAsked = false;
            next++;
            nextNs = isDone() ? 0 : nowNs + steps.get(next).afterNs;
            return null;
        }
        if (!isAsked && step.isCreated && !mayCreate.getAsBoolean())
        {
            return null;
        }
        isAsked = true;

        return step.isCreated ? create(step, map) : delete(job, map);
    }

    private UnsafeBuffer create(final Step step, final ClusterMap map)
    {
        final JobSpec first = world.config().job();
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final CreateJobEncoder encoder = new CreateJobEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).clusterId(map.clusterId());
        ClusterMapCodec.encodeJob(
            new JobSpec(step.partitions, first.copies(), first.copies(), first.virtualNodes(), 1,
            first.repairDelayMs(), RecoveryMode.CHAIN), encoder.job());
        encoder.name().text(step.name);

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    private static UnsafeBuffer delete(final ClusterMap.Job job, final ClusterMap map)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final DeleteJobEncoder encoder = new DeleteJobEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).clusterId(map.clusterId()).jobId(job.id());

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }
}
