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
package io.gradstream.perf;

import io.gradstream.cli.Gradstream;
import io.gradstream.driver.DriverProfile;
import org.agrona.IoUtil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * One server process on this machine with a directory of its own, both gone when it is closed.
 */
final class LocalServer implements AutoCloseable
{
    private final String endpoint;
    private final Path directory;
    private final Path aeronDirectory;
    private ChildJvm process;

    private LocalServer(final String endpoint, final Path directory)
    {
        this.endpoint = endpoint;
        this.directory = directory;
        final Path sharedMemory = Path.of("/dev/shm");
        aeronDirectory = (Files.isDirectory(sharedMemory) ? sharedMemory : directory)
            .resolve("gradstream-" + directory.getFileName());
    }

    /**
     * Start a server and wait until it takes work.
     *
     * @param profile    of its driver and agents.
     * @param partitions it hosts.
     * @param parent     below which it keeps its log and snapshots.
     */
    static LocalServer start(final DriverProfile profile, final int partitions, final Path parent) throws IOException
    {
        final LocalServer server = new LocalServer(
            LoopbackPorts.free(1).get(0), Files.createTempDirectory(parent, "perf-"));
        try
        {
            server.process = ChildJvm.start(
                "server", Gradstream.class.getName(), server.arguments(profile, partitions));
            return server;
        }
        catch (final IOException | RuntimeException ex)
        {
            server.close();
            throw ex;
        }
    }

    String endpoint()
    {
        return endpoint;
    }

    @Override
    public void close()
    {
        if (null != process)
        {
            process.close();
        }
        // A server that had to be killed leaves its Aeron directory.
        IoUtil.delete(aeronDirectory.toFile(), true);
        IoUtil.delete(directory.toFile(), true);
    }

    private List<String> arguments(final DriverProfile profile, final int partitions)
    {
        return List.of(
            "server",
            "--node-id=0",
            "--endpoint=" + endpoint,
            "--servers=" + endpoint,
            "--partitions=" + partitions,
            "--dir=" + directory,
            "--aeron-dir=" + aeronDirectory,
            "--driver=internal",
            "--profile=" + profile.name().toLowerCase(Locale.ROOT),
            "--keep-log=needed",
            "--rows=" + LoadSettings.ROWS,
            "--stop-on-eof");
    }
}
