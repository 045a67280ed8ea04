// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.Aeron;
import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.driver.HostDriver;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A process's driver, Aeron client and session, driven by one thread that never waits inside them.
 */
final class TestClient implements AutoCloseable
{
    static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(15);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long REPEAT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final HostDriver host;
    private final Aeron aeron;
    private final ClusterSession session;
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[ClusterSession.MAX_MESSAGE_LENGTH]);
    private long answers;
    private long lastTag;
    private long lastCount;
    private int lastLength;
    private byte lastByte;
    private long nextTag;

    TestClient(final List<String> endpoints)
    {
        host = HostDriver.launch(new HostDriver.Context().maxLogs(4).maxSleepNs(TimeUnit.MILLISECONDS.toNanos(1)));
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(host.aeronDirectoryName())
            .useConductorAgentInvoker(true));
        session = new ClusterSession(new ClusterSession.Context()
            .aeron(aeron)
            .endpoints(endpoints)
            .listener((buffer, offset, length) ->
            {
                answers++;
                lastCount = buffer.getLong(offset);
                lastTag = length < 2 * Long.BYTES ? -1 : buffer.getLong(offset + CountingService.PREFIX_LENGTH);
                lastByte = buffer.getByte(offset + length - 1);
                lastLength = length;
            }));
    }

    ClusterSession session()
    {
        return session;
    }

    Path aeronDirectory()
    {
        return Path.of(host.aeronDirectoryName());
    }

    int lastLength()
    {
        return lastLength;
    }

    byte lastByte()
    {
        return lastByte;
    }

    int dutyCycle()
    {
        return aeron.conductorAgentInvoker().invoke() + session.poll(System.nanoTime());
    }

    void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not within " + TIMEOUT_NS + " ns: " + what + "; session is " +
                    session.describe());
            }

            if (0 == dutyCycle())
            {
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    /**
     * Send a command until it is answered; a repetition counts anew.
     *
     * @return the service's count of commands.
     */
    long ask(final int length, final byte last)
    {
        final long tag = ++nextTag;
        command.putByte(length - 1, last);
        command.putLong(0, tag);
        final long[] sentNs = {System.nanoTime() - REPEAT_NS};
        await("answer to command " + tag, () ->
        {
            if (lastTag != tag && System.nanoTime() - sentNs[0] >= REPEAT_NS && session.offer(command, 0, length))
            {
                sentNs[0] = System.nanoTime();
            }
            return lastTag == tag;
        });

        return lastCount;
    }

    long ask()
    {
        return ask(2 * Long.BYTES, (byte)0);
    }

    public void close()
    {
        CloseHelper.closeAll(session, aeron, host);
        IoUtil.delete(aeronDirectory().toFile(), true);
    }
}
