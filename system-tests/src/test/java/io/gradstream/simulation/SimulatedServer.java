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

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.WatermarksEncoder;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.InMemoryRowStore;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.Partition;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One server that is started, runs its duty cycle, and dies: the production replica and partition between simulated
 * ingress, egress and storage.
 */
final class SimulatedServer
{
    static final TableSpec COUNTS = TableSpec.sparse(0, "counts", 1, "add/1");
    private static final int ROWS = 64;
    private static final int STALE_MESSAGES = 5;

    private final Faults faults;
    private final EventQueue events;
    private final SimulatedTransport[] links;
    private final PlantedFault planted;
    private final SimulatedStorage storage;
    private final WatermarksEncoder watermarks = new WatermarksEncoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final UnsafeBuffer egress = new UnsafeBuffer(new byte[4096]);
    private final long[] appliedBeforeCrash = new long[Simulation.SLOTS];
    private long pausedUntilNs;
    private int staleMessages;
    private Partition partition;
    private Replica replica;
    private SimulatedIngress ingress;

    SimulatedServer(
        final Faults faults, final EventQueue events, final SimulatedTransport[] links, final PlantedFault planted)
    {
        this.faults = faults;
        this.events = events;
        this.links = links;
        this.planted = planted;
        storage = new SimulatedStorage(faults, planted);
    }

    void start()
    {
        partition = new Partition(1, 0, 0, new PartitionFunction(1),
            (number, spec, rowLength) -> new InMemoryRowStore(rowLength, ROWS));
        replica = new Replica(storage, partition);
        ingress = new SimulatedIngress(partition, links, planted);
        staleMessages = STALE_MESSAGES;
        storage.start(partition::readRow);
    }

    boolean isAlive()
    {
        return null != replica;
    }

    boolean isPrimary()
    {
        return isAlive() && replica.isPrimary();
    }

    Partition partition()
    {
        return partition;
    }

    Replica replica()
    {
        return replica;
    }

    SimulatedStorage storage()
    {
        return storage;
    }

    void crash()
    {
        for (int slot = 0; slot < Simulation.SLOTS; slot++)
        {
            appliedBeforeCrash[slot] = partition.lastSequence(slot);
        }
        storage.crash();
        partition = null;
        replica = null;
        ingress = null;
    }

    void pause(final long durationNs)
    {
        pausedUntilNs = events.nowNs() + durationNs;
    }

    void onDisconnect(final int slot)
    {
        if (isAlive())
        {
            ingress.detach(slot);
        }
    }

    boolean onMessage(final int slot, final DirectBuffer buffer, final int length)
    {
        return events.nowNs() >= pausedUntilNs && isPrimary() && ingress.onMessage(slot, buffer, length);
    }

    void doWork()
    {
        if (!isAlive() || events.nowNs() < pausedUntilNs)
        {
            return;
        }
        replica.doWork();
        if (!isPrimary())
        {
            return;
        }
        createTable();
        snapshot();
        for (int slot = 0; slot < Simulation.SLOTS; slot++)
        {
            partition.onRecorded(slot, replica.log().recordedPosition());
            if (ingress.isAttached(slot))
            {
                sendWatermarks(slot);
            }
        }
    }

    private void createTable()
    {
        if (null == partition.tableSpec(COUNTS.tableId()) && 0 == faults.work().nextInt(4))
        {
            final Outcome outcome = partition.onCreateTable(COUNTS, partition.epoch());
            Violation.check(Outcome.REFUSED != outcome, Violation.Kind.INVARIANT_BROKEN, "table refused");
        }
    }

    private void snapshot()
    {
        if (partition.isSnapshotUnderWay())
        {
            partition.doSnapshotWork();
        }
        else if (0 == faults.work().nextInt(25))
        {
            partition.startSnapshot(storage.openSnapshotSink(partition.cursor().position()));
        }
    }

    private void sendWatermarks(final int slot)
    {
        long applied = partition.lastSequence(slot);
        long recorded = partition.recordedSequence(slot);
        if (PlantedFault.ACKNOWLEDGE_BEFORE_RECORDED == planted)
        {
            recorded = applied;
        }
        if (PlantedFault.STALE_EPOCH_ACCEPTED == planted && staleMessages-- > 0)
        {
            applied = Math.max(applied, appliedBeforeCrash[slot]);
        }
        final int[] refusalCount = new int[1];
        partition.forEachRefusal(slot, (sequence, code) -> refusalCount[0]++);
        watermarks.wrapAndApplyHeader(egress, 0, header)
            .nodeIncarnation(1)
            .nodeId(0)
            .slot(slot)
            .partitionsCount(1).next()
            .epoch(partition.epoch())
            .applied(applied)
            .replicated(applied)
            .recorded(recorded)
            .covered(partition.coveredSequence(slot))
            .partition(0)
            .degraded((short)0);
        final WatermarksEncoder.RefusalsEncoder refusals = watermarks.refusalsCount(refusalCount[0]);
        partition.forEachRefusal(slot,
            (sequence, code) -> refusals.next().sequence(sequence).partition(0).code((short)code));
        links[slot].offerToWorker(egress, 0, MessageHeaderEncoder.ENCODED_LENGTH + watermarks.encodedLength());
    }
}
