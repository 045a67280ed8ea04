// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import org.agrona.CloseHelper;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * Wakes a media driver that sleeps. A client of another process that writes into shared memory for the driver does not
 * wake it by this. After it has written, the client looks here whether the driver sleeps, and if so sends a datagram
 * that wakes it.
 * <p>
 * The driver leaves a file in its Aeron directory: a word that says whether it sleeps, and the port on the loopback
 * interface to which the datagram goes. Whoever changes the word from 1 to 0 sends the datagram, so exactly one is
 * sent. Where there is no such file, the driver is not ours, and wakes by itself. It also does where datagrams are
 * lost.
 */
public final class DriverDoorbell implements AutoCloseable
{
    /** Name of the file in the Aeron directory. */
    public static final String FILE = "gradstream-bell";
    /** Name of the file until it is whole. */
    public static final String NEW_FILE = FILE + ".new";

    private static final int ASLEEP_OFFSET = 0;
    private static final int PORT_OFFSET = 64;
    private static final int LENGTH = 128;
    /** For so long a client looks for the file: a driver leaves it a moment after clients can connect. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path file;
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(1);
    private long sinceNs;
    private boolean isSought;
    private AtomicBuffer word;
    private DatagramChannel channel;

    private DriverDoorbell(final Path file)
    {
        this.file = file;
    }

    /**
     * Of the driver in a directory.
     *
     * @param aeronDirectoryName of the driver; it is looked for when the bell is rung first.
     * @return the bell, for one thread.
     */
    public static DriverDoorbell of(final String aeronDirectoryName)
    {
        return new DriverDoorbell(Path.of(aeronDirectoryName).resolve(FILE));
    }

    /**
     * Leave one for clients; for the driver's process.
     *
     * @param aeronDirectory of the driver, which exists.
     * @param port           on the loopback interface, where a datagram wakes the driver.
     * @return a buffer whose first four bytes are 1 while the driver sleeps, else 0.
     * @throws IOException if it cannot be written.
     */
    public static AtomicBuffer hang(final Path aeronDirectory, final int port) throws IOException
    {
        final byte[] content = new byte[LENGTH];
        new UnsafeBuffer(content).putInt(PORT_OFFSET, port);
        final Path unfinished = aeronDirectory.resolve(NEW_FILE);
        Files.write(unfinished, content);
        final AtomicBuffer buffer = map(unfinished);
        Files.move(unfinished, aeronDirectory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);

        return buffer;
    }

    /**
     * Where datagrams that wake a driver go.
     *
     * @param port 0 for any.
     * @return an address of the loopback interface, the same in all processes whatever they prefer.
     * @throws UnknownHostException never.
     */
    public static InetSocketAddress address(final int port) throws UnknownHostException
    {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[]{127, 0, 0, 1}), port);
    }

    /** Wake the driver if it sleeps; to be called after something was written for it. */
    public void ring()
    {
        if (isHung())
        {
            // what was written must be seen by a driver that is told now to go to sleep
            VarHandle.fullFence();
            if (0 != word.getIntVolatile(ASLEEP_OFFSET) && word.compareAndSetInt(ASLEEP_OFFSET, 1, 0))
            {
                send();
            }
        }
    }

    @Override
    public void close()
    {
        isSought = true;
        word = null;
        CloseHelper.quietClose(channel);
    }

    private boolean isHung()
    {
        if (null == word && !isSought)
        {
            seek();
        }

        return null != word;
    }

    private void seek()
    {
        if (Thread.currentThread().isInterrupted())
        {
            // files cannot be mapped then
            return;
        }
        final long nowNs = System.nanoTime();
        sinceNs = 0 == sinceNs ? nowNs : sinceNs;
        isSought = nowNs - sinceNs >= PATIENCE_NS;
        if (!Files.exists(file))
        {
            return;
        }

        isSought = true;
        try
        {
            final AtomicBuffer found = map(file);
            channel = DatagramChannel.open();
            channel.configureBlocking(false);
            channel.connect(address(found.getInt(PORT_OFFSET)));
            word = found;
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            // the driver wakes by itself, if later
            CloseHelper.quietClose(channel);
        }
    }

    private void send()
    {
        datagram.clear();
        try
        {
            channel.write(datagram);
        }
        catch (final PortUnreachableException ex)
        {
            // nobody hears it: the driver has ended, which its clients notice by other means
            word = null;
        }
        catch (final IOException ex)
        {
            // it may go better the next time; the driver wakes by itself, if later
            datagram.clear();
        }
    }

    /** Unmapped by the garbage collector, since other threads may still use it. */
    private static AtomicBuffer map(final Path file) throws IOException
    {
        try (FileChannel content = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            if (content.size() < LENGTH)
            {
                throw new IOException(file + " has " + content.size() + " bytes: expected " + LENGTH);
            }
            return new UnsafeBuffer(content.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
        }
    }
}
