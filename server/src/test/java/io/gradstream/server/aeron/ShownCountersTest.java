// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class ShownCountersTest
{
    private static final int TYPE_ID = 17_050;
    private static final int COUNT = 3;

    private final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);

    private final MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
        .aeronDirectoryName(TestMemory.directory("counters").toString())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .threadingMode(ThreadingMode.INVOKER));
    private final Aeron aeron = Aeron.connect(new Aeron.Context()
        .aeronDirectoryName(driver.aeronDirectoryName())
        .useConductorAgentInvoker(true)
        .driverAgentInvoker(driver.sharedAgentInvoker()));

    @AfterEach
    void tearDown()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    @Test
    void shouldFreeCountersThatTheDriverHasNotAddedYet()
    {
        add(TYPE_ID).close();

        awaitOthers();
        assertThat(shown(TYPE_ID)).isZero();
    }

    @Test
    void shouldFreeCountersThatWereNeverSet()
    {
        final ShownCounters counters = add(TYPE_ID);
        awaitOthers();
        assertThat(shown(TYPE_ID)).isEqualTo(COUNT);

        counters.close();
        awaitNone(TYPE_ID);
    }

    @Test
    void shouldFreeCountersThatAreShown()
    {
        final ShownCounters counters = add(TYPE_ID);
        awaitOthers();
        counters.set(0, 5);

        counters.close();
        awaitNone(TYPE_ID);
    }

    @Test
    void shouldLeaveThemToTheDriverWhenTheClientHasClosed()
    {
        final ShownCounters counters = add(TYPE_ID);
        aeron.close();

        counters.close();
        awaitNone(TYPE_ID);
    }

    private ShownCounters add(final int typeId)
    {
        final ShownCounters counters = new ShownCounters(aeron, 0, 1, COUNT);
        for (int i = 0; i < COUNT; i++)
        {
            counters.add(i, typeId, "counter " + i);
        }

        return counters;
    }

    /** Until the driver has done what it was asked before. */
    private void awaitOthers()
    {
        add(TYPE_ID + 1);
        while (COUNT != shown(TYPE_ID + 1))
        {
            work();
        }
        work();
    }

    private void awaitNone(final int typeId)
    {
        while (0 != shown(typeId))
        {
            work();
        }
    }

    private void work()
    {
        assertThat(System.nanoTime()).isLessThan(deadlineNs);
        driver.sharedAgentInvoker().invoke();
        if (!aeron.isClosed())
        {
            aeron.conductorAgentInvoker().invoke();
        }
    }

    private int shown(final int typeId)
    {
        final CountersReader counters = driver.context().countersManager();
        final int[] count = {0};
        counters.forEach((counterId, type, keyBuffer, label) -> count[0] += typeId == type ? 1 : 0);

        return count[0];
    }
}
