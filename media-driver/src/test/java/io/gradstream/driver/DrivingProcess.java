// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs a driver, perhaps in a PID namespace of its own, until it is killed.
 */
final class DrivingProcess implements AutoCloseable
{
    private static final long EXIT_TIMEOUT_S = 10;

    private final Process process;
    private final Path aeronDirectory;

    private DrivingProcess(final Process process, final Path aeronDirectory)
    {
        this.process = process;
        this.aeronDirectory = aeronDirectory;
    }

    /**
     * Child: run a driver, print its directory, and wait for ever.
     *
     * @param args Aeron directory or "-", archive directory or "-".
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final HostDriver host = HostDriver.launch(new HostDriver.Context()
            .aeronDirectory(named(args[0]))
            .archiveDirectory(named(args[1]))
            .minFreeBytes(0));
        System.out.println(host.aeronDirectoryName());
        Thread.currentThread().join();
    }

    private static Path named(final String name)
    {
        return "-".equals(name) ? null : Path.of(name);
    }

    /** Parent: start one beside this process. */
    static DrivingProcess start(final Path aeronDirectory, final Path archiveDirectory) throws IOException
    {
        return start(List.of(), aeronDirectory, archiveDirectory);
    }

    /** Parent: start one where process ids are others; its own is that of no process here. */
    static DrivingProcess startElsewhere(final Path aeronDirectory) throws IOException
    {
        long pid = 30_000;
        while (ProcessHandle.of(pid).isPresent())
        {
            pid--;
        }

        return start(inOtherNamespace("echo " + (pid - 1) + " > /proc/sys/kernel/ns_last_pid; \"$@\" & wait"),
            aeronDirectory, null);
    }

    /** Why there are no PID namespaces here; empty if there are. */
    static String obstacle() throws InterruptedException
    {
        try
        {
            final Process tried = new ProcessBuilder(inOtherNamespace("echo 300 > /proc/sys/kernel/ns_last_pid"))
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return 0 == tried.waitFor() ? "" : "SKIPPED: no PID namespaces here; they need root";
        }
        catch (final IOException ex)
        {
            return "SKIPPED: no PID namespaces here; they need unshare of util-linux";
        }
    }

    private static List<String> inOtherNamespace(final String script)
    {
        return List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-ec", script, "sh");
    }

    private static DrivingProcess start(
        final List<String> launcher, final Path aeronDirectory, final Path archiveDirectory) throws IOException
    {
        final List<String> command = new ArrayList<>(launcher);
        command.addAll(command(aeronDirectory, archiveDirectory));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        final String line = reader.readLine();
        if (null == line)
        {
            throw new IllegalStateException("the child has ended");
        }

        return new DrivingProcess(process, Path.of(line));
    }

    /** What starts one. */
    static List<String> command(final Path aeronDirectory, final Path archiveDirectory)
    {
        return List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
            "-Xmx128m",
            "-cp", System.getProperty("java.class.path"),
            DrivingProcess.class.getName(),
            null == aeronDirectory ? "-" : aeronDirectory.toString(),
            null == archiveDirectory ? "-" : archiveDirectory.toString());
    }

    Path aeronDirectory()
    {
        return aeronDirectory;
    }

    /** Kill it as by {@code kill -9}, and wait until it is gone. */
    void kill()
    {
        final List<ProcessHandle> descendants = process.descendants().toList();
        descendants.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().orTimeout(EXIT_TIMEOUT_S, TimeUnit.SECONDS).join();
        descendants.forEach((descendant) -> descendant.onExit().orTimeout(EXIT_TIMEOUT_S, TimeUnit.SECONDS).join());
    }

    @Override
    public void close()
    {
        kill();
    }
}
