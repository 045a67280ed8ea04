// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.CreateJobEncoder;
import io.gradstream.codecs.coordinator.DefineJobEncoder;
import io.gradstream.codecs.coordinator.DeleteJobEncoder;
import io.gradstream.codecs.coordinator.DrainNodeEncoder;
import io.gradstream.codecs.coordinator.LeaveSlotEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SetConsistencyEncoder;
import io.gradstream.codecs.coordinator.SetLimitsEncoder;
import io.gradstream.codecs.coordinator.TakeSlotEncoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.NodeReportCodec;
import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes up what nodes say to a coordinator, by a seed: mostly what makes sense at that moment, sometimes what is stale.
 */
final class CommandScript
{
    static final int NODES = 6;
    static final int PARTITIONS = 10;

    private static final int TIME = -1;
    private static final int NEW_LEADER = -2;
    private static final int SLOTS = 4;
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final Random random;
    private final long[] incarnations = new long[NODES];
    private final long[] numbers = new long[NODES];
    private final String[] endpoints = new String[NODES];
    private final long[] clocks = new long[SLOTS];
    private final NodeReportCodec reports = new NodeReportCodec();
    private final WorkCodec works = new WorkCodec();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private long nowMs = 1_000_000;
    private int silent = Chain.NONE;
    private int steps;

    /**
     * One entry of the cluster's log.
     *
     * @param kind    {@link #TIME}, {@link #NEW_LEADER}, or 0 for a command.
     * @param nowMs   its time.
     * @param command its bytes.
     */
    record Step(int kind, long nowMs, byte[] command)
    {
        boolean apply(final CoordinatorState state, final CoordinatorCommands commands)
        {
            return switch (kind)
            {
                case TIME -> state.onTime(nowMs);
                case NEW_LEADER ->
                {
                    state.onNewLeader(nowMs);
                    yield false;
                }
                default -> commands.take(state, nowMs, new UnsafeBuffer(command), 0, command.length);
            };
        }
    }

    CommandScript(final long seed)
    {
        random = new Random(seed);
    }

    Step next(final CoordinatorState state)
    {
        nowMs += random.nextInt(200);
        final int node = random.nextInt(NODES);
        if (0 == steps++)
        {
            return command(defineJob());
        }
        if (steps <= 1 + NODES)
        {
            return register(steps - 2);
        }
        if (0 == random.nextInt(150))
        {
            silent = random.nextInt(NODES + 1) - 1;
        }
        final int partition = random.nextInt(Math.max(PARTITIONS, state.map().chains().size()));
        final Chain chain = state.map().chains().get(partition);
        final long version = chain.version() - (0 == random.nextInt(12) ? 1 : 0);
        final int tail = chain.members().isEmpty() ? 0 : chain.members().get(chain.members().size() - 1);
        return switch (random.nextInt(66))
        {
            case 0 -> register(node);
            case 1 -> new Step(NEW_LEADER, nowMs, new byte[0]);
            case 2, 3, 4, 5, 6 -> new Step(TIME, nowMs, new byte[0]);
            case 7, 8, 9, 10 -> suspect(chain, partition, version, node);
            case 11, 12, 13, 14, 15, 16, 17, 18 ->
                report(Math.max(0, chain.head()), replica(partition, Status.LEADS, version, Chain.NONE));
            case 19, 20, 21, 22, 23, 24, 25, 26 -> report(tail, replica(partition,
                tail == chain.head() ? Status.LEADS : Status.NONE, version, chain.joiner()));
            case 27, 28, 29, 30, 31, 32 -> everything(node == silent ? 0 : node, state);
            case 33 -> report(Math.max(0, chain.joiner()), replica(partition, Status.LEAVES, version, Chain.NONE));
            case 34, 35, 36 -> reach(chain);
            case 37, 38 -> report(Math.max(0, chain.transferee()), replica(
                partition, random.nextBoolean() ? Status.CLAIMS : Status.TAKES_OVER, version, Chain.NONE));
            case 39 -> 0 == random.nextInt(3) ? drain() : 0 == random.nextInt(4) ? setLimits() : setConsistency();
            case 59 -> 0 == random.nextInt(3) ? deleteJob(state) : createJob();
            case 60 -> random.nextBoolean() ? takeSlot() : leaveSlot(state);
            case 61, 62, 63, 64, 65 -> workReport(state);
            default -> recovered(state.clusterMap().assignment().get(partition), partition, version);
        };
    }

