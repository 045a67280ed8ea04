// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.wire.DescriptionDecoder;
import io.gradstream.codecs.wire.DescriptionEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.worker.client.PartitionAnswer.SlotAt;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionAnswerTest
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PartitionAnswer answer = new PartitionAnswer(2);

    @Test
    void shouldTakeWhatIsHeldAndForgetItWithThePrimary()
    {
        answer.onPage(page(MessageHeaderEncoder.SCHEMA_VERSION));
        assertThat(answer.heldNs()).isEqualTo(250);
        assertThat(answer.slots()).containsEntry(4, new SlotAt(50, 41, 43, 82));

        answer.restart();
        assertThat(answer.heldNs()).isZero();
    }

    @Test
    void shouldTakeAPageOfAServerThatDoesNotTellWhatIsHeld()
    {
        answer.onPage(page(4));
        assertThat(answer.heldNs()).isZero();
        assertThat(answer.slots()).containsEntry(4, new SlotAt(50, 41, 41, 82));
    }

    private DescriptionDecoder page(final int version)
    {
        final DescriptionEncoder encoder = new DescriptionEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(3).position(4096).requestId(-7).partition(2).nextTable(0).nextSlot(5).joiner(9).wanted(3)
            .last((short)1).heldNs(250);
        encoder.membersCount(1).next().nodeId(4);
        encoder.tablesCount(0);
        encoder.slotsCount(1).next().incarnation(50).clock(41).lastSequence(82).slot(4).ended(43);
        header.wrap(buffer, 0).version(version);

        return new DescriptionDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
    }
}
