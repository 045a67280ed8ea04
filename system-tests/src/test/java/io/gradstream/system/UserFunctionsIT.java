// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.HostDriver;
import io.gradstream.examples.sketch.CountMinSketch;
import io.gradstream.examples.sketch.SketchFunction;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.TableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.ToolProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The function of docs/FUNCTIONS.md in a jar, and that of the examples in theirs, two servers as processes, and what
 * becomes of one that lacks the jars.
 */
@Tag("faults")
class UserFunctionsIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final JobSpec JOB = new JobSpec(2, 2, 2, JobSpec.DEFAULT_VIRTUAL_NODES, 1000,
        JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN).with(List.of("signum/1", "sketch/1"));
    private static final TableSpec WEIGHTS =
        TableSpec.sparse(0, "weights", 2, "signum/1 rate=0.5 schedule=step:every=1:factor=0.5 refuse-non-finite");
    private static final long[] KEY = {7};

    @TempDir
    private Path directory;
    private final List<Process> servers = new ArrayList<>();
    private final String[] endpoints = new String[2];
    private LocalCoordinator coordinator;
    private HostDriver workerHost;
    private Path plugins;
    private Path examples;
    private int starts;

    @BeforeEach
    void start() throws IOException, URISyntaxException
    {
        plugins = Files.createDirectory(directory.resolve("plugins"));
        writeJar(plugins.resolve("signum.jar"));
        examples = Path.of(SketchFunction.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertThat(examples).as("built by verify").isRegularFile();
        Files.copy(examples, plugins.resolve("examples.jar"));
        for (int node = 0; node < endpoints.length; node++)
        {
            endpoints[node] = "127.0.0.1:" + freePort();
        }
        coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, JOB);
        workerHost = HostDriver.launch(new HostDriver.Context()
            .aeronDirectory(Path.of("/dev/shm/gradstream-test-worker-" + ProcessHandle.current().pid())));
    }

    @AfterEach
    void stop() throws InterruptedException
    {
        for (final Process server : servers)
        {
            server.destroy();
            server.waitFor(20, TimeUnit.SECONDS);
        }
        workerHost.close();
        coordinator.close();
        for (int node = 0; node < endpoints.length; node++)
        {
            // what a killed one has left
            RunDirectory.delete(aeronDirectory(node));
        }
    }

    private static Path aeronDirectory(final int node)
    {
        return Path.of("/dev/shm/gradstream-test-server-" + ProcessHandle.current().pid() + "-" + node);
    }

    @Test
    void shouldServeTablesOfAFunctionThatEveryServerHas() throws Exception
    {
        final Path with = server(0, true);
        assertLacks(server(1, false), 1);
        assertThat(out(with)).as("placed without the second server").doesNotContain("READY");
        await("READY of node 1", this::isReady, server(1, true));
        await("READY of node 0", this::isReady, with);

        try (GradstreamClient client = connect())
        {
            final Table weights = client.createTable(WEIGHTS);
            client.await(weights.push(KEY, new float[]{3f, -4f}));
            client.await(weights.push(KEY, new float[]{3f, 4f}));
            assertThat(pull(weights)).containsExactly(-0.75f, 0.25f);
            assertThatExceptionOfType(TableException.class)
                .isThrownBy(() -> client.createTable(TableSpec.sparse(1, "other", 1, "signum/2 rate=1")))
                .withMessageContaining("unknown update function 'signum/2'")
                .withMessageContaining("[signum/1, sketch/1]");
            count(client);

            servers.get(0).destroyForcibly().waitFor();
            assertLacks(server(0, false), 0);
            client.await(weights.push(KEY, new float[]{1f, 1f}));
            assertThat(pull(weights)).containsExactly(-0.875f, 0.125f);
            await("READY of node 0 again", this::isReady, server(0, true));
            servers.get(2).destroyForcibly().waitFor();
            client.await(weights.push(KEY, new float[]{1f, 1f}));
            assertThat(pull(weights)).containsExactly(-0.9375f, 0.0625f);
        }
    }

    private static void count(final GradstreamClient client)
    {
        final CountMinSketch sketch = new CountMinSketch(client, 4, 100);
        for (int item = 0; item < 20; item++)
        {
            sketch.add(item, 10 + item);
        }
        sketch.add(7, Long.MAX_VALUE);
        sketch.add(3, -1000);
        client.awaitAll();
        assertThat(sketch.estimate(11)).isBetween(21L, 100L);
        assertThat(sketch.estimate(7)).isEqualTo(Long.MAX_VALUE);
        assertThat(sketch.estimate(3)).isZero();
    }

    /** What servers with the jar have recorded, a command without it cannot rebuild, and says so. */
    @Test
    void shouldReadWhatTheyRecorded() throws Exception
    {
        final Path first = server(0, true);
        await("READY of node 1", this::isReady, server(1, true));
        await("READY of node 0", this::isReady, first);
        try (GradstreamClient client = connect())
        {
            final Table weights = client.createTable(WEIGHTS);
            client.await(weights.push(KEY, new float[]{3f, -4f}));
        }
        // the jar of the examples is on the class path of the command, so that it is no plugin here
        final Path own = Files.createDirectory(directory.resolve("own"));
        Files.copy(plugins.resolve("signum.jar"), own.resolve("signum.jar"));
        final String[] plugin = {"--plugins", own.toString()};
        putValuesIn(plugin);
        for (final Process server : servers)
        {
            server.destroy();
            assertThat(server.waitFor(TIMEOUT_NS, TimeUnit.NANOSECONDS)).isTrue();
        }

        final String nodes = directory.resolve("node-0") + "," + directory.resolve("node-1");
        final Path model = directory.resolve("w.safetensors");
        final Command lacking = gradstream("model", "export", "--now", "--dir", nodes, "--out", model.toString());
        assertThat(lacking.exitCode()).isNotZero();
        assertThat(lacking.err()).contains("unknown update function 'signum/1'").contains("--plugins");
        assertThat(model).doesNotExist();

        assertThat(read(plugin, "model", "export", "--now", "--dir", nodes, "--out", model.toString()))
            .contains("signum/1");
        assertThat(read(plugin, "model", "describe", "--now", directory.resolve("node-0").toString(),
            directory.resolve("node-1").toString())).contains("signum/1");
        final Path csv = directory.resolve("w.csv");
        read(plugin, "model", "export", "--now", "--dir", nodes, "--out", csv.toString());
        assertThat(Files.readString(csv)).contains("-0.5").contains("0.5");
        final StringBuilder replayed = new StringBuilder();
        for (int partition = 0; partition < 2; partition++)
        {
            replayed.append(read(plugin, "recording", "replay", "--partition", String.valueOf(partition), "--dir",
                directory.resolve("node-0").toString()));
        }
        assertThat(replayed).containsPattern("weights, 1 rows");
    }

    /** Values alone, for which the state is made. */
    private void putValuesIn(final String[] plugin) throws Exception
    {
        final String[] cluster = {"--coordinator", coordinator.endpoints().get(0)};
        final String like = directory.resolve("like.safetensors").toString();
        final String values = directory.resolve("values.csv").toString();
        read(cluster, "model", "export", "--now", "--out", like);
        read(cluster, "model", "export", "--now", "--out", values);
        final String[] put = {"model", "import", "--overwrite", values, "--schema-from", like, cluster[0], cluster[1]};
        final Command lacking = gradstream(put);
        assertThat(lacking.exitCode()).isNotZero();
        assertThat(lacking.err()).contains("unknown update function 'signum/1'").contains("--plugins");
        read(plugin, put);
    }

    private String read(final String[] options, final String... arguments) throws Exception
    {
        final Command command =
            gradstream(Stream.concat(Stream.of(arguments), Stream.of(options)).toArray(String[]::new));
        assertThat(command.exitCode()).as(command.err()).isZero();

        return command.out();
    }

    private Command gradstream(final String... arguments) throws Exception
    {
        return Command.run(Files.createDirectory(directory.resolve("logs-" + starts++)),
            TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS), arguments);
    }

    private static float[] pull(final Table weights)
    {
        final float[] row = new float[2];
        weights.pullAndAwait(KEY, 1, row);

        return row;
    }

    private void assertLacks(final Path logs, final int node) throws Exception
    {
        final Process process = servers.get(servers.size() - 1);
        assertThat(process.waitFor(TIMEOUT_NS, TimeUnit.NANOSECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
        assertThat(Files.readString(logs.resolve(Command.ERRORS)))
            .contains("the job has update functions [signum/1, sketch/1], which node " + node + " lacks");
    }

    private boolean isReady(final Path logs)
    {
        return out(logs).contains("READY");
    }

    private static String out(final Path logs)
    {
        try
        {
            return Files.readString(logs.resolve("stdout"));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private void await(final String what, final Predicate<Path> condition, final Path logs)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.test(logs))
        {
            assertThat(System.nanoTime() - deadlineNs).as("%s: %s", what, out(logs)).isNegative();
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /** Start a server; where its output goes. */
    private Path server(final int node, final boolean hasPlugin) throws IOException
    {
        final Path logs = Files.createDirectory(directory.resolve("logs-" + starts++));
        final List<String> arguments = new ArrayList<>(List.of("server", "--node-id", String.valueOf(node),
            "--endpoint", endpoints[node], "--coordinator", coordinator.endpoints().get(0),
            "--dir", directory.resolve("node-" + node).toString(), "--aeron-dir", aeronDirectory(node).toString()));
        if (hasPlugin)
        {
            arguments.addAll(List.of("--plugins", plugins.toString()));
        }
        servers.add(Command.startWithout(logs, examples, arguments.toArray(String[]::new)));

        return logs;
    }

    private GradstreamClient connect()
    {
        return GradstreamClient.connect(new ClientContext()
            .coordinators(coordinator.endpoints())
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .slot(0));
    }

    /** Compile what the document shows. */
    private void writeJar(final Path jar) throws IOException
    {
        final String document = Files.readString(Path.of("..", "docs", "FUNCTIONS.md"));
        final int begin = document.indexOf("package my;");
        final Path classes = Files.createDirectories(directory.resolve("classes"));
        final Path source = Files.writeString(
            classes.resolve("Signum.java"), document.substring(begin, document.indexOf("```", begin)));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp",
            System.getProperty("java.class.path"), "-d", classes.toString(), source.toString())).isZero();
        try (OutputStream file = Files.newOutputStream(jar);
            JarOutputStream entries = new JarOutputStream(file);
            Stream<Path> types = Files.list(classes.resolve("my")))
        {
            for (final Path type : types.toList())
            {
                entries.putNextEntry(new JarEntry("my/" + type.getFileName()));
                entries.write(Files.readAllBytes(type));
            }
            entries.putNextEntry(new JarEntry("META-INF/services/io.gradstream.function.UpdateFunctionProvider"));
            entries.write("my.Signum\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static int freePort() throws SocketException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }
}
