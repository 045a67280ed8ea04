// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.check;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.recovery.log.FrameSink;
import io.gradstream.recovery.log.RecordReplay;
import io.gradstream.server.partition.ConsistentExport;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.recording.ClockEnds;
import io.gradstream.server.recording.RebuiltTable;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowStore;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.storage.SimulatedLogFile;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the model of an iteration out of each head while faults strike, and compares it with what its snapshot and log
 * give for the same iteration, and at the end with those of all copies. In some seeds: a cut makes pushes wait. Where
 * workers go through iterations, each copy is rebuilt at the end of every seed.
 */
public final class CutChecks
{
    /** Of so many seeds one takes models out. */
    public static final long CUT_SEEDS = 4;
    private static final long CUT_SEED = 3;
    private static final int FRAMES_PER_CYCLE = 4;
    private static final int MAX_ROWS = 1 << 16;

    /** A model that a head of an epoch gave. */
    private record Cut(long epoch, long clock, long position, long rows)
    {
    }

    private final World world;
    private final Cluster cluster;
    private final boolean isOn;
    private final boolean isRebuilt;
    private final Map<Partition, Taking> takings = new HashMap<>();
    private final List<Map<Long, Cut>> cuts = new ArrayList<>();
    private final ImportChecks imports;
    private int compared;

    public CutChecks(final World world, final Cluster cluster, final long seed)
    {
        this.world = world;
        this.cluster = cluster;
        imports = new ImportChecks(world.config(), cluster.histories());
        final boolean isOfIterations = world.config().isOfIterations();
        isOn = world.config().job().mode().keepsLog() && (isOfIterations ?
            0 == Math.floorMod(seed / CUT_SEEDS, 2) : CUT_SEED == Math.floorMod(seed, CUT_SEEDS));
        isRebuilt = isOn || isOfIterations;
        for (int i = 0; i < world.config().partitions(); i++)
        {
            cuts.add(new HashMap<>());
        }
    }

    /** Cuts that were compared with what a disk gave. */
    public int compared()
    {
        return compared;
    }

    /** After a node's duty cycle. */
    public void onCycle(final SimulatedNode node)
    {
        for (int number = 0; isOn && node.isAlive() && number < cuts.size(); number++)
        {
            final HostedPartition copy = node.process().hosted(number);
            if (null != copy && copy.isPrimary() && !world.faults().isHealing())
            {
                takings.computeIfAbsent(copy.partition(), Taking::new).goOn(copy, node);
            }
            else if (null != copy && null != takings.remove(copy.partition()))
            {
                copy.partition().export().giveUp();
            }
        }
    }

    /** All copies are whole. */
    public void checkEnd()
    {
        for (int number = 0; isRebuilt && number < cuts.size(); number++)
        {
            for (final int home : cluster.coordinator().assignment(number))
            {
                check(number, cluster.node(home));
            }
        }
    }

    private void check(final int number, final SimulatedNode node)
    {
        final List<RebuiltTable> tables = new ArrayList<>();
        final Partition rebuilt = new Partition(
            ScenarioConfig.JOB_ID, number, 0, new PartitionFunction(world.config().partitions()),
            (id, spec, rowLength) ->
            {
                final RowStore store = new InMemoryRowStore(rowLength, MAX_ROWS);
                tables.add(new RebuiltTable(spec, rowLength, store));
                return store;
            });
        final SimulatedStorage storage = node.storage(number);
        storage.oldestFrames().forEach((frame) -> rebuilt.loadFrame(frame, 0, frame.capacity()));
        final RecordReplay replay = new RecordReplay(rebuilt);
        final ClockEnds ends = new ClockEnds(rebuilt);
        Cut last = null;
        for (int i = storage.file().indexAfter(rebuilt.cursor().position()); i >= 0; i++)
        {
            final SimulatedLogFile.Entry entry = storage.file().entry(i);
            if (null == entry || entry.isRotten())
            {
                break;
            }
            final String problem = replay.replay(entry.bytes, 0, entry.bytes.capacity(), entry.end);
            Violation.check(null == problem, Violation.Kind.HASH_DIFFERS, problem, entry.end);
            ends.onApplied();
            final Cut cut = cuts.get(number).get(entry.end);
            compare(world.isPlanted(PlantedFault.REBUILD_TOO_FAR) ? last : cut, rebuilt, ends, tables);
            last = cut;
        }
        final Partition live = node.process().hosted(number).partition();
        Violation.check(live.cursor().position() != rebuilt.cursor().position() ||
            live.stateHash() == rebuilt.stateHash() && live.exactFrom() == rebuilt.exactFrom() &&
            live.isOfItsClock() == rebuilt.isOfItsClock(), Violation.Kind.HASH_DIFFERS,
            "rebuilt and live, partition, position", number, live.cursor().position());
        if (live.cursor().position() == rebuilt.cursor().position())
        {
            imports.checkRebuilt(rebuilt, tables);
        }
        rebuilt.close();
    }

