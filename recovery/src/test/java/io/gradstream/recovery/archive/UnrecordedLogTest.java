// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.UnrecordedLog;
import io.gradstream.testing.TestMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class UnrecordedLogTest
{
    private static final LogGeometry GEOMETRY = new LogGeometry(8192, 64 * 1024, 7);

    @Test
    @Timeout(60)
    void shouldCountPositionsAsAnAeronLogOfTheSameGeometryDoes()
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(TestMemory.directory("unrecorded").toString())
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnShutdown(true);
        try (MediaDriver driver = MediaDriver.launch(context);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            Subscription subscription = aeron.addSubscription("aeron:ipc", 5);
            ExclusivePublication publication =
                aeron.addExclusivePublication(GEOMETRY.channel("unrecorded", 4096), 5))
        {
            final UnrecordedLog log = new UnrecordedLog(4096, GEOMETRY.mtuLength(), GEOMETRY.termLength());
            assertThat(log.maxRecordLength()).isEqualTo(publication.maxPayloadLength());
            final SplittableRandom random = new SplittableRandom(3);
            final BufferClaim claim = new BufferClaim();
            for (int i = 0; i < 20_000; i++)
            {
                final int length = 0 == i % 7 ? log.maxRecordLength() : 1 + random.nextInt(log.maxRecordLength());
                assertThat(log.tryClaim(length)).isTrue();
                final long endPosition = log.claimEndPosition();
                log.commit();
                while (publication.tryClaim(length, claim) < 0)
                {
                    subscription.poll((buffer, offset, size, header) -> {}, 100);
                }
                claim.commit();

                assertThat(publication.position()).as("record %d of %d bytes", i, length).isEqualTo(endPosition);
                assertThat(log.position()).isEqualTo(endPosition);
                assertThat(log.recordedPosition()).isEqualTo(endPosition);
            }
            assertThat(publication.isConnected()).isTrue();
        }
    }

    @Test
    void shouldPadToTheNextTermOnly()
    {
        final UnrecordedLog log = new UnrecordedLog(1024, GEOMETRY.mtuLength(), GEOMETRY.termLength());
        assertThat(log.tryPadTo(GEOMETRY.termLength())).isTrue();
        assertThat(log.position()).isEqualTo(GEOMETRY.termLength());
        log.tryClaim(100);
        assertThat(log.claimEndPosition()).isEqualTo(GEOMETRY.termLength() + LogRecords.alignedLength(100));

        assertThatThrownBy(() -> log.tryPadTo(GEOMETRY.termLength() * 3L))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.tryPadTo(GEOMETRY.termLength() + 64L))
            .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseARecordThatNoFrameHolds()
    {
        final UnrecordedLog log = new UnrecordedLog(0, GEOMETRY.mtuLength(), GEOMETRY.termLength());

        assertThatThrownBy(() -> log.tryClaim(log.maxRecordLength() + 1))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("invalid length=8161");
        assertThatThrownBy(() -> new UnrecordedLog(33, GEOMETRY.mtuLength(), GEOMETRY.termLength()))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("invalid position=33");
        assertThat(log.isAlive()).isTrue();
        log.close();
        assertThat(log.isAlive()).isFalse();
    }
}
