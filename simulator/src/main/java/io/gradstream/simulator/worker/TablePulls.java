// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.check.PullChecks;
import io.gradstream.simulator.coordinator.BoundChanges;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pulls of a process that goes through iterations. Rows are those of one place of the log, hold what every slot has
 * pushed in the iterations that the bound asks for, and no half of an iteration where clocks are added up.
 */
final class TablePulls
{
    private static final int MAX_ROWS = 4;
    private static final int SELDOM = 3;
    /** A process of a slot that is backed up may wait long for the other one, and pulls no more of that iteration. */
    private static final int MOST_OF_ITERATION = 48;

    /** A pull that was asked, and what had been ended and acknowledged by then. */
    private record Asked(
        long ticket,
        int partition,
        int[] keys,
        float[] rows,
        boolean isImported,
        boolean[] isCached,
        long clock,
        long ownLast,
        long[] acknowledged)
    {
    }

    private final World world;
    private final Checker checker;
    private final Histories histories;
    private final int slot;
    private final long incarnation;
    private final Client client;
    private final Table table;
    /** The table that is imported, or null. */
    private final Table imported;
    private final CachedPulls cached;
    private final BoundChanges bounds;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final RowsDecoder decoder = new RowsDecoder();
    private final List<Asked> asked = new ArrayList<>();
    private final long[] seenEpoch;
    private final long[] seenPosition;
    private final boolean isShared;
    /** Last iteration for which rows came that hold that iteration already; -1: none. */
    private long overtaken = -1;
    private long askedClock;
    private int askedOfClock;
    /** By partition the last iteration for which rows have come. */
    private final long[] rowsOf;

    TablePulls(
        final World world,
        final Cluster cluster,
        final Checker checker,
        final WorkerIdentity identity,
        final Client client,
        final Table table,
        final TableImports imports)
    {
        imported = imports.table();
        cached = imports.cached();
        this.world = world;
        this.checker = checker;
        bounds = cluster.coordinator().bounds();
        histories = cluster.histories();
        slot = identity.slot();
        incarnation = identity.incarnation();
        isShared = !identity.role().isSole();
        this.client = client;
        this.table = table;
        seenEpoch = new long[client.partitions()];
        seenPosition = new long[client.partitions()];
        rowsOf = new long[client.partitions()];
        Arrays.fill(rowsOf, -1);
    }

    /** Asks for a few rows of one partition now and then. */
    void doWork(final long clock)
    {
        askedOfClock = askedClock == clock ? askedOfClock : 0;
        askedClock = clock;
        if (0 != world.faults().work().nextInt(SELDOM) || isShared && askedOfClock >= MOST_OF_ITERATION)
        {
            return;
        }
        final int partition = world.faults().work().nextInt(client.partitions());
        final boolean isImported = null != imported && world.faults().work().nextBoolean();
        final long firstKey = isImported ?
            world.config().firstKey(Imports.TABLE, partition) : world.config().firstKey(partition);
        final int[] indices = new int[1 + world.faults().work().nextInt(MAX_ROWS)];
        final long[] keys = new long[indices.length];
        for (int i = 0; i < keys.length; i++)
        {
            indices[i] = world.faults().work().nextInt(isImported ? Imports.KEYS : History.KEYS);
            keys[i] = firstKey + indices[i];
        }
        final float[] rows = new float[isImported ? keys.length * Imports.TABLE.dim() : keys.length];
        cached.mark(rows);
        final long ticket = (isImported ? imported : table).tryPull(keys, keys.length, rows);
        if (GradstreamClient.NOT_NOW != ticket)
        {
            askedOfClock++;
            final boolean[] isCached = cached.check(partition, indices, rows, isImported, clock);
            if (client.tickets().isDone(ticket))
            {
                // every row was cached
                return;
            }
            asked.add(new Asked(ticket, partition, indices, rows, isImported, isCached, clock,
                client.session(partition).lastSequence(), checker.acknowledged(partition)));
        }
    }

    /** True if rows for an iteration have come from each partition: what is pushed is computed from them. */
    boolean isAnyOf(final long clock)
    {
        boolean isAny = true;
        for (final long of : rowsOf)
        {
            isAny &= of >= clock;
        }

        return isAny;
    }

    /**
     * True if rows have shown that the other process of the slot has pushed all of an iteration, where clocks are added
     * up: what this process computes from them is worth nothing.
     */
    boolean isOvertaken(final long clock)
    {
        return overtaken >= clock;
    }