    private void compare(
        final Cut cut, final Partition rebuilt, final ClockEnds ends, final List<RebuiltTable> tables)
    {
        // all servers have died since, and the record that ends there is one of a later epoch
        if (null == cut || rebuilt.cursor().epoch() > cut.epoch)
        {
            return;
        }
        final Long position = ends.positions().get(cut.clock);
        Violation.check(null != position && cut.position == position, Violation.Kind.MODEL_DIFFERS,
            "live cut and rebuild, clock, position, rebuilt to", cut.clock, cut.position,
            null == position ? -1 : position);
        Violation.check(cut.rows == rows(tables), Violation.Kind.MODEL_DIFFERS,
            "rows of a live cut and of its rebuild, partition, clock, position", rebuilt.partition(), cut.clock,
            cut.position);
        compared++;
    }

    private static long rows(final List<RebuiltTable> tables)
    {
        final UnsafeBuffer row = new UnsafeBuffer(0, 0);
        long sum = 0;
        for (final RebuiltTable table : tables)
        {
            for (int i = 0; !table.spec().isSystem() && i < table.store().size(); i++)
            {
                table.store().wrap(i, row);
                sum += hash(table.spec().tableId(), table.store().key(i), row, 0, table.rowLength());
            }
        }

        return sum;
    }

    private static long hash(
        final int tableId, final long key, final UnsafeBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);

        return PartitionFunction.mix(PartitionFunction.mix(key) + tableId ^ Arrays.hashCode(bytes));
    }

    /** A head's model on its way out; one after the other, each of the next iteration that ends. */
    private final class Taking implements FrameSink
    {
        private final ConsistentExport cut;
        private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(ScenarioConfig.MAX_LENGTH));
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();
        private final RowsStateDecoder decoder = new RowsStateDecoder();
        private boolean isAsked;
        private int room;
        private long rows;
        private int frames;

        Taking(final Partition partition)
        {
            cut = partition.export();
        }

        void goOn(final HostedPartition copy, final SimulatedNode node)
        {
            final long clock = copy.partition().minClock();
            if (!isAsked && Consistency.FINISHED != clock)
            {
                rows = 0;
                frames = 0;
                isAsked = cut.ask(clock + 1);
            }
            room = FRAMES_PER_CYCLE;
            cut.doWork(this);
            // as an export: what is not replicated may be gone after a failover
            if (isAsked && cut.isDone() && copy.isAnswering() &&
                copy.replica().replicatedPosition() >= cut.position())
            {
                if (ConsistentExport.NOW != cut.clock())
                {
                    cuts.get(copy.number()).put(cut.position(), new Cut(copy.partition().epoch(),
                        cut.clock() - (world.isPlanted(PlantedFault.EXPORT_LABELLED_EARLIER) ? 1 : 0),
                        cut.position(), rows));
                    // later its log may be deleted
                    check(copy.number(), node);
                }
                cut.giveUp();
                isAsked = false;
            }
        }

        @Override
        public int maxFrameLength()
        {
            return ScenarioConfig.MAX_LENGTH;
        }

        @Override
        public boolean tryClaim(final int length)
        {
            return room-- > 0;
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return buffer;
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public void commit()
        {
            if (RowsStateDecoder.TEMPLATE_ID == header.wrap(buffer, 0).templateId())
            {
                final int times = frames++ > 0 ? 1 : world.isPlanted(PlantedFault.EXPORT_FRAME_LOST) ? 0 :
                    world.isPlanted(PlantedFault.EXPORT_FRAME_TWICE) ? 2 : 1;
                decoder.wrapAndApplyHeader(buffer, 0, header);
                final int rowLength = decoder.rowLength();
                int at = decoder.limit() + RowsStateDecoder.rowDataHeaderLength();
                for (int i = 0; i < decoder.rowCount(); i++)
                {
                    rows += times * hash(decoder.tableId(), buffer.getLong(at, ByteOrder.LITTLE_ENDIAN), buffer,
                        at + Long.BYTES, rowLength);
                    at += Long.BYTES + rowLength;
                }
            }
        }
    }
}
