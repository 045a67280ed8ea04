// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.recovery.recording.DirectoryCheck;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.StreamReport;
import io.gradstream.server.node.PushFrame;
import io.gradstream.server.recording.PartitionRebuild;
import io.gradstream.server.recording.RebuiltTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class NodeRecordingsTest
{
    private static final TableSpec TABLE = TableSpec.sparse(0, "weights", 64, "add/1");
    private static final long[] KEYS = {1, 5, 9, 1000};
    private static final int PUSHES = 300;
    private static final int SNAPSHOT_LOG_BYTES = 64 * 1024;

    private static final JobSpec JOB = new JobSpec(
        1, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 4096, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);

    @TempDir
    private Path dir;
    @TempDir
    private Path coordinatorDir;

    @Test
    void shouldFindWhatANodeRecordedSoundAndRebuildIt() throws IOException
    {
        record();

        final RecordingDirectory directory = RecordingDirectory.open(RecordingDirectory.find(dir));
        final List<StreamReport> reports = DirectoryCheck.run(directory);
        assertThat(reports).as("log and two snapshots").hasSizeGreaterThanOrEqualTo(3)
            .allMatch(StreamReport::isSound);
        try (PartitionRebuild rebuild = PartitionRebuild.run(directory, 1, 0, PartitionRebuild.END))
        {
            assertThat(rebuild.snapshotId()).isNotEqualTo(PartitionRebuild.NO_SNAPSHOT);
            assertThat(rebuild.cursor().position()).isEqualTo(directory.log(1, 0).stopPosition());
            assertThat(values(rebuild)).containsOnly((float)PUSHES).hasSize(KEYS.length);
        }
        for (final StreamReport report : reports)
        {
            // the node may be closed while it takes one more snapshot, which then is unfinished
            if (StreamReport.State.COMPLETE == report.state() && StreamReport.NO_POSITION != report.standsFor())
            {
                assertThat(isUsedAtItsPosition(directory, report)).as("%s", report).isTrue();
            }
        }
    }

    /** Is the snapshot what its position is rebuilt from, and the position before it is not? */
    private static boolean isUsedAtItsPosition(final RecordingDirectory directory, final StreamReport report)
    {
        try (PartitionRebuild fromSnapshot = PartitionRebuild.run(directory, 1, 0, report.standsFor());
            PartitionRebuild before = PartitionRebuild.run(directory, 1, 0, report.standsFor() - 1))
        {
            return fromSnapshot.snapshotId() == report.entry().recordingId() &&
                before.snapshotId() != report.entry().recordingId() &&
                before.cursor().index() == fromSnapshot.cursor().index() - 1;
        }
    }

    private void record() throws IOException
    {
        final String endpoint = freeEndpoint();
        try (LocalCoordinator coordinator = LocalCoordinator.start(coordinatorDir, null, JOB);
            ServerNode node = ServerNode.launch(new ServerNode.Context()
            .coordinators(coordinator.endpoints())
            .ingressEndpoint(endpoint)
            .dir(dir)
            .keepLogAll(true)
            .snapshotLogBytes(SNAPSHOT_LOG_BYTES)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).as("failure=%s", node.failure()).isTrue();
            try (RawWorker worker = new RawWorker(node.aeronDirectoryName(), endpoint, 1))
            {
                worker.connect();
                worker.hello(0);
                worker.createTable(TABLE, 0, -1);
                for (int i = 1; i <= PUSHES; i++)
                {
                    final int sequence = i;
                    worker.push(PushFrame.of(0, worker.epoch, sequence, 1, TABLE.dim(), KEYS));
                    worker.await(() -> sequence == worker.recorded);
                }
            }
        }
    }

    private static float[] values(final PartitionRebuild rebuild)
    {
        final RebuiltTable table = rebuild.tables().get(1);
        final UnsafeBuffer row = new UnsafeBuffer(0, 0);
        final float[] values = new float[table.store().size()];
        for (int i = 0; i < values.length; i++)
        {
            table.store().wrap(i, row);
            values[i] = row.getFloat(RebuiltTable.VERSION_LENGTH, ByteOrder.LITTLE_ENDIAN);
        }

        return values;
    }

    private static String freeEndpoint() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }
}
