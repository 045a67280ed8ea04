// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.server.aeron.ReplicaCounter;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

class ReplicasReportTest
{
    private static final int COUNTERS = 64;

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(new byte[COUNTERS * CountersReader.METADATA_LENGTH]),
        new UnsafeBuffer(new byte[COUNTERS * CountersReader.COUNTER_LENGTH]), StandardCharsets.US_ASCII);

    @Test
    void shouldShowWhatTheNewestProcessOfANodeShows()
    {
        add(2, 0, 21, 700);
        add(2, 0, 11, 300);
        add(2, 1, 22, 900);
        add(1, 0, 5, 100);

        final String json = new ReplicasReport(counters, 0).json();

        assertThat(json).contains(
            "\"node\":1,\"partition\":0", "\"applied\":100", "\"applied\":700", "\"applied\":900")
            .doesNotContain("\"applied\":300");
    }

    private void add(final int node, final int partition, final long registration, final long applied)
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[2 * Integer.BYTES]);
        key.putInt(0, node);
        key.putInt(Integer.BYTES, partition);
        final UnsafeBuffer label = new UnsafeBuffer("applied".getBytes(StandardCharsets.US_ASCII));
        final int counterId = counters.allocate(
            ReplicaCounter.APPLIED.typeId(), key, 0, key.capacity(), label, 0, label.capacity());
        counters.setCounterRegistrationId(counterId, registration);
        counters.setCounterValue(counterId, applied);
    }
}
