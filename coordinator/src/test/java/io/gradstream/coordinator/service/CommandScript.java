/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.coordinator.service;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.AdmitEncoder;
import io.gradstream.codecs.coordinator.AliveEncoder;
import io.gradstream.codecs.coordinator.ClimbedEncoder;
import io.gradstream.codecs.coordinator.ConfirmEncoder;
import io.gradstream.codecs.coordinator.DefineJobEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.RegisterEncoder;
import io.gradstream.codecs.coordinator.SuspectEncoder;
import io.gradstream.coordinator.state.CoordinatorState;
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
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final Random random;
    private final long[] incarnations = new long[NODES];
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
            return command(register(steps - 2));
        }
        if (0 == random.nextInt(150))
        {
            silent = random.nextInt(NODES + 1) - 1;
        }
        final int partition = random.nextInt(PARTITIONS);
        final Chain chain = state.map().chains().get(partition);
        final long version = chain.version() - (0 == random.nextInt(12) ? 1 : 0);
        return switch (random.nextInt(60))
        {
            case 0 -> command(register(node));
            case 1 -> new Step(NEW_LEADER, nowMs, new byte[0]);
            case 2, 3, 4, 5, 6 -> new Step(TIME, nowMs, new byte[0]);
            case 7, 8, 9, 10 -> suspect(chain, partition, version, node);
            case 11, 12, 13, 14, 15, 16, 17, 18 -> command(confirm(chain, partition, version));
            case 19, 20, 21, 22, 23, 24, 25, 26 -> command(admit(chain, partition, version));
            case 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38 -> alive(node == silent ? 0 : node, state);
            default -> command(climbed(state.clusterMap().homes().get(partition), partition, version));
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
        final DefineJobEncoder encoder = new DefineJobEncoder().wrapAndApplyHeader(buffer, 0, header);
        ClusterMapCodec.encodeJob(
            new JobSpec(PARTITIONS, 3, 4, 64, 1000, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN), encoder.job());

        return encoder.encodedLength();
    }

    private int register(final int node)
    {
        incarnations[node] += 1 + random.nextInt(3);
        return new RegisterEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnations[node]).nodeId(node).endpoint("127.0.0.1:" + (4000 + random.nextInt(9)))
            .encodedLength();
    }

    private int climbed(final List<Integer> homes, final int partition, final long version)
    {
        final int node = homes.isEmpty() ? 0 : homes.get(random.nextInt(homes.size()));
        return new ClimbedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnations[node]).epoch(random.nextInt(5) - 1).position(random.nextInt(1000))
            .chainVersion(version).nodeId(node).partition(partition).encodedLength();
    }

    private int confirm(final Chain chain, final int partition, final long version)
    {
        final int node = Math.max(0, chain.head());
        return new ConfirmEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnations[node]).chainVersion(version).nodeId(node).partition(partition).encodedLength();
    }

    private int admit(final Chain chain, final int partition, final long version)
    {
        final int node = chain.members().isEmpty() ? 0 : chain.members().get(chain.members().size() - 1);
        return new AdmitEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnations[node]).chainVersion(version).nodeId(node).partition(partition)
            .joiner(chain.joiner()).encodedLength();
    }

    private Step suspect(final Chain chain, final int partition, final long version, final int node)
    {
        final int about = Chain.NONE != silent && random.nextBoolean() ? silent : node;
        final int next = chain.successorOf(about);
        final int reporter = Chain.NONE != next ? next : Math.max(0, chain.predecessorOf(about));
        return command(new SuspectEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnations[reporter]).chainVersion(version).nodeId(reporter).partition(partition)
            .suspected(about).isAnswered((short)(random.nextInt(4) > 0 ? 1 : 0)).encodedLength());
    }

    private Step alive(final int node, final CoordinatorState state)
    {
        final AliveEncoder encoder = new AliveEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnations[node]).nodeId(node).isAnswered((short)random.nextInt(2));
        final AliveEncoder.ReplicasEncoder replicas = encoder.replicasCount(3);
        for (int i = 0; i < 3; i++)
        {
            final int partition = random.nextInt(PARTITIONS);
            final Chain chain = state.map().chains().get(partition);
            replicas.next().applied(9).replicated(8).recorded(7).chainVersion(chain.version())
                .epoch(random.nextInt(5)).position(random.nextInt(1000)).partition(partition)
                .joiner(chain.joiner()).said((short)random.nextInt(5));
        }

        return command(encoder.encodedLength());
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
