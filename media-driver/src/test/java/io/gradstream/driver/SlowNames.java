// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import org.agrona.concurrent.AgentRunner;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A process whose media driver is closed while it looks up a name, which takes until then. It exits with
 * {@link #SURVIVED}, or is killed by SIGSEGV if the name was looked up with what had been unmapped.
 */
final class SlowNames
{
    /** Exit code. */
    static final int SURVIVED = 42;
    /** The JDK looks up names in the file that it names. */
    static final String HOSTS_FILE_PROP_NAME = "jdk.net.hosts.file";

    private static final String NAME = "slow";
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private SlowNames()
    {
    }

    /**
     * Run it.
     *
     * @param args the driver's directory, and whether the thread that closes it is interrupted.
     * @throws Exception if it fails otherwise.
     */
    public static void main(final String[] args) throws Exception
    {
        final Path hosts = Path.of(System.getProperty(HOSTS_FILE_PROP_NAME));
        final HostDriver host = HostDriver.launch(new HostDriver.Context()
            .aeronDirectory(Path.of(args[0])).profile(DriverProfile.DEV).isForThisProcess(true));
        final Aeron client = Aeron.connect(host.aeronContext());
        makeReadersWait(hosts);
        client.asyncAddSubscription("aeron:udp?endpoint=" + NAME + ":0", 1);
        Await.until(TIMEOUT_NS, () -> Thread.getAllStackTraces().values().stream()
            .anyMatch((stack) -> isIn(stack, "DefaultNameResolver", "resolve")));
        client.close();

        final Thread closer = new Thread(() -> close(host, Boolean.parseBoolean(args[1])));
        closer.start();
        Await.until(TIMEOUT_NS, () -> isIn(closer.getStackTrace(), AgentRunner.class.getSimpleName(), "close") &&
            isIn(closer.getStackTrace(), "MediaDriver", "close"));
        letReadersGoOn(hosts);
        closer.join();
        System.exit(SURVIVED);
    }

    private static void close(final HostDriver host, final boolean isInterrupted)
    {
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        host.close();
    }

    private static void makeReadersWait(final Path hosts) throws IOException, InterruptedException
    {
        final Path pipe = hosts.resolveSibling("pipe");
        new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor();
        Files.move(pipe, hosts, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void letReadersGoOn(final Path hosts) throws IOException
    {
        final byte[] line = ("127.0.0.1 " + NAME + "\n").getBytes(StandardCharsets.US_ASCII);
        try (OutputStream pipe = Files.newOutputStream(hosts))
        {
            // who reads it again need not wait
            Files.move(Files.write(hosts.resolveSibling("file"), line), hosts, StandardCopyOption.REPLACE_EXISTING);
            pipe.write(line);
        }
    }

    /** Does a thread run a method of a class? */
    static boolean isIn(final StackTraceElement[] stack, final String className, final String method)
    {
        return Arrays.stream(stack).anyMatch((frame) ->
            frame.getClassName().endsWith("." + className) && frame.getMethodName().equals(method));
    }
}
