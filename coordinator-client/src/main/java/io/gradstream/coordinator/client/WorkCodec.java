// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.WorkDecoder;
import io.gradstream.codecs.coordinator.WorkEncoder;
import io.gradstream.codecs.coordinator.WorkReportDecoder;
import io.gradstream.codecs.coordinator.WorkReportEncoder;
import io.gradstream.codecs.coordinator.WorkSpecDecoder;
import io.gradstream.codecs.coordinator.WorkSpecEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.util.ArrayList;
import java.util.List;

/** Writes what workers and coordinators say to each other of work as messages, and reads it. */
public final class WorkCodec
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final WorkReportEncoder reportEncoder = new WorkReportEncoder();
    private final WorkReportDecoder reportDecoder = new WorkReportDecoder();
    private final WorkEncoder answerEncoder = new WorkEncoder();
    private final WorkDecoder answerDecoder = new WorkDecoder();

    /**
     * Write a report with its message header.
     *
     * @param clusterId of the cluster that is meant.
     * @param jobId     of the job that is meant.
     * @param report    to write.
     * @param buffer    large enough, or one that grows.
     * @return bytes written, from the buffer's beginning on.
     */
    public int encode(
        final long clusterId, final int jobId, final WorkReport report, final MutableDirectBuffer buffer)
    {
        reportEncoder.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .clusterId(clusterId)
            .jobId(jobId)
            .incarnation(report.incarnation());
        encode(report.spec(), reportEncoder.work());
        reportEncoder
            .clock(report.clock())
            .ackedClock(report.ackedClock())
            .predecessor(report.found().predecessor())
            .wholeClock(report.found().wholeClock())
            .beginClock(report.found().beginClock())
            .slot(report.slot())
            .wanted(report.wanted())
            .isLeaving(flag(report.isLeaving()))
            .isFinishing(flag(report.isFinishing()));

        return HEADER_LENGTH + reportEncoder.encodedLength();
    }

    /**
     * Read a report.
     *
     * @param buffer that holds the message.
     * @param offset of its header.
     * @return the report.
     * @throws IllegalArgumentException if it is none.
     */
    public WorkReport decodeReport(final DirectBuffer buffer, final int offset)
    {
        reportDecoder.wrapAndApplyHeader(buffer, offset, headerDecoder);

        return new WorkReport(
            reportDecoder.slot(),
            reportDecoder.incarnation(),
            decode(reportDecoder.work()),
            new WorkReport.Found(
                reportDecoder.predecessor(), reportDecoder.wholeClock(), reportDecoder.beginClock()),
            reportDecoder.clock(),
            reportDecoder.ackedClock(),
            reportDecoder.wanted(),
            0 != reportDecoder.isLeaving(),
            0 != reportDecoder.isFinishing());
    }

    /**
     * Write an answer with its message header.
     *
     * @param answer to write.
     * @param buffer large enough, or one that grows.
     * @return bytes written, from the buffer's beginning on.
     */
    public int encode(final WorkAnswer answer, final MutableDirectBuffer buffer)
    {
        answerEncoder.wrapAndApplyHeader(buffer, 0, headerEncoder).incarnation(answer.incarnation());
        encode(answer.work(), answerEncoder.work());
        encode(answer.asked(), answerEncoder.asked());
        final WorkEncoder.PiecesEncoder pieces = answerEncoder
            .floorClock(answer.floorClock())
            .batchesDone(answer.batchesDone())
            .adoptIncarnation(answer.adoptIncarnation())
            .slot(answer.slot())
            .adopt(answer.adopt())
            .isOver(flag(answer.isOver()))
            .isReplaced(flag(answer.isReplaced()))
            .hasLeft(flag(answer.hasLeft()))
            .piecesCount(answer.pieces().size());
        answer.pieces().forEach((piece) ->
            pieces.next().unit(piece.unit()).fromBatch(piece.fromBatch()).length(piece.length()));

        return HEADER_LENGTH + answerEncoder.encodedLength();
    }

    /**
     * Read an answer.
     *
     * @param buffer that holds the message.
     * @param offset of its header.
     * @return the answer.
     * @throws IllegalArgumentException  if it is none.
     * @throws IndexOutOfBoundsException if it is broken.
     */
    public WorkAnswer decodeAnswer(final DirectBuffer buffer, final int offset)
    {
        answerDecoder.wrapAndApplyHeader(buffer, offset, headerDecoder);
        final List<WorkPiece> pieces = new ArrayList<>();
        final WorkSpec work = decode(answerDecoder.work());
        final WorkSpec asked = decode(answerDecoder.asked());
        answerDecoder.pieces().forEach((piece) ->
            pieces.add(new WorkPiece(piece.unit(), piece.fromBatch(), piece.length())));

        return new WorkAnswer(
            answerDecoder.slot(),
            answerDecoder.incarnation(),
            asked,
            work,
            answerDecoder.floorClock(),
            0 != answerDecoder.isOver(),
            0 != answerDecoder.isReplaced(),
            0 != answerDecoder.hasLeft(),
            answerDecoder.batchesDone(),
            answerDecoder.adopt(),
            answerDecoder.adoptIncarnation(),
            pieces);
    }

    /** Write a work into its place in a message. */
    public static void encode(final WorkSpec spec, final WorkSpecEncoder encoder)
    {
        encoder
            .workId(spec.workId())
            .batchesPerPass(spec.batchesPerPass())
            .unitBatches(spec.unitBatches())
            .passes(spec.passes())
            .isGivenAgain(flag(spec.isGivenAgain()));
    }

    /**
     * Read a work from its place in a message.
     *
     * @throws IllegalArgumentException if it is none.
     */
    public static WorkSpec decode(final WorkSpecDecoder decoder)
    {
        return new WorkSpec(
            decoder.workId(),
            decoder.batchesPerPass(),
            decoder.unitBatches(),
            decoder.passes(),
            0 != decoder.isGivenAgain());
    }

    private static short flag(final boolean value)
    {
        return (short)(value ? 1 : 0);
    }
}
