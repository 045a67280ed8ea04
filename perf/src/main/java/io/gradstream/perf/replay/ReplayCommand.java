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
package io.gradstream.perf.replay;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.measure.ByteSize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * Measures how fast a restarted server reads its log, beside raw Archive replay.
 */
@Command(
    name = "replay",
    description = {
        "Measure replay, verification and application of a partition's log beside raw Archive replay of the same",
        "recording to an empty handler, in turns. Fails if the replayed state differs from the written one."})
public final class ReplayCommand implements Callable<Integer>
{
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Option(names = "--bytes", defaultValue = "1g", paramLabel = "SIZE",
        description = "Bytes of records to write, such as 64m or 1g. Default: ${DEFAULT-VALUE}.")
    private String bytes;

    @Option(names = "--rounds", defaultValue = "5", paramLabel = "N",
        description = "Times that each is measured. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--rows", defaultValue = "1024", paramLabel = "N",
        description = "Rows of 16 KiB that the records update in turn. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(names = "--profile", defaultValue = "dev", paramLabel = "dev|latency",
        description = "How all threads wait: dev sleeps, latency yields. Default: ${DEFAULT-VALUE}.")
    private String profile;

    @Option(names = "--dir", paramLabel = "DIR",
        description = "Where the recordings are meanwhile. Default: the temporary directory.")
    private Path dir;

    @Option(names = "--json", description = "Print one JSON object as the last line.")
    private boolean isJson;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException
    {
        final ReplaySettings settings = settings();
        final ReplayResult result = ReplayRig.measure(settings);
        System.out.print(result.table(settings));
        if (isJson)
        {
            System.out.println(result.json(settings));
        }

        return 0;
    }

    private ReplaySettings settings()
    {
        try
        {
            final Path directory = null == dir ? Path.of(System.getProperty("java.io.tmpdir")) : dir;
            if (!Files.isDirectory(directory))
            {
                throw new IllegalArgumentException("invalid --dir=" + directory + ": must be an existing directory");
            }
            return new ReplaySettings(
                ByteSize.parseLong(bytes), rounds, rows, DriverProfile.parse(profile), directory);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), ex.getMessage());
        }
    }
}
