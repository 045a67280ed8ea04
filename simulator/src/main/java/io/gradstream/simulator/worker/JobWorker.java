// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.simulator.check.JobChecks;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.ClientSettings;
import io.gradstream.worker.client.Transport;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** One process of the only slot of a job that is not the first one: the production client, which pushes parts. */
final class JobWorker implements WorkerTransport.Tap
{
    private static final int LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;
    private static final int SELDOM = 4;

    private final World world;
    private final JobChecks checks;
    private final ClusterMap.Job job;
    private final long[] keys;
    private final Client client;
    private final PushEncoder push = new PushEncoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private CoordinatorChannel coordinator;

    JobWorker(
        final World world,
        final Cluster cluster,
        final JobChecks checks,
        final ClusterMap.Job job,
        final long incarnation)
    {
        this.world = world;
        this.checks = checks;
        this.job = job;
        keys = new long[job.spec().partitions()];
        for (int partition = 0; partition < keys.length; partition++)
        {
            keys[partition] = JobChecks.key(keys.length, partition);
        }
        client = new Client(
            settings(new WorkerIdentity(job.id(), JobChecks.SLOT, incarnation, SlotRole.SOLE)),
            new WorkerTransport(cluster, ScenarioConfig.clientOfJob(job.id()), this),
            new CoordinatorLink((receiver) -> coordinator = cluster.coordinator().connect(-1, receiver), (error) ->
            {
                throw new IllegalStateException(error);
            }),
            (what, condition) -> Violation.check(condition.getAsBoolean(), Violation.Kind.INVARIANT_BROKEN,
            "a worker must not wait for " + what),
            world.events().nowNs());
    }

    private ClientSettings settings(final WorkerIdentity identity)
    {
        return new ClientSettings(
            identity,
            job.spec().partitions(),
            AckLevel.RECORDED,
            SpoolPolicy.BLOCK,
            false,
            0,
            new ClientSettings.Limits(
                world.config().bounds().spoolBytes(), 1L << 30, world.config().bounds().maxInFlight(),
                SimulatedWorker.MAX_TICKETS, SimulatedWorker.MAX_PULLS, SimulatedWorker.MAX_PART_LENGTH, 0),
            SimulatedWorker.SESSION_TIMING,
            SimulatedWorker.TIMING,
            LatencyListener.NONE,
            (partition, epoch, outstanding, lostNs, nowNs) -> world.events().trace(epoch),
            (problem) -> world.journal().note("worker of job " + job.id(), problem));
    }

    void onDeath()
    {
        coordinator.close();
    }

    /** True if it has ended because its job was deleted. */
    boolean hasEnded()
    {
        return null != client.failure();
    }

    /** True if all that it has to push is acknowledged. */
    boolean isDone()
    {
        boolean isDone = true;
        for (int partition = 0; partition < keys.length; partition++)
        {
            isDone &= client.session(partition).acknowledgedThrough() >= JobChecks.PARTS;
        }

        return isDone;
    }

    void doWork(final boolean isJobLiving)
    {
        client.doWork(world.events().nowNs());
        final SessionFailure failure = client.failure();
        if (null != failure && (SessionFailure.Kind.JOB_DELETED != failure.kind() || isJobLiving))
        {
            throw new Violation(Violation.Kind.WORKER_HALTED, "of job " + job.id() + ": " + failure);
        }
        for (int partition = 0; null == failure && partition < keys.length; partition++)
        {
            final PartitionSession session = client.session(partition);
            if (session.epoch() >= 0)
            {
                checks.onAcknowledged(job.id(), partition, session.acknowledgedThrough());
            }
            if (session.canPush() && session.lastSequence() < JobChecks.PARTS && client.tickets().hasRoom() &&
                0 == world.faults().draw(FaultClass.JOBS, 0, SELDOM))
            {
                push(session);
            }
        }
    }

    private void push(final PartitionSession session)
    {
        final int bodyLength = (int)KeyForm.length(KeyForm.KEYS, 1) + Float.BYTES;
        final int offset = session.claim(LENGTH + Sections.lengthOf(1, bodyLength));
        if (Spool.NOT_NOW == offset)
        {
            return;
        }
        encode(session, session.spool().buffer(), offset, bodyLength);
        final long nowNs = world.events().nowNs();
        final long ticket = client.tickets().open(true, nowNs);
        session.commit(ticket, true);
        client.tickets().seal(ticket, nowNs);
    }

    private void encode(
        final PartitionSession session, final MutableDirectBuffer buffer, final int offset, final int bodyLength)
    {
        final int partition = session.partition();
        push.wrapAndApplyHeader(buffer, offset, header)
            .epoch(0).sequence(session.spool().next()).acknowledgedThrough(0).incarnation(0).clock(0)
            .partition(partition).slot(JobChecks.SLOT)
            .keyList(0).sectionsCount(1).next().tableId(Workload.COUNTS.tableId()).rowCount(1).valuesLength(Float.BYTES)
            .keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        buffer.putInt(push.limit(), bodyLength, ByteOrder.LITTLE_ENDIAN);
        final int to = push.limit() + Sections.BODY_LENGTH_LENGTH;
        KeyForm.write(KeyForm.KEYS, keys, partition, 1, keys[partition], buffer, to);
        buffer.putFloat(to + (int)KeyForm.length(KeyForm.KEYS, 1), JobChecks.value(job.id(), partition),
            ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public boolean onRequest(final WorkerLink.Requests requests, final UnsafeBuffer message)
    {
        return requests.offer(message, 0, message.capacity());
    }

    @Override
    public void onAnswer(final UnsafeBuffer message, final Transport.Receiver receiver)
    {
        receiver.onMessage(message, 0, message.capacity());
    }

    /** How far it is. */
    String describe()
    {
        final StringBuilder text = new StringBuilder();
        for (int partition = 0; partition < keys.length; partition++)
        {
            final PartitionSession session = client.session(partition);
            text.append(" worker of job-").append(job.id()).append('/').append(partition).append('=')
                .append(session.state()).append(' ').append(session.acknowledgedThrough()).append('/')
                .append(session.lastSequence());
        }

        return text.toString();
    }
}
