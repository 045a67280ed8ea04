// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import io.gradstream.codecs.log.MessageHeaderEncoder;
import io.gradstream.codecs.log.RefusedEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LogRecordsTest
{
    private static final int OFFSET = 32;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(256));
    private int length;

    @Test
    void shouldFindASealedRecordSound()
    {
        final long chainHash = seal(1, LogRecords.EMPTY_CHAIN_HASH);

        assertThat(verify(length, 1, LogRecords.EMPTY_CHAIN_HASH)).isNull();
        assertThat(LogRecords.chainHash(buffer, OFFSET)).isEqualTo(chainHash);
        assertThat(LogRecords.epoch(buffer, OFFSET)).isEqualTo(3);
        assertThat(LogRecords.templateId(buffer, OFFSET)).isEqualTo(RefusedEncoder.TEMPLATE_ID);
    }

    @Test
    void shouldFindEveryFlippedBit()
    {
        seal(1, LogRecords.EMPTY_CHAIN_HASH);
        for (int bit = 0; bit < length * Byte.SIZE; bit++)
        {
            flip(bit);
            assertThat(verify(length, 1, LogRecords.EMPTY_CHAIN_HASH)).as("bit %d", bit).isNotNull();
            flip(bit);
        }
        assertThat(verify(length, 1, LogRecords.EMPTY_CHAIN_HASH)).isNull();
    }

    @Test
    void shouldFindARecordOutOfPlaceOrBehindAnotherHistory()
    {
        seal(5, 77);

        assertThat(verify(length, 4, 77)).contains("index=5");
        assertThat(verify(length, 5, 78)).contains("chain hash");
        assertThat(verify(length - 1, 5, 77)).contains("length");
        assertThat(verify(4, 5, 77)).contains("length");
    }

    @Test
    void shouldSayHowLongARecordIsOnlyIfItIsWhole()
    {
        seal(5, 77);

        assertThat(LogRecords.wholeLength(buffer, OFFSET, length + 20)).isEqualTo(length);
        assertThat(LogRecords.wholeLength(buffer, OFFSET, length)).isEqualTo(length);
        assertThat(LogRecords.wholeLength(buffer, OFFSET, length - 1)).isZero();
        assertThat(LogRecords.wholeLength(buffer, OFFSET, 4)).isZero();
        assertThat(LogRecords.wholeLength(buffer, 0, length)).isZero();
        flip(LogRecords.ENVELOPE_LENGTH * Byte.SIZE);
        assertThat(LogRecords.wholeLength(buffer, OFFSET, length + 20)).isZero();
    }

    @Test
    void shouldAlignAsAeronDoes()
    {
        assertThat(LogRecords.alignedLength(1)).isEqualTo(64);
        assertThat(LogRecords.alignedLength(32)).isEqualTo(64);
        assertThat(LogRecords.alignedLength(33)).isEqualTo(96);
    }

    @Test
    void shouldFindEveryFlippedBitOfASnapshotFrame()
    {
        final int frameLength = 60;
        buffer.setMemory(OFFSET, frameLength, (byte)5);
        SnapshotFrames.seal(buffer, OFFSET, frameLength, 9);
        assertThat(SnapshotFrames.verify(buffer, OFFSET, frameLength, 9)).isNull();
        assertThat(SnapshotFrames.verify(buffer, OFFSET, frameLength, 8)).contains("number=9");
        assertThat(SnapshotFrames.verify(buffer, OFFSET, frameLength - 1, 9)).isNotNull();
        for (int bit = 0; bit < frameLength * Byte.SIZE; bit++)
        {
            flip(bit);
            assertThat(SnapshotFrames.verify(buffer, OFFSET, frameLength, 9)).as("bit %d", bit).isNotNull();
            flip(bit);
        }
    }

    @Test
    void shouldRefuseBuffersOnTheHeap()
    {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Checksum.crc32c(new UnsafeBuffer(new byte[8]), 0, 8));
    }

    private long seal(final long index, final long previousChainHash)
    {
        final RefusedEncoder refused = new RefusedEncoder();
        refused.wrapAndApplyHeader(buffer, OFFSET, new MessageHeaderEncoder())
            .sequence(11).acknowledgedThrough(10).incarnation(2).slot(1).code((short)3);
        length = MessageHeaderEncoder.ENCODED_LENGTH + refused.encodedLength();

        return LogRecords.seal(buffer, OFFSET, length, 3, index, previousChainHash);
    }

    private String verify(final int recordLength, final long index, final long previousChainHash)
    {
        final String problem = LogRecords.verifyAlone(buffer, OFFSET, recordLength);
        return null != problem ? problem :
            LogRecords.verifyNext(buffer, OFFSET, recordLength, index, previousChainHash);
    }

    private void flip(final int bit)
    {
        final int index = OFFSET + bit / Byte.SIZE;
        buffer.putByte(index, (byte)(buffer.getByte(index) ^ 1 << bit % Byte.SIZE));
    }
}
