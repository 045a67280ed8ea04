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

import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.Partition;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Looks after each event whether every promise is still kept.
 */
final class Checker
{
    private final SimulatedServer server;
    private final History history;
    private final UnsafeBuffer row = new UnsafeBuffer(new byte[TableSpec.AUDIT.valuesLength()]);
    private final long[] acknowledged = new long[Simulation.SLOTS];
    private final long[] seenEpoch = new long[Simulation.SLOTS];
    private final long[][] seen = new long[Simulation.SLOTS][3];

    Checker(final SimulatedServer server, final History history)
    {
        this.server = server;
        this.history = history;
    }

    void checkServer()
    {
        if (!server.isAlive())
        {
            return;
        }
        final Replica replica = server.replica();
        if (Replica.State.HALTED == replica.state())
        {
            throw new Violation(Violation.Kind.SERVER_HALTED, replica.haltReason());
        }
        if (replica.isPrimary())
        {
            checkPositions(server.partition(), replica);
            for (int slot = 0; slot < Simulation.SLOTS; slot++)
            {
                checkSlot(server.partition(), slot);
            }
        }
    }

    void checkWorker(final SimulatedWorker worker)
    {
        final PartitionSession session = worker.session();
        final int slot = worker.slot();
        if (PartitionSession.State.HALTED == session.state())
        {
            throw new Violation(Violation.Kind.WORKER_HALTED, session.failure().toString());
        }
        if (session.epoch() >= 0)
        {
            acknowledged[slot] = Math.max(acknowledged[slot], session.floor());
            Violation.check(session.floor() <= server.storage().durable(slot),
                Violation.Kind.ACKNOWLEDGED_TOO_EARLY, "slot, floor, recorded", slot, session.floor(),
                server.storage().durable(slot));
            if (AckLevel.COVERED == worker.ackLevel() && session.spool().oldest() > worker.firstSequence())
            {
                Violation.check(session.floor() <= server.storage().covered(slot),
                    Violation.Kind.ACKNOWLEDGED_TOO_EARLY, "slot, floor, covered", slot, session.floor(),
                    server.storage().covered(slot));
            }
        }
        Violation.check(session.spool().usedBytes() <= SimulatedWorker.SPOOL_BYTES &&
            session.lastSequence() - session.floor() <= SimulatedWorker.MAX_IN_FLIGHT,
            Violation.Kind.UNBOUNDED, "spool", session.spool().usedBytes(), session.lastSequence());
    }

    void onTakeover(final int slot, final long last)
    {
        Violation.check(last >= acknowledged[slot], Violation.Kind.LOST, "takeover of slot, last, acknowledged",
            slot, last, acknowledged[slot]);
    }

    void onWatermarks(
        final int slot, final long epoch, final long applied, final long recorded, final long covered)
    {
        final long[] before = seen[slot];
        Violation.check(epoch > seenEpoch[slot] || epoch == seenEpoch[slot] &&
            applied >= before[0] && recorded >= before[1] && covered >= before[2],
            Violation.Kind.WATERMARK_WENT_BACK, "slot, epoch, applied, recorded, covered", slot, epoch, applied,
            recorded, covered);
        seenEpoch[slot] = epoch;
        seen[slot] = new long[]{applied, recorded, covered};
        Violation.check(recorded <= server.storage().durable(slot) && covered <= server.storage().covered(slot),
            Violation.Kind.WATERMARK_BEYOND_TRUTH, "slot, recorded, truth, covered, truth", slot, recorded,
            server.storage().durable(slot), covered, server.storage().covered(slot));
        if (server.isPrimary() && server.partition().epoch() == epoch)
        {
            Violation.check(applied <= server.partition().lastSequence(slot), Violation.Kind.WATERMARK_BEYOND_TRUTH,
                "slot, applied, truth", slot, applied, server.partition().lastSequence(slot));
        }
    }

    /** After everything is acknowledged: the rows are what the model says. */
    void checkRows()
    {
        final float[] expected = history.fold();
        for (int key = 0; key < History.KEYS; key++)
        {
            server.partition().readRow(SimulatedServer.COUNTS.tableId(), key, row, 0);
            final float value = row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
            if (value != expected[key])
            {
                throw new Violation(Violation.Kind.MODEL_DIFFERS,
                    "key=" + key + " value=" + value + " expected=" + expected[key]);
            }
        }
        for (int slot = 0; slot < Simulation.SLOTS; slot++)
        {
            Violation.check(Workload.PARTS == server.partition().lastSequence(slot), Violation.Kind.LOST,
                "slot, last", slot, server.partition().lastSequence(slot));
        }
        Violation.check(history.part(0, Workload.PARTS).clock() == server.partition().minClock(),
            Violation.Kind.MODEL_DIFFERS, "clock", server.partition().minClock());
    }

    private void checkPositions(final Partition partition, final Replica replica)
    {
        final long end = replica.log().position();
        Violation.check(partition.cursor().position() == end && replica.log().recordedPosition() <= end &&
            partition.snapshotPosition() <= partition.cursor().position(),
            Violation.Kind.POSITIONS, "applied, end, recorded, snapshot", partition.cursor().position(), end,
            replica.log().recordedPosition(), partition.snapshotPosition());
    }

    private void checkSlot(final Partition partition, final int slot)
    {
        final long last = partition.lastSequence(slot);
        Violation.check(last >= server.storage().durable(slot), Violation.Kind.LOST, "slot, last, recorded", slot,
            last, server.storage().durable(slot));
        Violation.check(last <= history.last(slot), Violation.Kind.DOUBLED, "slot, last, issued", slot, last,
            history.last(slot));
        partition.readRow(TableSpec.AUDIT.tableId(), slot, row, 0);
        final long[] expected = history.audit(slot, last);
        for (int i = 0; i < expected.length; i++)
        {
            final long actual = row.getLong(i * Long.BYTES, ByteOrder.LITTLE_ENDIAN);
            Violation.check(actual == expected[i],
                actual > expected[i] ? Violation.Kind.DOUBLED : Violation.Kind.LOST,
                "slot, last, audit, expected", slot, last, actual, expected[i]);
        }
    }
}
