// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.ReceiveDestinationTransport;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.gradstream.driver.client.DriverDoorbell;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The sockets of a media driver whose sender, receiver and conductor share one thread: it sleeps until a datagram comes
 * to one of them. Aeron still polls them itself; a second selector only tells when that is worth it.
 */
final class DriverSockets implements Sleep, AutoCloseable
{
    private static final long MIN_SELECT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Most datagrams of clients that are dropped after one sleep. */
    private static final int MAX_RINGS = 64;

    private final Selector selector;
    private final Consumer<SelectionKey> onReadable = this::onReadable;
    private final DatagramChannel bell;
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(1);
    private final AtomicBoolean isAsleep = new AtomicBoolean();
    /** Its first four bytes are 1 while no client has rung since the driver went to sleep; they see it. */
    private volatile AtomicBuffer word = new UnsafeBuffer(new byte[Integer.BYTES]);

    DriverSockets() throws IOException
    {
        selector = Selector.open();
        bell = openBell();
    }

    /** Let clients in other processes wake the driver, which runs. Without a bell it wakes by itself, if later. */
    void hangBell(final Path aeronDirectory, final Consumer<String> errorLog)
    {
        if (null == bell)
        {
            return;
        }
        try
        {
            word = DriverDoorbell.hang(aeronDirectory, ((InetSocketAddress)bell.getLocalAddress()).getPort());
        }
        catch (final IOException ex)
        {
            errorLog.accept("media driver: workers cannot wake it, so that it answers up to a millisecond late: " + ex);
        }
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
            selector.select(onReadable, Math.max(1, TimeUnit.NANOSECONDS.toMillis(maxNs)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void isAsleep(final boolean newIsAsleep)
    {
        isAsleep.set(newIsAsleep);
        word.putIntVolatile(0, newIsAsleep ? 1 : 0);
    }

    /** True while the driver sleeps and no client has rung: after a ring it has to say again that it sleeps. */
    @Override
    public boolean isAsleep()
    {
        return isAsleep.get() && 0 != word.getIntVolatile(0);
    }

    /** Whatever clients did: their datagrams may be lost. */
    @Override
    public boolean rouse()
    {
        return isAsleep.get() && isAsleep.compareAndSet(true, false);
    }

    @Override
    public void wake()
    {
        selector.wakeup();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(bell, selector);
    }

    /** Aeron's own selector tells it which socket it is; the bell's is ours. */
    private void onReadable(final SelectionKey key)
    {
        if (key.channel() == bell)
        {
            drain();
        }
        else if (key.attachment() instanceof SocketPollInterval pace)
        {
            pace.reset();
        }
    }

    private void drain()
    {
        try
        {
            for (int i = 0; i < MAX_RINGS && null != bell.receive(datagram.clear()); i++)
            {
                // all mean the same
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Null where there is no loopback interface, or no descriptor left. */
    private DatagramChannel openBell()
    {
        DatagramChannel channel = null;
        try
        {
            channel = DatagramChannel.open();
            channel.configureBlocking(false);
            channel.bind(DriverDoorbell.address(0));
            channel.register(selector, SelectionKey.OP_READ);
            return channel;
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(channel);
            return null;
        }
    }

    /** The pace, or null if it is polled each time, is reset when a datagram has ended a sleep. */
    private void open(final DatagramChannel channel, final SocketPollInterval pace)
    {
        try
        {
            channel.register(selector, SelectionKey.OP_READ, pace);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static InetSocketAddress received(final SocketPollInterval pace, final InetSocketAddress source)
    {
        if (null == source)
        {
            pace.onEmpty();
        }
        else
        {
            pace.reset();
        }

        return source;
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
                selector.selectNow(onReadable);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private final class WatchedSender extends SendChannelEndpoint
    {
        private final SocketPollInterval pace;

        WatchedSender(
            final UdpChannel udpChannel, final AtomicCounter statusIndicator, final MediaDriver.Context context)
        {
            super(udpChannel, statusIndicator, context);
            pace = new SocketPollInterval(context.senderCachedNanoClock());
        }

        @Override
        public void openDatagramChannel(final AtomicCounter statusIndicator)
        {
            super.openDatagramChannel(statusIndicator);
            open(receiveDatagramChannel(), pace);
        }

        @Override
        public InetSocketAddress receive(final ByteBuffer buffer)
        {
            return pace.isDue() ? received(pace, super.receive(buffer)) : null;
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
        private final SocketPollInterval pace;

        WatchedReceiver(
            final UdpChannel udpChannel,
            final DataPacketDispatcher dispatcher,
            final AtomicCounter statusIndicator,
            final MediaDriver.Context context)
        {
            super(udpChannel, dispatcher, statusIndicator, context);
            pace = new SocketPollInterval(context.receiverCachedNanoClock());
        }

        @Override
        public void openDatagramChannel(final AtomicCounter statusIndicator)
        {
            super.openDatagramChannel(statusIndicator);
            open(receiveDatagramChannel(), pace);
        }

        @Override
        public InetSocketAddress receive(final ByteBuffer buffer)
        {
            return pace.isDue() ? received(pace, super.receive(buffer)) : null;
        }

        @Override
        public int addDestination(final ReceiveDestinationTransport transport)
        {
            open(transport.receiveDatagramChannel(), null);

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