    private Step command(final int bodyLength)
    {
        final byte[] bytes = new byte[HEADER_LENGTH + bodyLength];
        buffer.getBytes(0, bytes);

        return new Step(0, nowMs, bytes);
    }

    private int defineJob()
    {
        final DefineJobEncoder encoder = new DefineJobEncoder().wrapAndApplyHeader(buffer, 0, header).clusterId(7);
        ClusterMapCodec.encodeJob(
            new JobSpec(PARTITIONS, 3, 4, 64, 1000, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN), encoder.job());

        return encoder.encodedLength();
    }

    private Step setConsistency()
    {
        return command(new SetConsistencyEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .clusterId(7 + random.nextInt(2)).slots(1 + random.nextInt(3)).staleness(random.nextInt(4) - 1)
            .encodedLength());
    }

    private Step setLimits()
    {
        return command(new SetLimitsEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .clusterId(7 + random.nextInt(2)).rowBytes(random.nextInt(3)).pushRate(random.nextInt(2) * (1L << 20))
            .encodedLength());
    }

    private Step createJob()
    {
        final CreateJobEncoder encoder = new CreateJobEncoder().wrapAndApplyHeader(buffer, 0, header).clusterId(7);
        ClusterMapCodec.encodeJob(new JobSpec(1 + random.nextInt(4), 1 + random.nextInt(3), 3, 64, 1000,
            JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN), encoder.job());
        encoder.name().text("job-" + random.nextInt(4));

        return command(encoder.encodedLength());
    }

    private Step deleteJob(final CoordinatorState state)
    {
        final List<ClusterMap.Job> jobs = state.clusterMap().jobs();
        final int last = jobs.isEmpty() ? 0 : jobs.get(jobs.size() - 1).id();
        return command(new DeleteJobEncoder().wrapAndApplyHeader(buffer, 0, header)
            .clusterId(7).jobId(last - random.nextInt(3)).encodedLength());
    }

    private Step drain()
    {
        return command(new DrainNodeEncoder().wrapAndApplyHeader(buffer, 0, header)
            .clusterId(7).nodeId(random.nextInt(NODES + 1)).isDraining((short)random.nextInt(2)).encodedLength());
    }

    private Step takeSlot()
    {
        return command(new TakeSlotEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .clusterId(7).requestId(1 + random.nextInt(SLOTS)).encodedLength());
    }