    /** Rows have reached the client: they may end a pull. */
    void onRows(final DirectBuffer message)
    {
        for (int i = asked.size() - 1; i >= 0; i--)
        {
            if (client.tickets().isDone(asked.get(i).ticket()))
            {
                decoder.wrapAndApplyHeader(message, 0, header);
                check(asked.remove(i), decoder.epoch(), decoder.position());
            }
        }
    }

    private void check(final Asked pull, final long epoch, final long position)
    {
        final int partition = pull.partition();
        Violation.check(Refusal.NONE == client.tickets().refusal(pull.ticket()), Violation.Kind.WRONG_OUTCOME,
            "a pull was refused: slot, partition", slot, partition);
        final PullChecks.Contents contents = checker.pulls().at(partition, epoch, position);
        for (int i = 0; i < pull.rows().length; i++)
        {
            final int dim = pull.isImported() ? Imports.TABLE.dim() : 1;
            final int key = pull.keys()[i / dim];
            final float expected = pull.isImported() ? contents.imported()[key][i % dim] : contents.sums()[key];
            Violation.check(pull.isCached()[i / dim] || pull.rows()[i] == expected, Violation.Kind.MODEL_DIFFERS,
                "pulled, slot, partition, key, position", slot, partition, key, position);
            if (0 == i % dim && !pull.isCached()[i / dim])
            {
                cached.onFetched(partition, key, pull.isImported(), epoch, position);
            }
        }
        final Consistency logged = contents.logged();
        bounds.ofLogged(logged);
        Violation.check(logged.isSequential() || contents.lasts()[slot] >= pull.ownLast(), Violation.Kind.STALE_READ,
            "without own pushes, slot, partition, read, pushed", slot, partition, contents.lasts()[slot],
            pull.ownLast());
        for (int other = 0; other < ScenarioConfig.SLOTS; other++)
        {
            Violation.check(contents.lasts()[other] >= pull.acknowledged()[other], Violation.Kind.STALE_READ,
                "without what was acknowledged to slot, partition, read, acknowledged", other, partition,
                contents.lasts()[other], pull.acknowledged()[other]);
            Violation.check(other >= logged.slots() || logged.allows(pull.clock(), contents.clocks()[other]),
                Violation.Kind.STALENESS_EXCEEDED, "slot, clock, partition, other's clock", slot, pull.clock(),
                partition, contents.clocks()[other]);
        }
        checkWholeClocks(pull, contents);
        rowsOf[partition] = Math.max(rowsOf[partition], pull.clock());
        Violation.check(epoch > seenEpoch[partition] ||
            epoch == seenEpoch[partition] && position >= seenPosition[partition], Violation.Kind.STALE_READ,
            "went back, slot, partition, position, seen", slot, partition, position, seenPosition[partition]);
        seenEpoch[partition] = epoch;
        seenPosition[partition] = position;
    }

    /** The rows of a run that is resumed hold the model of the run before, from the first pull on. */
    private void checkModel(final Asked pull, final boolean isOfLater)
    {
        if (null == world.config().resumed() || isOfLater || histories.isDoubted() ||
            histories.history(pull.partition()).isReplaced(slot, incarnation))
        {
            return;
        }
        final float[] expected = History.ofIterations(world.config(), pull.partition(), pull.clock());
        for (int i = 0; i < pull.rows().length; i++)
        {
            Violation.check(pull.rows()[i] == expected[pull.keys()[i]], Violation.Kind.MODEL_DIFFERS,
                "pulled in a resumed run, slot, partition, key, iteration", slot, pull.partition(), pull.keys()[i],
                pull.clock());
        }
    }

    /** Where clocks are added up from the beginning on, rows are those of as many iterations of each slot. */
    private void checkWholeClocks(final Asked pull, final PullChecks.Contents contents)
    {
        final long ended = contents.clocks()[slot];
        final boolean isOfLater = isShared && world.config().isOrdered() && ended > pull.clock();
        checkModel(pull, isOfLater);
        overtaken = isOfLater ? Math.max(overtaken, pull.clock()) : overtaken;
        for (int other = 0; other < ScenarioConfig.SLOTS && world.config().isOrdered(); other++)
        {
            Violation.check(contents.clocks()[other] == (isOfLater ? ended : pull.clock()) ||
                Consistency.FINISHED == contents.clocks()[other] ||
                histories.history(pull.partition()).isReplaced(slot, incarnation), Violation.Kind.MODEL_DIFFERS,
                "not of its iteration: slot, clock, other, other's clock", slot, pull.clock(), other,
                contents.clocks()[other]);
        }
    }
}
