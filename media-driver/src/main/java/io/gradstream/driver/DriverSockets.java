/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.driver;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.ReceiveDestinationTransport;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import org.agrona.CloseHelper;
import org.agrona.concurrent.status.AtomicCounter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The sockets of a media driver whose sender, receiver and conductor share one thread: it sleeps until a datagram comes
 * to one of them. Aeron still polls them itself; a second selector only tells when that is worth it.
 */
final class DriverSockets implements Sleep, AutoCloseable
{
    private static final long MIN_SELECT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Selector selector;

    DriverSockets() throws IOException
    {
        selector = Selector.open();
    }

    /** Let a driver make its endpoints so that their sockets are watched. */
    MediaDriver.Context watch(final MediaDriver.Context context)
    {
        return context
            .sendChannelEndpointSupplier(WatchedSender::new)
            .receiveChannelEndpointSupplier(WatchedReceiver::new);
    }

    @Override
    public void prepare()
    {
    }

    /** Long ones are ended by a datagram: only the other threads of the process are not heard. */
    @Override
    public void nap(final long ns)
    {
        if (ns < MIN_SELECT_NS)
        {
            LockSupport.parkNanos(ns);
        }
        else
        {
            sleep(ns);
        }
    }

    @Override
    public void sleep(final long maxNs)
    {
        try
        {
            selector.select(DriverSockets::ignore, Math.max(1, TimeUnit.NANOSECONDS.toMillis(maxNs)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void wake()
    {
        selector.wakeup();
    }

    @Override
    public void close()
    {
        CloseHelper.close(selector);
    }

    /** Aeron's own selector tells it which socket it is. */
    private static void ignore(final SelectionKey key)
    {
    }

    private void open(final DatagramChannel channel)
    {
        try
        {
            channel.register(selector, SelectionKey.OP_READ);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void forget(final DatagramChannel channel)
    {
        final SelectionKey key = channel.keyFor(selector);
        if (null != key)
        {
            key.cancel();
            closed();
        }
    }

    /** A socket whose channel is closed is given back to the system only when its selectors have noticed. */
    private void closed()
    {
        try
        {
            if (selector.isOpen())
            {
                selector.selectNow(DriverSockets::ignore);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private final class WatchedSender extends SendChannelEndpoint
    {
        WatchedSender(
            final UdpChannel udpChannel, final AtomicCounter statusIndicator, final MediaDriver.Context context)
        {
            super(udpChannel, statusIndicator, context);
        }

        @Override
        public void openDatagramChannel(final AtomicCounter statusIndicator)
        {
            super.openDatagramChannel(statusIndicator);
            open(receiveDatagramChannel());
        }

        @Override
        public void close()
        {
            super.close();
            closed();
        }
    }

    /** A subscription with destinations has a socket for each of these, and none of its own. */
    private final class WatchedReceiver extends ReceiveChannelEndpoint
    {
        WatchedReceiver(
            final UdpChannel udpChannel,
            final DataPacketDispatcher dispatcher,
            final AtomicCounter statusIndicator,
            final MediaDriver.Context context)
        {
            super(udpChannel, dispatcher, statusIndicator, context);
        }

        @Override
        public void openDatagramChannel(final AtomicCounter statusIndicator)
        {
            super.openDatagramChannel(statusIndicator);
            open(receiveDatagramChannel());
        }

        @Override
        public int addDestination(final ReceiveDestinationTransport transport)
        {
            open(transport.receiveDatagramChannel());

            return super.addDestination(transport);
        }

        @Override
        public void removeDestination(final int transportIndex)
        {
            forget(destination(transportIndex).receiveDatagramChannel());
            super.removeDestination(transportIndex);
        }

        @Override
        public void close()
        {
            super.close();
            closed();
        }
    }
}
