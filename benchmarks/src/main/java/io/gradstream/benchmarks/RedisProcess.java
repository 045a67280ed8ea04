// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.launcher.process.ChildProcess;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Redis server of this run's own, on a free port of the loopback address, that keeps nothing on disk. */
final class RedisProcess implements AutoCloseable
{
    /** Ends Redis when standard input ends, and so with this process, however that ends. */
    private static final String STOPPED_BY_EOF = "\"$@\" & cat > /dev/null; kill $!; wait $!";

    private final ChildProcess process;
    private final int port;

    private RedisProcess(final ChildProcess process, final int port)
    {
        this.process = process;
        this.port = port;
    }

    /** The program, or null if there is none on the PATH. */
    static Path binary()
    {
        final String path = System.getenv("PATH");
        for (final String directory : null == path ? new String[0] : path.split(File.pathSeparator))
        {
            final Path file = Path.of(directory, "redis-server");
            if (Files.isExecutable(file))
            {
                return file;
            }
        }

        return null;
    }

    static RedisProcess start() throws IOException
    {
        final int port = freePort();
        return new RedisProcess(ChildProcess.start("redis", List.of("sh", "-c", STOPPED_BY_EOF, "sh",
            binary().toString(), "--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "",
            "--appendonly", "no", "--loglevel", "warning")), port);
    }

    int port()
    {
        return port;
    }

    @Override
    public void close()
    {
        process.close();
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }
}
