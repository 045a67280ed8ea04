// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.Log;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * An Archive on a file system of a few megabytes, which only root can mount: skipped for others.
 */
@Timeout(60)
class FullDiskTest
{
    private static final int DISK_BYTES = 12 * 1024 * 1024;
    private static final int BALLAST_BYTES = 3 * 1024 * 1024;
    private static final int RECORD_LENGTH = 30_000;
    private static final long COMMAND_TIMEOUT_S = 10;

    @TempDir
    private Path disk;

    private ArchiveNode node;
    private boolean isMounted;

    @BeforeEach
    void mount() throws Exception
    {
        isMounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", disk.toString());
        assumeTrue(isMounted, "SKIPPED: a tmpfs cannot be mounted here: that needs root");
    }

    @AfterEach
    void tearDown() throws Exception
    {
        CloseHelper.close(node);
        if (isMounted)
        {
            assertThat(run("umount", "-l", disk.toString())).isTrue();
        }
    }

    @Test
    void shouldDieWithAllItCalledRecordedWhenTheDiskIsFull() throws IOException
    {
        final Path ballast = disk.resolve("ballast");
        Files.write(ballast, new byte[BALLAST_BYTES]);
        final File archiveDir = disk.resolve("archive").toFile();
        node = new ArchiveNode(archiveDir, 0);
        ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        final List<byte[]> written = new ArrayList<>();

        ArchiveNode.await("the log to die", () ->
        {
            // Asked as a replica does: a position counts only if it was told while the recording was alive.
            while (log.isAlive() && log.recordedPosition() >= 0 && log.tryClaim(RECORD_LENGTH))
            {
                written.add(Records.bytes(written.size(), RECORD_LENGTH));
                log.buffer().putBytes(log.offset(), written.get(written.size() - 1));
                log.commit();
            }
            return !log.isAlive();
        });

        final long recorded = log.recordedPosition();
        assertThat(recorded).isGreaterThan(ArchiveNode.SEGMENT_LENGTH).isLessThan(log.position());
        assertThat(node.errors).isNotEmpty();
        storage.close();

        Files.delete(ballast);
        node.restart();
        storage = node.storage(0);
        final List<byte[]> kept = Records.readLog(storage, 0);
        assertThat(node.logs(0).get(0).stopPosition()).isGreaterThanOrEqualTo(recorded);
        assertThat(kept).hasSizeGreaterThanOrEqualTo(recordsUpTo(recorded))
            .containsExactlyElementsOf(written.subList(0, kept.size()));
        storage.close();
    }

    /** A term holds so many records and then padding. */
    private static int recordsUpTo(final long position)
    {
        final int termLength = LogGeometry.DEFAULT.termLength();
        final int perTerm = (int)(termLength / Records.endOf(0, RECORD_LENGTH));
        final long terms = position / termLength;

        return (int)(terms * perTerm +
            Math.min(perTerm, (position - terms * termLength) / Records.endOf(0, RECORD_LENGTH)));
    }

    private static boolean run(final String... command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
        if (!process.waitFor(COMMAND_TIMEOUT_S, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
            return false;
        }

        return 0 == process.exitValue();
    }
}
