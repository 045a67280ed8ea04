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
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.request.PullRequest;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.Tickets;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * The pulls of one process of a worker, and what their callers may rely on: rows are those of one place of the log,
 * contain this worker's own pushes and all that was acknowledged before, and never go back.
 */
final class WorkerPulls
{
    private static final int MAX_ROWS = 4;
    private static final int SELDOM = 12;

    /** A pull that was asked, and what had been pushed and acknowledged by then. */
    private record Asked(
        long ticket, int partition, int[] keys, float[] rows, long ownLast, long[] acknowledged)
    {
    }

    private final World world;
    private final Checker checker;
    private final int slot;
    private final Client client;
    private final PullRequest pull;
    private final BoundChanges bounds;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final RowsDecoder decoder = new RowsDecoder();
    private final List<Asked> asked = new ArrayList<>();
    private final long[] seenEpoch;
    private final long[] seenPosition;

    WorkerPulls(
        final World world, final Cluster cluster, final Checker checker, final int slot, final Client client)
    {
        this.world = world;
        this.checker = checker;
        bounds = cluster.coordinator().bounds();
        this.slot = slot;
        this.client = client;
        pull = new PullRequest(client.partitions());
        seenEpoch = new long[client.partitions()];
        seenPosition = new long[client.partitions()];
    }

    /** Now and then a few rows are asked for, as long as there is something left to push. */
    void doWork(final PartitionSession session)
    {
        if (session.epoch() < 0 || session.acknowledgedThrough() >= Workload.PARTS ||
            0 != world.faults().work().nextInt(SELDOM) || 0 == client.pulls(session.partition()).room())
        {
            return;
        }
        final int[] indices = new int[1 + world.faults().work().nextInt(MAX_ROWS)];
        final long[] keys = new long[indices.length];
        for (int i = 0; i < keys.length; i++)
        {
            indices[i] = world.faults().work().nextInt(History.KEYS);
            keys[i] = world.config().firstKey(session.partition()) + indices[i];
        }
        final float[] rows = new float[keys.length];
        client.iteration().prefetch(world.config().clock(session.lastSequence()));
        final long ticket = client.requests().tryPull(
            pull.of(Workload.COUNTS, keys, 0, keys.length)
                .cacheKeys(world.config().isKeyCached(), world.config().encoding()).into(rows), world.events().nowNs());
        if (Tickets.NOT_NOW != ticket)
        {
            asked.add(new Asked(ticket, session.partition(), indices, rows, session.lastSequence(),
                checker.acknowledged(session.partition())));
        }
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
            Violation.check(pull.rows()[i] == contents.sums()[pull.keys()[i]], Violation.Kind.MODEL_DIFFERS,
                "pulled, slot, partition, key, position", slot, partition, pull.keys()[i], position);
        }
        Violation.check(contents.lasts()[slot] >= world.config().shown(pull.ownLast()), Violation.Kind.STALE_READ,
            "without own pushes, slot, partition, read, pushed", slot, partition, contents.lasts()[slot],
            pull.ownLast());
        for (int other = 0; other < ScenarioConfig.SLOTS; other++)
        {
            Violation.check(contents.lasts()[other] >= pull.acknowledged()[other], Violation.Kind.STALE_READ,
                "without what was acknowledged to slot, partition, read, acknowledged", other, partition,
                contents.lasts()[other], pull.acknowledged()[other]);
        }
        final long clock = world.config().clock(pull.ownLast());
        final Consistency bound = bounds.ofLogged(contents.logged());
        for (int other = 0; other < ScenarioConfig.SLOTS; other++)
        {
            Violation.check(bound.allows(
                clock, world.config().clock(contents.lasts()[other])),
                Violation.Kind.STALENESS_EXCEEDED, "slot, clock, partition, other's last", slot, clock, partition,
                contents.lasts()[other]);
        }
        checkWholeClocks(contents.lasts());
        Violation.check(epoch > seenEpoch[partition] ||
            epoch == seenEpoch[partition] && position >= seenPosition[partition], Violation.Kind.STALE_READ,
            "went back, slot, partition, position, seen", slot, partition, position, seenPosition[partition]);
        seenEpoch[partition] = epoch;
        seenPosition[partition] = position;
    }

    /** Where clocks are added up nobody ever sees what one slot has pushed in a clock without what others have. */
    private void checkWholeClocks(final long[] lasts)
    {
        for (final long last : lasts)
        {
            Violation.check(!world.config().isSequential() || last == lasts[0] && last == world.config().shown(last),
                Violation.Kind.MODEL_DIFFERS, "half a clock: first slot's last, other's", lasts[0], last);
        }
    }
}
