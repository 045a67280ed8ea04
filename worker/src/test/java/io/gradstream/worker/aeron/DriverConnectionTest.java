// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronException;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.testing.TestMemory;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class DriverConnectionTest
{
    @Test
    void shouldSayHowToStartADriverWhereNoneRuns(@TempDir final Path directory)
    {
        final String name = directory.resolve("driver").toString();

        assertThatThrownBy(() -> DriverConnection.open(name, (error) -> {}))
            .isInstanceOf(HostDriverException.class)
            .hasMessage("no media driver runs in " + name + ": start one with ./gradstream media-driver --aeron-dir " +
                name + ", or name the directory of one that runs");
    }

    @Test
    void shouldCountAClientThatIsAboutToEndAsLost()
    {
        final String directory = TestMemory.directory("connection").toString();
        final MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory).threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
        try (DriverConnection connection = DriverConnection.of(Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory).useConductorAgentInvoker(true).errorHandler((error) -> {}))))
        {
            assertThat(connection.isLost(new AeronException("another reason"))).isFalse();

            driver.close();
            final AeronException refused = catchThrowableOfType(AeronException.class, () -> askOften(connection));

            assertThat(refused).hasMessageContaining("terminating");
            assertThat(connection.isLost(refused)).isTrue();
        }
        finally
        {
            driver.close();
        }
    }

    /** Until the client notices that its driver has gone. */
    private static void askOften(final DriverConnection connection)
    {
        final long registrationId = connection.aeron().asyncAddSubscription("aeron:ipc", 1);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (System.nanoTime() - deadlineNs < 0)
        {
            connection.aeron().getSubscription(registrationId);
        }
    }
}