    private Step leaveSlot(final CoordinatorState state)
    {
        final int slot = random.nextInt(SLOTS);
        return command(new LeaveSlotEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1).clusterId(7)
            .incarnation(state.slots().incarnation(slot)).slot(slot)
            .hasFinished((short)(0 == random.nextInt(20) ? 1 : 0)).encodedLength());
    }

    /** Mostly of the process that holds the slot, now and then of the next one. */
    private Step workReport(final CoordinatorState state)
    {
        final int slot = random.nextInt(SLOTS);
        final boolean isLeaving = 0 == random.nextInt(30);
        clocks[slot] += random.nextInt(3);
        final long clock = Math.max(0, clocks[slot] - (0 == random.nextInt(10) ? 2 : 0));
        final WorkSpec spec = new WorkSpec(
            null == state.work().spec() ? 1 : state.work().spec().workId() + random.nextInt(40) / 39, 20, 3, 2, true);
        return command(works.encode(7, 1, new WorkReport(
            slot, Math.max(1, state.slots().incarnation(slot) + (0 == random.nextInt(20) ? 1 : 0)), spec,
            new WorkReport.Found(0, Math.max(0, clock - 2), clock + 1), clock,
            isLeaving ? clock : Math.max(0, clock - 1), random.nextInt(8), isLeaving, isLeaving && 0 == clock % 3),
            buffer) - HEADER_LENGTH);
    }

    private Step reach(final Chain chain)
    {
        final WorkerReachEncoder encoder = new WorkerReachEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).jobId(1);
        final Map<Integer, Boolean> nodes = new TreeMap<>();
        nodes.put(Math.max(0, chain.successorOf(chain.head())), true);
        nodes.put(Math.max(0, chain.head()), 0 == random.nextInt(3));
        CoordinatorLink.encodeReach(encoder, random.nextInt(3), 1, nodes);

        return command(encoder.encodedLength());
    }

    private Step register(final int node)
    {
        incarnations[node] += 1 + random.nextInt(3);
        endpoints[node] = "127.0.0.1:" + (4000 + random.nextInt(9));
        return report(node);
    }

    /** Now and then one that was sent before those that were taken. */
    private Step report(final int node, final ReplicaReport... replicas)
    {
        final long number = ++numbers[node] - (0 == random.nextInt(20) ? random.nextInt(3) : 0);
        return command(reports.encode(new NodeReport(node, incarnations[node], number, random.nextBoolean(),
            endpoints[node], List.of(replicas)), buffer) - HEADER_LENGTH);
    }

    private ReplicaReport replica(
        final int partition,
        final Status status,
        final long version,
        final int joiner,
        final Suspicion... suspicions)
    {
        return new ReplicaReport(partition, status, version,
            new LogEnd(random.nextInt(5) - 1, random.nextInt(1000), 0 == random.nextInt(8)), joiner,
            List.of(suspicions), new ReplicaPositions(9, 8, 7));
    }

    private Step recovered(final List<Integer> assignment, final int partition, final long version)
    {
        final int node = assignment.isEmpty() ? 0 : assignment.get(random.nextInt(assignment.size()));
        return report(node, replica(partition, Status.RECOVERED, version, Chain.NONE));
    }

    private Step suspect(final Chain chain, final int partition, final long version, final int node)
    {
        final int about = Chain.NONE != silent && random.nextBoolean() ? silent : node;
        final int next = chain.successorOf(about);
        final int reporter = Chain.NONE != next ? next : Math.max(0, chain.predecessorOf(about));
        return report(reporter, replica(partition, Status.NONE, version, Chain.NONE,
            new Suspicion(about, random.nextInt(4) > 0)));
    }

    private Step everything(final int node, final CoordinatorState state)
    {
        final ReplicaReport[] replicas = new ReplicaReport[3];
        for (int i = 0; i < replicas.length; i++)
        {
            final int partition = random.nextInt(Math.max(PARTITIONS, state.map().chains().size()));
            final Chain chain = state.map().chains().get(partition);
            replicas[i] = replica(
                partition, Status.values()[random.nextInt(Status.values().length)], chain.version(), chain.joiner());
        }

        return report(node, replicas);
    }

    static byte[] write(final List<Step> steps)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream output = new DataOutputStream(bytes))
        {
            for (final Step step : steps)
            {
                output.writeByte(step.kind());
                output.writeLong(step.nowMs());
                output.writeShort(step.command().length);
                output.write(step.command());
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        return bytes.toByteArray();
    }

    static List<Step> read(final byte[] bytes)
    {
        final List<Step> steps = new ArrayList<>();
        try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes)))
        {
            while (input.available() > 0)
            {
                final int kind = input.readByte();
                final long timeMs = input.readLong();
                steps.add(new Step(kind, timeMs, input.readNBytes(input.readUnsignedShort())));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        return steps;
    }
}
