// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A member's directory: its Archive's recordings, and the consensus module's own files. */
final class MemberDirectory
{
    private MemberDirectory()
    {
    }

    static Path archive(final Path directory)
    {
        return directory.resolve("archive");
    }

    static Path cluster(final Path directory)
    {
        return directory.resolve("cluster");
    }

    /** Where a log is fetched to before it replaces the member's own. */
    static Path seed(final Path directory)
    {
        return directory.resolve("seed");
    }

    /** True if the directory holds a log, or at least the list of its parts. */
    static boolean hasLog(final Path directory)
    {
        return Files.exists(cluster(directory).resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
    }

    /**
     * Make the consensus module's directory fit for the next start: a process killed during its very first start may
     * leave the file of its votes blank, which Aeron refuses.
     *
     * @param directory of the member, which this process holds.
     */
    static void prepare(final Path directory) throws IOException
    {
        Files.createDirectories(cluster(directory));
        final Path nodeState = cluster(directory).resolve(NodeStateFile.FILENAME);
        if (Files.exists(nodeState) && isBlank(nodeState))
        {
            Files.delete(nodeState);
        }
    }

    // The header, with its version, is the first thing written.
    private static boolean isBlank(final Path file) throws IOException
    {
        final ByteBuffer head = ByteBuffer.allocate(Long.BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            channel.read(head, 0);
        }

        return 0 == head.getLong(0);
    }
}
