// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.archive.status.RecordingPos;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StreamOpeningTest
{
    private static final int COUNTERS = 8;
    private static final int SESSION_ID = 7;
    private static final long RECORDING_ID = 3;
    private static final long ARCHIVE_ID = 5;

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(new byte[COUNTERS * CountersReader.METADATA_LENGTH]),
        new UnsafeBuffer(new byte[COUNTERS * CountersReader.COUNTER_LENGTH]));

    @Test
    void shouldWaitUntilTheDriverHasShownWhoseCounterItIs()
    {
        final int counterId = show();

        assertThat(found(ARCHIVE_ID)).isEqualTo(CountersReader.NULL_COUNTER_ID);

        counters.setCounterRegistrationId(counterId, 11);
        assertThat(found(ARCHIVE_ID)).isEqualTo(counterId);
        assertThat(found(ARCHIVE_ID + 1)).isEqualTo(CountersReader.NULL_COUNTER_ID);
    }

    private int found(final long archiveId)
    {
        return StreamOpening.findCounter(counters, SESSION_ID, archiveId);
    }

    /** As a driver does it for an Archive, up to where the counter can be found. */
    private int show()
    {
        return counters.allocate("recording", RecordingPos.RECORDING_POSITION_TYPE_ID, (key) ->
        {
            key.putLong(0, RECORDING_ID);
            key.putInt(BitUtil.SIZE_OF_LONG, SESSION_ID);
            key.putInt(BitUtil.SIZE_OF_LONG + BitUtil.SIZE_OF_INT, 0);
            key.putLong(2 * BitUtil.SIZE_OF_LONG, ARCHIVE_ID);
        });
    }
}
