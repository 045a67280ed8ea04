// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Streams;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.driver.DirectoryOwner;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.coordinator.member.ClusterTiming;
import io.gradstream.coordinator.member.CoordinatorNode;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.server.function.Doubling;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.function.UserProvider;
import io.gradstream.server.node.PushFrame;
import io.gradstream.server.share.ConnectionLimit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ServerNodeTest
{
    private static final TableSpec TABLE = TableSpec.sparse(0, "weights", 4, "add/1");
    private static final long[] KEYS = keys();
    private static final int PUSHES = 20;

    private static final JobSpec JOB = new JobSpec(
        1, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 4096, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);

    @TempDir
    private Path dir;
    @TempDir
    private Path coordinatorDir;
    private LocalCoordinator coordinator;

    @AfterEach
    void stop()
    {
        CloseHelper.close(coordinator);
    }

    @Test
    void shouldServeTheSameStateWhenLaunchedAgain() throws IOException
    {
        final String endpoint = freeEndpoint();
        final long firstEpoch;
        try (ServerNode node = launch(endpoint);
            RawWorker worker = new RawWorker(node.aeronDirectoryName(), endpoint, 1))
        {
            pushAll(worker);
            pullAll(worker);
            firstEpoch = worker.epoch;
        }

        try (ServerNode node = launch(endpoint);
            RawWorker worker = new RawWorker(node.aeronDirectoryName(), endpoint, 2))
        {
            worker.connect();
            worker.hello(0);
            assertThat(worker.lastSequence).isEqualTo(PUSHES);
            assertThat(worker.epoch).isEqualTo(firstEpoch + 1);
            pullAll(worker);
        }
    }

    @Test
    void shouldServeAWorkerOfItsOwnDriverOverIpc() throws IOException
    {
        final String endpoint = freeEndpoint();
        try (ServerNode node = ServerNode.launch(context(endpoint).incarnationClock(() -> 77)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).isTrue();
            try (RawWorker worker = new RawWorker(node.aeronDirectoryName(), endpoint, 1, 77))
            {
                pushAll(worker);
                pullAll(worker);
            }
        }
    }

    /** Three of the least limit are one job's, over UDP or IPC. */
    @Test
    void shouldTellAWorkerThatThereIsNoRoom() throws IOException
    {
        final String endpoint = freeEndpoint();
        try (ServerNode node = ServerNode.launch(
            context(endpoint).incarnationClock(() -> 77).maxConnections(ConnectionLimit.LEAST)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).isTrue();
            final String aeron = node.aeronDirectoryName();
            try (RawWorker first = new RawWorker(aeron, endpoint, 1);
                RawWorker second = new RawWorker(aeron, endpoint, 2);
                RawWorker third = new RawWorker(aeron, endpoint, 3, 77);
                RawWorker fourth = new RawWorker(aeron, endpoint, 4);
                RawWorker fifth = new RawWorker(aeron, endpoint, 5, 77))
            {
                first.connect();
                second.connect();
                third.connect();
                fourth.connectInVain();
                fifth.connectInVain();
            }
        }
    }

    @Test
    void shouldAnswerOverIpcOnlyWhoAsksOverIpc() throws IOException
    {
        final String endpoint = freeEndpoint();
        try (ServerNode node = launch(endpoint);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(node.aeronDirectoryName()));
            Subscription notForIt = aeron.addSubscription("aeron:ipc", Streams.RESPONSE);
            RawWorker worker = new RawWorker(node.aeronDirectoryName(), endpoint, 1))
        {
            // from another host it could name a stream of somebody on the node's, such as the Archive's
            worker.connect(6, "aeron:ipc");
            worker.connect();

            assertThat(notForIt.imageCount()).isZero();
        }
    }

    @Test
    void shouldNotServeAndSayWhatToDoWhenItsOnlyLogIsDamaged() throws IOException
    {
        final String endpoint = freeEndpoint();
        push(endpoint);
        final Path archive = dir.resolve("archive");
        final RecordingEntry log = RecordingDirectory.open(archive).entries().stream()
            .filter((entry) -> RecordingEntry.Kind.LOG == entry.kind()).findFirst().orElseThrow();
        // the first record's length, as if a disk had flipped a bit of it
        try (RandomAccessFile segment = new RandomAccessFile(archive.resolve(log.segmentName(0)).toFile(), "rw"))
        {
            final int length = segment.read();
            segment.seek(0);
            segment.write(length ^ 0x40);
        }
        Files.delete(archive.resolve("clean-stop"));

        for (int i = 0; i < 2; i++)
        {
            try (ServerNode node = ServerNode.launch(context(endpoint)))
            {
                assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).isFalse();
                assertThat(node.isTerminated()).isTrue();
                assertThat(node.failure()).hasMessageContaining("partition=0 has no other copy")
                    .hasMessageContaining("recordingId=" + log.recordingId()).hasMessageContaining("bring this node");
            }
        }
    }

    @Test
    void shouldNotServeAnEmptyDirectoryInPlaceOfItsOnlyLogUnlessTheLossIsAccepted() throws IOException
    {
        final String endpoint = freeEndpoint();
        push(endpoint);

        final Path empty = dir.resolve("empty");
        try (ServerNode node = ServerNode.launch(context(endpoint).dir(empty)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).isFalse();
            assertThat(node.failure()).hasMessageContaining("partition=0 has no other copy")
                .hasMessageContaining("ends in epoch 0 at position 0").hasMessageContaining("--allow-data-loss");
        }
        try (ServerNode node = ServerNode.launch(context(endpoint).dir(empty).acceptsLoss(true)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).as("failure=%s", node.failure()).isTrue();
        }
        try (ServerNode node = ServerNode.launch(context(endpoint).dir(empty)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).as("failure=%s", node.failure()).isTrue();
        }
    }

    @Test
    void shouldTellAReplacedWorkerThatItIsFencedAndServeTheOneThatHoldsTheSlot() throws IOException
    {
        final String endpoint = freeEndpoint();
        try (ServerNode node = launch(endpoint);
            RawWorker holder = new RawWorker(node.aeronDirectoryName(), endpoint, 2);
            RawWorker replaced = new RawWorker(node.aeronDirectoryName(), endpoint, 1))
        {
            holder.connect();
            holder.hello(0);
            replaced.connect();
            replaced.sendHello(0);
            replaced.await(() -> Refusal.FENCED.code() == replaced.refusedCode);
            assertThat(replaced.lastSequence).isEqualTo(-1);

            holder.createTable(TABLE, 0, -1);
            holder.push(PushFrame.of(0, holder.epoch, 1, 2, TABLE.dim(), KEYS));
            holder.await(() -> 1 == holder.recorded);
        }
    }

    @Test
    void shouldServeByADriverAndArchiveThatRunAlready() throws IOException
    {
        final String endpoint = freeEndpoint();
        try (HostDriver host = HostDriver.launch(
            new HostDriver.Context().archiveDirectory(dir.resolve("archive")).minFreeBytes(0));
            ServerNode node = ServerNode.launch(context(endpoint)
                .aeronDirectoryName(host.aeronDirectoryName()));
            RawWorker worker = new RawWorker(host.aeronDirectoryName(), endpoint, 1))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).as("failure=%s", node.failure()).isTrue();
            worker.connect();
            worker.hello(0);
            worker.createTable(TABLE, 0, -1);
            worker.push(PushFrame.of(0, worker.epoch, 1, 1, TABLE.dim(), KEYS));
            worker.await(() -> 1 == worker.recorded);
        }
    }

    @Test
    void shouldRefuseADirectoryOfAnotherNumberOfPartitionsOrOfAnotherCluster() throws IOException
    {
        final String endpoint = freeEndpoint();
        DirectoryOwner.of(dir).claim("partitions", "2");
        try (ServerNode node = ServerNode.launch(context(endpoint)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).isFalse();
            assertThat(node.failure()).hasMessageContaining("partitions 2, and this is partitions 1");
        }

        final Path foreign = dir.resolve("foreign");
        DirectoryOwner.of(foreign).claim("cluster", "abc");
        try (ServerNode node = ServerNode.launch(context(endpoint).dir(foreign)))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).isFalse();
            assertThat(node.failure()).hasMessageContaining("cluster abc, and this is cluster ");
        }
    }

    @Test
    void shouldEndWhenItsCoordinatorsAreAnotherCluster(@TempDir final Path emptied) throws IOException
    {
        try (ServerNode node = launch(freeEndpoint()))
        {
            coordinator.close();
            try (CoordinatorNode other = CoordinatorNode.launch(new ClusterMember.Context()
                .members(coordinator.endpoints()).dir(emptied).timing(ClusterTiming.QUIET),
                JOB, CoordinatorListener.NONE))
            {
                other.awaitReady(TimeUnit.SECONDS.toNanos(20));
                final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (!node.isTerminated() && System.nanoTime() - deadlineNs < 0)
                {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                assertThat(node.failure()).hasMessageContaining("the coordinators were cluster ")
                    .hasMessageContaining("give them back the directories that they had");
            }
        }
    }

    @Test
    void shouldSayAtOnceWhereNoDriverRunsOrItHasNoArchive() throws IOException
    {
        final String nowhere = dir.resolve("nowhere").toString();
        final ServerNode.Context ctx = context(freeEndpoint()).aeronDirectoryName(nowhere);
        assertThatThrownBy(() -> ServerNode.launch(ctx))
            .isInstanceOf(HostDriverException.class).hasMessageContaining("no media driver runs in " + nowhere);

        try (HostDriver host = HostDriver.launch(new HostDriver.Context()))
        {
            final ServerNode.Context withoutArchive =
                context(freeEndpoint()).aeronDirectoryName(host.aeronDirectoryName());
            assertThatThrownBy(() -> ServerNode.launch(withoutArchive)).isInstanceOf(HostDriverException.class)
                .hasMessageContaining("has no Archive that answers: start it with ./gradstream media-driver");
        }
        assertThat(dir.resolve(DirectoryOwner.FILE)).as("the next start may have another --node-id").doesNotExist();
    }

    @Test
    void shouldEndWhenAFunctionOfAUserThrowsAnError() throws IOException
    {
        final NoClassDefFoundError error = new NoClassDefFoundError("my/Missing");
        coordinator = LocalCoordinator.start(coordinatorDir, null, JOB.with(List.of("failing/1")));
        final String endpoint = freeEndpoint();
        final ServerNode.Context ctx = context(endpoint).functions(UpdateFunctions.BUILT_IN.with(
            new UserProvider("failing", 1, (parameters) -> new Failing(error))));
        try (ServerNode node = ServerNode.launch(ctx))
        {
            assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).isTrue();
            try (RawWorker worker = new RawWorker(node.aeronDirectoryName(), endpoint, 1))
            {
                worker.connect();
                worker.hello(0);
                worker.createTable(TableSpec.sparse(0, "weights", TABLE.dim(), "failing/1"), 0, -1);
                worker.push(PushFrame.of(0, worker.epoch, 1, 1, TABLE.dim(), KEYS));
                worker.await(node::isTerminated);
            }
            assertThat(node.failure()).isSameAs(error);
        }
    }

    private static final class Failing extends Doubling
    {
        private final NoClassDefFoundError error;

        Failing(final NoClassDefFoundError error)
        {
            this.error = error;
        }

        @Override
        public void updateFloats(
            final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
        {
            throw error;
        }
    }

    @Test
    void shouldRefuseSettingsThatAreWrong()
    {
        assertThatThrownBy(() -> ServerNode.launch(new ServerNode.Context()))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ingressEndpoint=null");
        assertThatThrownBy(() -> ServerNode.launch(new ServerNode.Context().ingressEndpoint("127.0.0.1:1")))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("coordinators=[]");
    }

    private ServerNode.Context context(final String endpoint) throws IOException
    {
        coordinator = null == coordinator ? LocalCoordinator.start(coordinatorDir, null, JOB) : coordinator;
        return new ServerNode.Context()
            .coordinators(coordinator.endpoints())
            .ingressEndpoint(endpoint)
            .dir(dir);
    }

    /** A server that records some pushes, and ends. */
    private void push(final String endpoint) throws IOException
    {
        try (ServerNode node = launch(endpoint);
            RawWorker worker = new RawWorker(node.aeronDirectoryName(), endpoint, 1))
        {
            pushAll(worker);
        }
    }

    private ServerNode launch(final String endpoint) throws IOException
    {
        final ServerNode node = ServerNode.launch(context(endpoint));
        assertThat(node.awaitServing(TimeUnit.SECONDS.toNanos(20))).as("failure=%s", node.failure()).isTrue();

        return node;
    }

    private static void pushAll(final RawWorker worker)
    {
        worker.connect();
        worker.hello(0);
        worker.createTable(TABLE, 0, -1);
        for (int i = 1; i <= PUSHES; i++)
        {
            worker.push(PushFrame.of(0, worker.epoch, i, 1, TABLE.dim(), KEYS));
        }
        worker.await(() -> PUSHES == worker.recorded);
    }

    private static void pullAll(final RawWorker worker)
    {
        worker.pull(1, 0, PUSHES, KEYS);
        worker.await(() -> worker.isPullDone);
        assertThat(worker.rowsReceived).isEqualTo(KEYS.length);
        final float[] expected = new float[KEYS.length * TABLE.dim()];
        Arrays.fill(expected, PUSHES);
        assertThat(Arrays.mismatch(Arrays.copyOf(worker.values, expected.length), expected))
            .as("wrong values=%d", wrongValues(worker.values, expected)).isEqualTo(-1);
    }

    private static int wrongValues(final float[] actual, final float[] expected)
    {
        int count = 0;
        for (int i = 0; i < expected.length; i++)
        {
            count += actual[i] == expected[i] ? 0 : 1;
        }

        return count;
    }

    private static long[] keys()
    {
        final long[] keys = new long[1000];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = i * 3L;
        }

        return keys;
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
