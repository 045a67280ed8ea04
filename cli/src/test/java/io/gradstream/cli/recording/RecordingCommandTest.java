// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.options.Failures;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.server.aeron.ServerNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The recording commands on the directory of a node that was started twice and stopped, so that its log holds
 * the start of two epochs.
 */
@Timeout(60)
class RecordingCommandTest
{
    private static final int EPOCH_LENGTH = 96;
    private static final JobSpec JOB = new JobSpec(
        1, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);

    @TempDir
    private static Path parent;
    @TempDir
    private static Path coordinatorDir;
    private static Path node;
    private static String refusedWhileRunning;

    @TempDir
    private Path dir;

    @BeforeAll
    static void recordTwoLives() throws IOException
    {
        node = parent.resolve("server-0");
        try (LocalCoordinator coordinator = LocalCoordinator.start(coordinatorDir, null, JOB))
        {
            for (int life = 0; life < 2; life++)
            {
                try (ServerNode server = ServerNode.launch(new ServerNode.Context()
                    .coordinators(coordinator.endpoints()).ingressEndpoint(freeEndpoint()).dir(node)))
                {
                    assertThat(server.awaitServing(TimeUnit.SECONDS.toNanos(20))).isTrue();
                    refusedWhileRunning = run(Failures.EXIT_FAILED, "list", "--dir", node.toString());
                }
            }
        }
    }

    @Test
    void shouldRefuseTheDirectoryOfARunningNode()
    {
        assertThat(refusedWhileRunning).contains("a running node").contains("copy the directory");
    }

    @Test
    void shouldListOneLineForEachRecording()
    {
        final List<String> lines = run(0, "list", "--dir", node.toString()).lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).containsPattern("^ +0 +log +1 +0 +0 +192 +192 +2 +2 +complete$");
        assertThat(run(0, "list", "--dir", node.resolve("archive").toString()).lines().toList()).isEqualTo(lines);
    }

    @Test
    void shouldDescribeALogByIdAndByPartition()
    {
        final String byId = run(0, "describe", "0", "--dir", node.toString());
        assertThat(byId).contains("log of job 1 partition 0", "stream 1000", "closed in order",
            "2: EpochStarted 2", "1 from position 0, 2 from position 96");
        assertThat(run(0, "describe", "--partition=0", "--dir", node.toString())).isEqualTo(byId);
    }

    @Test
    void shouldDumpTheRecordsBetweenTwoPositions()
    {
        assertThat(run(0, "dump", "--partition=0", "--from=96", "--dir", node.toString()))
            .isEqualTo("position=192 index=2 epoch=2 type=EpochStarted rows=0 bytes=44 node=0\n");
        assertThat(run(0, "dump", "--partition=0", "--to=96", "--json", "--dir", node.toString())).isEqualTo(
            "{\"position\":96,\"index\":1,\"epoch\":1,\"type\":\"EpochStarted\",\"slots\":[],\"sequences\":[]," +
            "\"rows\":0,\"bytes\":44,\"detail\":\"node=0\"}\n");
    }

    @Test
    void shouldReplayAndExport() throws IOException
    {
        final Path file = dir.resolve("state.csv");
        assertThat(run(0, "replay", "--partition=0", "--to=100", "--out", file.toString(), "--dir",
            node.toString())).contains("96, record 1, epoch 1", "the beginning of the log", "exported    0 rows");
        assertThat(Files.readString(file)).isEqualTo("table,key,version,value0,value1,value2,value3\n");
        assertThat(run(Failures.EXIT_USAGE, "replay", "--partition=0", "--to=end", "--out", file.toString(),
            "--dir", node.toString())).contains("exists: name a new file");
        assertThat(run(0, "replay", "--partition=0", "--to=end", "--format=binary", "--table=_audit", "--out",
            dir.resolve("state.bin").toString(), "--dir", node.toString())).contains("192, record 2, epoch 2");
        assertThat(Files.readAllBytes(dir.resolve("state.bin"))).startsWith("GRADPART".getBytes());
    }

    @Test
    void shouldSayAtWhichPositionACopyIsBroken() throws IOException
    {
        final Path copy = Files.createDirectories(dir.resolve("copy"));
        try (Stream<Path> files = Files.list(node.resolve("archive")))
        {
            for (final Path file : files.toList())
            {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        assertThat(run(0, "verify", "--dir", copy.toString())).contains("1 recordings, none broken");
        try (RandomAccessFile file = new RandomAccessFile(copy.resolve("0-0.rec").toFile(), "rw"))
        {
            file.seek(EPOCH_LENGTH + 40);
            file.write(1);
        }

        assertThat(run(Failures.EXIT_FAILED, "verify", "--dir", copy.toString())).contains(
            "recording 0, log of job 1 partition 0: 1 records sound up to position 96, broken at position 96: " +
            "checksum failed at offset=96",
            "1 recordings, 1 broken");
        assertThat(run(Failures.EXIT_FAILED, "dump", "0", "--dir", copy.toString()))
            .contains("position=96", "broken at position=96");
        assertThat(run(Failures.EXIT_FAILED, "replay", "--partition=0", "--dir", copy.toString()))
            .contains("can be rebuilt up to position=96");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        describe                             | name a recording by its id or with --partition
        describe 0 --partition=0             | name a recording by its id or with --partition
        describe 7                           | no recording 7: there are [0]
        describe --partition=7               | no log of --partition=7 of job 1: there are [0]
        describe --partition=0 --job=3       | no job 3: there are [1]
        dump 0 --to=soon                     | invalid --to=soon: must be a position of the log or end
        dump 0 --from=-1                     | invalid --from=-1: must be 0..
        replay                               | Missing required option: '--partition=N'
        replay --partition=0 --format=xml    | invalid --format=xml: must be csv or binary
        replay --partition=9                 | no --partition=9 of job 1: there are [0]
        replay --partition=0 --table=x --out=/none/x | no --table=x: there are [_audit]
        """)
    void shouldSayInOneLineWhatIsWrong(final String arguments, final String expected)
    {
        final String[] words = (arguments + " --dir " + node).split(" +");
        assertThat(run(Failures.EXIT_USAGE, words)).contains(expected);
    }

    @Test
    void shouldRefuseDirectoriesWithoutRecordingsAndNameThoseOfNodesBelow()
    {
        assertThat(run(Failures.EXIT_USAGE, "list", "--dir", dir.toString())).contains("holds no recordings");
        assertThat(run(Failures.EXIT_USAGE, "list", "--dir", parent.toString())).contains("such as " + node);
        assertThat(run(Failures.EXIT_USAGE, "list")).contains("Missing required option: '--dir=DIR'");
        assertThat(run(Failures.EXIT_USAGE)).contains("name a command: describe, dump, replay, list, verify");
    }

    @Test
    void shouldKnowPropertiesOfSubcommandsInAFile() throws IOException
    {
        final Path config = dir.resolve("tool.properties");
        Files.writeString(config, "gradstream.dir=" + node + "\ngradstream.format=binary\n");
        assertThat(run(0, "list", "--config", config.toString())).contains("complete");
    }

    private static String freeEndpoint() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static String run(final int exitCode, final String... arguments)
    {
        final StringWriter out = new StringWriter();
        final PrintWriter writer = new PrintWriter(out);
        final CommandLine commandLine = Gradstream.commandLine().setOut(writer).setErr(writer);
        final String[] words = Stream.concat(Stream.of("recording"), Stream.of(arguments)).toArray(String[]::new);
        assertThat(Gradstream.execute(commandLine, words)).as("%s", out).isEqualTo(exitCode);

        return out.toString();
    }
}
