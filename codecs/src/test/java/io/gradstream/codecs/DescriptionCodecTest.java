// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import io.gradstream.codecs.wire.DescribeEncoder;
import io.gradstream.codecs.wire.DescriptionDecoder;
import io.gradstream.codecs.wire.DescriptionEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DescriptionCodecTest
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final WireFrames frames = new WireFrames();

    @Test
    void shouldReadWhatWasWritten()
    {
        final DescriptionEncoder encoder = new DescriptionEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(3).position(4096).requestId(-7).partition(2).nextTable(2).nextSlot(5).joiner(9).wanted(3)
            .last((short)1).heldNs(250);
        encoder.membersCount(2).next().nodeId(4).next().nodeId(1);
        encoder.tablesCount(2)
            .next().rows(0).rowsPresent(11).initialiserSeed(0).tableId(-1).dim(3).initialiserScale(0)
            .elementType((short)2).initialiser((short)0).rowsNotFinite(0).name("_audit").function("add/1")
            .next().rows(1000).rowsPresent(12).initialiserSeed(77).tableId(8).dim(16).initialiserScale(0.5f)
            .elementType((short)1).initialiser((short)2).rowsNotFinite(6).name("weights").function("sgd/1 rate=0.1");
        encoder.slotsCount(1).next().incarnation(1L << 60).clock(41).lastSequence(82).slot(4).ended(43);

        final DescriptionDecoder decoder =
            new DescriptionDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        assertThat(decoder.sbeSkip().encodedLength()).isEqualTo(encoder.encodedLength());
        decoder.sbeRewind();
        assertThat(decoder.toString()).contains(
            "epoch=3|position=4096|requestId=-7|partition=2|nextTable=2|nextSlot=5|joiner=9|wanted=3|last=1|" +
                "heldNs=250",
            "members=[(nodeId=4),(nodeId=1)]",
            "(rows=0|rowsPresent=11|initialiserSeed=0|tableId=-1|dim=3|initialiserScale=0.0|elementType=2|" +
                "initialiser=0|rowsNotFinite=0|name='_audit'|function='add/1')",
            "(rows=1000|rowsPresent=12|initialiserSeed=77|tableId=8|dim=16|initialiserScale=0.5|elementType=1|" +
                "initialiser=2|rowsNotFinite=6|name='weights'|function='sgd/1 rate=0.1')",
            "slots=[(incarnation=1152921504606846976|clock=41|lastSequence=82|slot=4|ended=43)]");
    }

    @Test
    void shouldPassAQuestionThatBeginsWithinTheLimitsOnly()
    {
        final int length = describe(0, 0);
        assertThat(frames.checkFromWorker(buffer, 0, length)).isEqualTo(Refusal.NONE);
        assertThat(frames.checkFromWorker(buffer, 0, length - 1)).isEqualTo(Refusal.MALFORMED);
        assertThat(frames.checkFromWorker(buffer, 0, length + 1)).isEqualTo(Refusal.MALFORMED);
        assertThat(check(WireFrames.MAX_DESCRIBE_START, WireFrames.MAX_DESCRIBE_START)).isEqualTo(Refusal.NONE);
        assertThat(check(WireFrames.MAX_DESCRIBE_START + 1, 0)).isEqualTo(Refusal.MALFORMED);
        assertThat(check(0, WireFrames.MAX_DESCRIBE_START + 1)).isEqualTo(Refusal.MALFORMED);
        assertThat(check(-1, 0)).isEqualTo(Refusal.MALFORMED);
        assertThat(check(0, -1)).isEqualTo(Refusal.MALFORMED);
    }

    @Test
    void shouldRefuseAQuestionOfAnotherVersion()
    {
        final int length = describe(0, 0);
        header.wrap(buffer, 0).version(MessageHeaderEncoder.SCHEMA_VERSION - 1);
        assertThat(frames.checkFromWorker(buffer, 0, length)).isEqualTo(Refusal.MALFORMED);
    }

    private Refusal check(final int firstTable, final int firstSlot)
    {
        return frames.checkFromWorker(buffer, 0, describe(firstTable, firstSlot));
    }

    private int describe(final int firstTable, final int firstSlot)
    {
        return MessageHeaderEncoder.ENCODED_LENGTH + new DescribeEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(1).requestId(-1).incarnation(5).partition(0).slot(-1).firstTable(firstTable).firstSlot(firstSlot)
            .encodedLength();
    }
}
