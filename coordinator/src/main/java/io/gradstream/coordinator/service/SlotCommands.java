// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import io.gradstream.codecs.coordinator.LeaveSlotDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SlotTakenEncoder;
import io.gradstream.codecs.coordinator.TakeSlotDecoder;
import io.gradstream.codecs.coordinator.WorkReportDecoder;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.state.SlotLeases;
import io.gradstream.coordinator.state.WorkUnits;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** Decodes commands about slots and work, gives them to the state, and encodes its answers. */
final class SlotCommands
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final TakeSlotDecoder takeSlot = new TakeSlotDecoder();
    private final LeaveSlotDecoder leaveSlot = new LeaveSlotDecoder();
    private final WorkReportDecoder workReport = new WorkReportDecoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final SlotTakenEncoder slotTaken = new SlotTakenEncoder();
    private final WorkCodec works = new WorkCodec();
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer();
    private final StringBuilder text;
    private int answerLength;

    /** Writes what is new to the text of all commands. */
    SlotCommands(final StringBuilder text)
    {
        this.text = text;
    }

    /** Forget the answer to the command before. */
    void clear()
    {
        answerLength = 0;
    }

    /** The answer to the last command, from the buffer's beginning on. */
    DirectBuffer answer()
    {
        return answer;
    }

    /** The length of the {@link #answer()}, 0 if there is none. */
    int answerLength()
    {
        return answerLength;
    }

    /** A worker that says which nodes it reaches shows life. */
    void onHeard(final SlotLeases slots, final int slot, final long incarnation, final long nowMs)
    {
        final long before = slots.incarnation(slot);
        slots.onReach(slot, incarnation, nowMs);
        tellHolder(slots, slot, before);
    }

    void onTakeSlot(final CoordinatorState state, final DirectBuffer message, final long nowMs)
    {
        CoordinatorCommands.requireWhole(
            message, takeSlot.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        if (0 == takeSlot.requestId())
        {
            throw new IllegalArgumentException("a request for a slot without a number");
        }
        final SlotLeases slots = state.slots(takeSlot.jobId());
        if (!state.isCluster(takeSlot.clusterId()) || null == slots)
        {
            return;
        }
        final boolean isAsked = SlotAnswer.NONE_FREE != slots.slotOf(takeSlot.requestId());
        final SlotAnswer taken = slots.take(takeSlot.requestId(), nowMs);
        if (!isAsked && SlotAnswer.NONE_FREE != taken.slot())
        {
            text.append("slot taken slot=").append(taken.slot()).append(" incarnation=").append(taken.incarnation());
        }
        answerLength = HEADER_LENGTH + slotTaken.wrapAndApplyHeader(answer, 0, headerEncoder)
            .requestId(taken.requestId())
            .incarnation(taken.incarnation())
            .slot(taken.slot())
            .slots(taken.slots())
            .encodedLength();
    }

    void onLeaveSlot(final CoordinatorState state, final DirectBuffer message)
    {
        CoordinatorCommands.requireWhole(
            message, leaveSlot.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final int slot = leaveSlot.slot();
        final long incarnation = leaveSlot.incarnation();
        final boolean hasFinished = 0 != leaveSlot.hasFinished();
        final SlotLeases slots = state.slots(leaveSlot.jobId());
        if (state.isCluster(leaveSlot.clusterId()) && null != slots && slots.leave(slot, incarnation, hasFinished))
        {
            text.append("slot left slot=").append(slot).append(" incarnation=").append(incarnation)
                .append(hasFinished ? " finished" : "");
        }
    }

    void onWorkReport(final CoordinatorState state, final DirectBuffer message, final long nowMs)
    {
        CoordinatorCommands.requireWhole(
            message, workReport.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final WorkReport report = works.decodeReport(message, 0);
        final SlotLeases slots = state.slots(workReport.jobId());
        if (!state.isCluster(workReport.clusterId()) || null == slots)
        {
            return;
        }
        final WorkUnits units = state.work(workReport.jobId());
        final long holder = slots.incarnation(report.slot());
        final WorkSpec work = units.spec();
        final long adopted = units.slotsAdopted();
        final WorkAnswer given = units.onReport(report, nowMs);
        tellHolder(slots, report.slot(), holder);
        if (null != given && !given.work().equals(work))
        {
            text.append(text.isEmpty() ? "" : " ").append("work begun id=").append(given.workId())
                .append(" batches=").append(given.batchesTotal());
        }
        else if (units.slotsAdopted() > adopted)
        {
            text.append(" work adopted batches-done=").append(given.batchesDone());
        }
        answerLength = null == given ? 0 : works.encode(given, answer);
    }

    private void tellHolder(final SlotLeases slots, final int slot, final long before)
    {
        if (slots.incarnation(slot) != before)
        {
            text.append("slot held slot=").append(slot).append(" incarnation=").append(slots.incarnation(slot));
        }
    }
}
