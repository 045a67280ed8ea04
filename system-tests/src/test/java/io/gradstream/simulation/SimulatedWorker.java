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

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;

/**
 * One incarnation of a slot: the production session, a workload that feeds it, and what it was told.
 */
final class SimulatedWorker
{
    static final int SPOOL_BYTES = 8192;
    static final int MAX_IN_FLIGHT = 32;
    private static final SessionTiming TIMING = new SessionTiming(10_000_000, 500_000, 25_000_000);

    private final int slot;
    private final EventQueue events;
    private final SimulatedTransport link;
    private final History history;
    private final Workload workload;
    private final Checker checker;
    private final AckLevel ackLevel;
    private final Tickets tickets = new Tickets(64, LatencyListener.NONE);
    private final PartitionSession session;
    private final long[] ticketOf = new long[Workload.PARTS + 1];
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();
    private long pausedUntilNs;
    private long lastTold;
    private long firstSequence;

    SimulatedWorker(
        final WorkerIdentity identity,
        final AckLevel ackLevel,
        final AckLevel sessionLevel,
        final SimulatedTransport link,
        final Workload workload,
        final Checker checker,
        final EventQueue events)
    {
        this.slot = identity.slot();
        this.ackLevel = ackLevel;
        this.link = link;
        this.workload = workload;
        this.history = workload.history();
        this.checker = checker;
        this.events = events;
        session = new PartitionSession(0, identity, sessionLevel, new Spool(SPOOL_BYTES, MAX_IN_FLIGHT), tickets,
            TIMING, (partition, epoch, outstanding, lostNs, nowNs) -> events.trace(epoch));
    }

    int slot()
    {
        return slot;
    }

    PartitionSession session()
    {
        return session;
    }

    AckLevel ackLevel()
    {
        return ackLevel;
    }

    /** The sequence this incarnation began with. */
    long firstSequence()
    {
        return firstSequence;
    }

    void pause(final long durationNs)
    {
        pausedUntilNs = events.nowNs() + durationNs;
    }

    boolean isDone()
    {
        return session.lastSequence() >= Workload.PARTS && 0 == tickets.outstanding();
    }

    void doWork()
    {
        if (events.nowNs() < pausedUntilNs)
        {
            return;
        }
        session.send((partition, buffer, offset, length) -> link.offerToServer(buffer, offset, length),
            events.nowNs());
        for (int i = workload.nextBurst(); i > 0 && canPush(); i--)
        {
            push();
        }
        checkOutcomes();
    }

    boolean onMessage(final DirectBuffer buffer, final int length)
    {
        if (events.nowNs() < pausedUntilNs)
        {
            return false;
        }
        switch (header.wrap(buffer, 0).templateId())
        {
            case WelcomeDecoder.TEMPLATE_ID -> onWelcome(welcome.wrapAndApplyHeader(buffer, 0, header));
            case WatermarksDecoder.TEMPLATE_ID -> onWatermarks(watermarks.wrapAndApplyHeader(buffer, 0, header));
            case RefusedDecoder.TEMPLATE_ID -> onRefused(refused.wrapAndApplyHeader(buffer, 0, header));
            default -> throw new IllegalStateException("templateId=" + header.templateId());
        }

        return true;
    }

    private boolean canPush()
    {
        return session.canPush() && session.lastSequence() < Workload.PARTS && tickets.hasRoom();
    }

    private void push()
    {
        final History.Part part = workload.nextPart(session.lastSequence() + 1);
        final int offset = session.claim(Workload.length(part));
        if (Spool.NOT_NOW == offset)
        {
            return;
        }
        workload.encode(part, slot, session.spool().next(), session.spool().buffer(), offset);
        final long ticket = tickets.open(true, events.nowNs());
        final long sequence = session.commit(ticket, !part.isClock());
        tickets.seal(ticket, events.nowNs());
        history.add(slot, part);
        Violation.check(sequence == history.last(slot), Violation.Kind.INVARIANT_BROKEN, "sequence", sequence,
            history.last(slot));
        ticketOf[(int)sequence] = ticket;
    }

    private void onWelcome(final WelcomeDecoder message)
    {
        final long last = message.lastSequence();
        if (session.epoch() < 0)
        {
            checker.onTakeover(slot, last);
            history.truncate(slot, last);
            lastTold = last;
            firstSequence = last + 1;
        }
        session.onWelcome(message.epoch(), last, message.position(), events.nowNs());
    }

    private void onWatermarks(final WatermarksDecoder message)
    {
        final WatermarksDecoder.PartitionsDecoder partition = message.partitions().next();
        final long epoch = partition.epoch();
        final long applied = partition.applied();
        final long recorded = partition.recorded();
        final long covered = partition.covered();
        for (final WatermarksDecoder.RefusalsDecoder refusal : message.refusals())
        {
            session.onContentRefused(epoch, refusal.sequence(), refusal.code());
        }
        if (epoch == session.epoch())
        {
            checker.onWatermarks(slot, epoch, applied, recorded, covered);
        }
        session.onWatermarks(epoch, applied, applied, recorded, covered, events.nowNs());
    }

    private void onRefused(final RefusedDecoder message)
    {
        session.onRefused(message.epoch(), message.sequence(), message.expected(), Refusal.of(message.code()),
            events.nowNs());
    }

    private void checkOutcomes()
    {
        while (lastTold < session.floor())
        {
            lastTold++;
            final boolean wasRefused = Refusal.NONE != tickets.refusal(ticketOf[(int)lastTold]);
            Violation.check(wasRefused == history.part(slot, lastTold).isRefused(), Violation.Kind.WRONG_OUTCOME,
                "slot and sequence", slot, lastTold);
        }
    }
}
