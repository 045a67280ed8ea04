// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.worker.ClientContext;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** A client's waits in a simulated world: time passes, and one server answers what was said to it. */
final class SimulatedWaits
{
    static final String SERVER = "server:1";
    static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SimulatedServers servers;
    private final Consumer<UnsafeBuffer> server;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private long nowNs = 1;
    private int messagesRead;

    /** Messages go to a server in their order; what it does not know it gives to {@link #greet}. */
    SimulatedWaits(final SimulatedServers servers, final Consumer<UnsafeBuffer> server)
    {
        this.servers = servers;
        this.server = server;
    }

    /** Have a client use the server, the time and these waits. */
    ClientContext of(final ClientContext context)
    {
        return context
            .transport(servers)
            .nanoClock(() -> nowNs)
            .epochClock(() -> TimeUnit.NANOSECONDS.toMillis(nowNs))
            .waitStrategy(this::await);
    }

    /** Let the server hear what was said. */
    void serve()
    {
        final List<UnsafeBuffer> messages =
            servers.streams.isEmpty() ? List.of() : servers.stream(SERVER).messages;
        while (messagesRead < messages.size())
        {
            server.accept(messages.get(messagesRead++));
        }
    }

    /** Answer what comes before pushes and pulls, as a primary of epoch 1; other messages have no answer. */
    void greet(final UnsafeBuffer message)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case ConnectDecoder.TEMPLATE_ID -> servers.connected(
                new ConnectDecoder().wrapAndApplyHeader(message, 0, header).correlationId(), 1, 0);
            case HelloDecoder.TEMPLATE_ID -> servers.welcome(
                new HelloDecoder().wrapAndApplyHeader(message, 0, header), 1, 0);
            case CreateTableDecoder.TEMPLATE_ID -> servers.tableCreated(
                new CreateTableDecoder().wrapAndApplyHeader(message, 0, header), 1);
            default ->
            {
                // it lives
            }
        }
    }

    private boolean await(final BooleanSupplier condition, final long deadlineNs, final IntSupplier dutyCycle)
    {
        while (!condition.getAsBoolean())
        {
            if (nowNs - deadlineNs >= 0)
            {
                return false;
            }
            nowNs += STEP_NS;
            serve();
            final int unused = dutyCycle.getAsInt();
        }

        return true;
    }
}
