// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that records flat out until it is killed, and says how far the Archive had recorded.
 */
final class RecordingProcess
{
    static final String CHANNEL = "aeron:ipc?term-length=1m|mtu=8192|alias=a-log";
    static final int STREAM_ID = 7001;
    static final int MESSAGE_LENGTH = 8192;

    private static final String POSITION_PREFIX = "recorded ";
    private static final long EXIT_TIMEOUT_S = 10;
    private static final long REPORT_INTERVAL = 8;

    private RecordingProcess()
    {
    }

    /**
     * Child: record into the archive directory given, print the recorded position every few messages.
     *
     * @param args Aeron directory, archive directory.
     */
    public static void main(final String[] args)
    {
        final HostDriver.Context ctx = new HostDriver.Context()
            .aeronDirectory(Path.of(args[0]))
            .archiveDirectory(Path.of(args[1]))
            .minFreeBytes(0);
        try (HostDriver host = HostDriver.launch(ctx);
            AeronArchive client = AeronArchive.connect(host.archiveContext());
            ExclusivePublication publication = client.addRecordedExclusivePublication(CHANNEL, STREAM_ID))
        {
            recordForEver(client.context().aeron(), publication);
        }
    }

    private static void recordForEver(final Aeron aeron, final ExclusivePublication publication)
    {
        final CountersReader counters = aeron.countersReader();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        int counterId = CountersReader.NULL_COUNTER_ID;
        long count = 0;
        while (true)
        {
            message.setMemory(0, MESSAGE_LENGTH, (byte)(count + 1 & 0x7F | 1));
            if (publication.offer(message) < 0)
            {
                Thread.yield();
                continue;
            }

            if (CountersReader.NULL_COUNTER_ID == counterId)
            {
                counterId = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), Aeron.NULL_VALUE);
            }
            else if (0 == ++count % REPORT_INTERVAL)
            {
                System.out.println(POSITION_PREFIX + counters.getCounterValue(counterId));
            }
        }
    }

    /**
     * Parent: start such a process and kill it, without warning, when it has recorded so much.
     *
     * @param aeronDirectory   of the child.
     * @param archiveDirectory of the child.
     * @param killPosition     recorded position at which to kill.
     * @return the last position the child had reported.
     */
    static long runAndKill(final Path aeronDirectory, final Path archiveDirectory, final long killPosition)
        throws IOException, InterruptedException
    {
        final Process process = start(aeronDirectory, archiveDirectory);
        long recordedPosition = 0;
        try (BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII))
        {
            boolean isKilled = false;
            String line = reader.readLine();
            while (null != line)
            {
                recordedPosition = positionOf(line, recordedPosition);
                if (recordedPosition >= killPosition && !isKilled)
                {
                    process.destroyForcibly();
                    isKilled = true;
                }
                line = readLineOfDying(reader);
            }
        }
        finally
        {
            process.destroyForcibly();
            if (!process.waitFor(EXIT_TIMEOUT_S, TimeUnit.SECONDS))
            {
                throw new IllegalStateException("the child is not dead");
            }
        }

        return recordedPosition;
    }

    // What a killed process left in the pipe may be cut short or already closed: then there is no further line.
    private static String readLineOfDying(final BufferedReader reader)
    {
        try
        {
            return reader.readLine();
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    // The last line may be cut by the kill; a cut number is smaller than the one before and so is ignored.
    private static long positionOf(final String line, final long previous)
    {
        if (!line.startsWith(POSITION_PREFIX) || line.length() == POSITION_PREFIX.length())
        {
            return previous;
        }

        return Math.max(previous, Long.parseLong(line.substring(POSITION_PREFIX.length())));
    }

    private static Process start(final Path aeronDirectory, final Path archiveDirectory) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
            "-Xmx128m",
            "-cp", System.getProperty("java.class.path"),
            RecordingProcess.class.getName(),
            aeronDirectory.toString(),
            archiveDirectory.toString()));

        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
}
