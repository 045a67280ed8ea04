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
package io.gradstream.simulation;

import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.WatermarksEncoder;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells workers how far their parts have come, as the production node does: when something has changed, and as a sign
 * of life.
 */
final class SimulatedEgress
{
    private static final long SIGN_OF_LIFE_NS = 10_000_000;
    private static final int VALUES = 4;

    private final World world;
    private final Cluster cluster;
    private final int nodeId;
    private final HostedPartition[] hosted;
    private final long[][][] told;
    private final long[][] toldNs;
    private final WatermarksEncoder watermarks = new WatermarksEncoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
    private final long[] values = new long[VALUES];

    SimulatedEgress(final World world, final Cluster cluster, final int nodeId, final HostedPartition[] hosted)
    {
        this.world = world;
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.hosted = hosted;
        told = new long[Shape.CLIENTS][hosted.length][VALUES];
        toldNs = new long[Shape.CLIENTS][hosted.length];
    }

    void doWork(final SimulatedIngress ingress)
    {
        for (int client = 0; client < Shape.CLIENTS; client++)
        {
            for (final HostedPartition host : hosted)
            {
                if (null != host && ingress.isAttached(client, host.number()) && mayTell(client, host))
                {
                    tell(client, host);
                }
            }
        }
    }

    private boolean mayTell(final int client, final HostedPartition host)
    {
        return world.isPlanted(PlantedFault.REPLACED_PROCESS_TOLD) ? host.mayAnswer() :
            host.mayTell(client / Shape.SEATS, cluster.link(client, nodeId).incarnation());
    }

    private void tell(final int client, final HostedPartition host)
    {
        final int slot = client / Shape.SEATS;
        final Partition partition = host.partition();
        host.updateWatermarks(slot);
        values[0] = partition.lastSequence(slot);
        values[1] = cluster.lies().replicated(host, slot, partition.replicatedSequence(slot));
        values[2] = world.isPlanted(PlantedFault.ACKNOWLEDGE_BEFORE_RECORDED) ?
            values[0] : partition.recordedSequence(slot);
        values[3] = partition.coveredSequence(slot);
        final long[] before = told[client][host.number()];
        final long nowNs = world.events.nowNs();
        if (java.util.Arrays.equals(values, before) && nowNs - toldNs[client][host.number()] < SIGN_OF_LIFE_NS)
        {
            return;
        }
        cluster.checker().onWatermarks(nodeId, host, slot, values);
        cluster.checker().onTold(host, client, values);
        if (send(client, partition))
        {
            System.arraycopy(values, 0, before, 0, VALUES);
            toldNs[client][host.number()] = nowNs;
        }
    }

    private boolean send(final int client, final Partition partition)
    {
        final int slot = client / Shape.SEATS;
        final int[] refusalCount = new int[1];
        if (!world.isPlanted(PlantedFault.REFUSAL_NOT_TOLD))
        {
            partition.forEachRefusal(slot, (sequence, code) -> refusalCount[0]++);
        }
        watermarks.wrapAndApplyHeader(buffer, 0, header)
            .nodeIncarnation(1)
            .nodeId(nodeId)
            .slot(slot)
            .incarnation(cluster.link(client, nodeId).incarnation())
            .partitionsCount(1).next()
            .epoch(partition.epoch())
            .applied(values[0])
            .replicated(values[1])
            .recorded(values[2])
            .covered(values[3])
            .partition(partition.partition())
            .degraded((short)(hosted[partition.partition()].replica().chain().isDegraded() ? 1 : 0));
        final WatermarksEncoder.RefusalsEncoder refusals = watermarks.refusalsCount(refusalCount[0]);
        if (refusalCount[0] > 0)
        {
            partition.forEachRefusal(slot, (sequence, code) ->
                refusals.next().sequence(sequence).partition(partition.partition()).code((short)code)
                    .epoch(partition.epoch()));
        }

        return cluster.link(client, nodeId).offerToWorker(
            buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + watermarks.encodedLength());
    }
}
