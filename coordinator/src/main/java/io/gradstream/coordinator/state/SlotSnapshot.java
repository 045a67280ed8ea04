// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SnapshotSlotDecoder;
import io.gradstream.codecs.coordinator.SnapshotSlotEncoder;
import io.gradstream.codecs.coordinator.SnapshotWorkDecoder;
import io.gradstream.codecs.coordinator.SnapshotWorkEncoder;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkPiece;
import org.agrona.MutableDirectBuffer;

/** Writes slots and the work that they share as messages, and reads it. */
final class SlotSnapshot
{
    /** Most pieces in one message. */
    static final int MAX_PIECES = 4096;

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private SlotSnapshot()
    {
    }

    /** Write the work, if there is one, then the slots, a message each. */
    static void encode(
        final CoordinatorState state,
        final MutableDirectBuffer buffer,
        final MessageHeaderEncoder header,
        final CoordinatorSnapshot.Output output)
    {
        state.jobs.all().forEach((job) -> encode(job, buffer, header, output));
    }

    private static void encode(
        final JobState job,
        final MutableDirectBuffer buffer,
        final MessageHeaderEncoder header,
        final CoordinatorSnapshot.Output output)
    {
        if (null != job.work.spec())
        {
            final List<WorkPiece> again = new ArrayList<>(job.work.again);
            int from = 0;
            do
            {
                final int until = Math.min(again.size(), from + MAX_PIECES);
                encode(job, again.subList(from, until), buffer, header, output);
                from = until;
            }
            while (from < again.size());
        }
        job.slots.leases.forEach((slot, lease) ->
        {
            final SlotWork work = job.work.slots.getOrDefault(slot, new SlotWork());
            final SnapshotSlotEncoder encoder = new SnapshotSlotEncoder().wrapAndApplyHeader(buffer, 0, header)
                .incarnation(lease.incarnation)
                .named(lease.named)
                .requestId(lease.requestId)
                .heardMs(lease.heardMs)
                .workIncarnation(work.incarnation)
                .floorClock(work.floorClock)
                .sinceMs(work.sinceMs)
                .sinceClock(work.sinceClock)
                .endedMs(work.endedMs)
                .adoptIncarnation(work.adoptIncarnation)
                .adoptMs(work.adoptMs)
                .adopter(work.adopter)
                .slot(slot)
                .isHeld(flag(lease.isHeld))
                .hasFinished(flag(lease.hasFinished))
                .hasLeftWork(flag(work.hasLeft))
                .jobId(job.id);
            final SnapshotSlotEncoder.PiecesEncoder pieces = encoder.piecesCount(work.pieces.size());
            work.pieces.forEach((piece) ->
                pieces.next().unit(piece.unit()).fromBatch(piece.fromBatch()).length(piece.length()));
            output.onMessage(buffer, 0, HEADER_LENGTH + encoder.encodedLength());
        });
    }

    /** Read one slot. */
    static void decode(final CoordinatorState state, final SnapshotSlotDecoder decoder)
    {
        final int slot = decoder.slot();
        final SlotLeases.Lease lease = new SlotLeases.Lease();
        lease.incarnation = decoder.incarnation();
        lease.named = decoder.named();
        lease.requestId = decoder.requestId();
        lease.heardMs = decoder.heardMs();
        lease.isHeld = 0 != decoder.isHeld();
        lease.hasFinished = 0 != decoder.hasFinished();
        final JobState job = state.jobs.of(decoder.jobId());
        job.slots.leases.put(slot, lease);
        if (0 != decoder.workIncarnation())
        {
            final SlotWork work = new SlotWork();
            work.incarnation = decoder.workIncarnation();
            work.floorClock = decoder.floorClock();
            work.sinceMs = decoder.sinceMs();
            work.sinceClock = decoder.sinceClock();
            work.endedMs = decoder.endedMs();
            work.adoptIncarnation = decoder.adoptIncarnation();
            work.adoptMs = decoder.adoptMs();
            work.adopter = decoder.adopter();
            work.hasLeft = 0 != decoder.hasLeftWork();
            decoder.pieces().forEach((piece) ->
                work.pieces.add(new WorkPiece(piece.unit(), piece.fromBatch(), piece.length())));
            job.work.slots.put(slot, work);
        }
    }

    /** Read the work, or more of the pieces that are to be given again. */
    static void decode(final CoordinatorState state, final SnapshotWorkDecoder decoder)
    {
        final WorkUnits work = state.jobs.of(decoder.jobId()).work;
        work.spec = WorkCodec.decode(decoder.work());
        work.next = decoder.next();
        work.batchesDone = decoder.batchesDone();
        work.batchesDropped = decoder.batchesDropped();
        work.batchesLeftOut = decoder.batchesLeftOut();
        work.unitsReissued = decoder.unitsReissued();
        work.slotsAdopted = decoder.slotsAdopted();
        work.endedMs = decoder.endedMs();
        work.replacedId = decoder.replacedId();
        work.durations.clear();
        decoder.durations().forEach((duration) -> work.durations.add(duration.batchUs()));
        decoder.again().forEach((piece) ->
            work.again.add(new WorkPiece(piece.unit(), piece.fromBatch(), piece.length())));
    }

    private static void encode(
        final JobState job,
        final List<WorkPiece> again,
        final MutableDirectBuffer buffer,
        final MessageHeaderEncoder header,
        final CoordinatorSnapshot.Output output)
    {
        final SnapshotWorkEncoder encoder = new SnapshotWorkEncoder().wrapAndApplyHeader(buffer, 0, header);
        final WorkUnits work = job.work;
        WorkCodec.encode(work.spec, encoder.work());
        encoder
            .jobId(job.id)
            .next(work.next)
            .batchesDone(work.batchesDone)
            .batchesDropped(work.batchesDropped)
            .batchesLeftOut(work.batchesLeftOut)
            .unitsReissued(work.unitsReissued)
            .slotsAdopted(work.slotsAdopted)
            .endedMs(work.endedMs)
            .replacedId(work.replacedId);
        final long[] kept = work.durations.kept();
        final SnapshotWorkEncoder.DurationsEncoder durations = encoder.durationsCount(kept.length);
        for (final long batchUs : kept)
        {
            durations.next().batchUs(batchUs);
        }
        final SnapshotWorkEncoder.AgainEncoder pieces = encoder.againCount(again.size());
        again.forEach((piece) ->
            pieces.next().unit(piece.unit()).fromBatch(piece.fromBatch()).length(piece.length()));
        output.onMessage(buffer, 0, HEADER_LENGTH + encoder.encodedLength());
    }

    private static short flag(final boolean value)
    {
        return (short)(value ? 1 : 0);
    }
}
