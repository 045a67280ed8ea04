// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Hosts on this machine: network namespaces with one Ethernet address each, joined by a bridge in a namespace of its
 * own. Nothing of the machine's own network is touched. What is sent to a host may be lost there before anybody sees
 * it, as on a cable: senders are not told. All of it is gone after {@link #close()}, also when the JVM is told to end.
 */
final class Namespaces implements AutoCloseable
{
    /** Where servers listen, each on its host. */
    static final int SERVER_PORT = 20_400;
    /** Where coordinators listen, each on its host: this port and the next ones. */
    static final int COORDINATOR_PORT = 20_500;

    private static final String INTERFACE = "eth0";
    private static final String PORT = "port";
    /** What the switch says when it passes frames on. */
    private static final String READY = "READY";
    /** Of this module, which is where the tests run. */
    private static final String SWITCH = Path.of("delay.py").toAbsolutePath().toString();
    private static final String PREFIX = System.getProperty("gradstream.namespaces", "gradstream");
    private static final long COMMAND_TIMEOUT_MS = 10_000;
    private static final List<String> FRAGMENT_COUNTERS = List.of("FragCreates", "ReasmReqds");

    private final List<String> names = new ArrayList<>();
    private final List<StringBuilder> rules = new ArrayList<>();
    private final String bridge;
    private Process delaying;
    private final Thread atExit = new Thread(this::delete, "namespaces-at-exit");

    private Namespaces(final int hosts)
    {
        final String unique = PREFIX + '-' + ProcessHandle.current().pid() + '-';
        bridge = unique + "bridge";
        for (int host = 0; host < hosts; host++)
        {
            names.add(unique + host);
            rules.add(new StringBuilder());
        }
    }

    /** Why there can be none here; empty if there can. */
    static String obstacle()
    {
        try (Namespaces tried = create(1))
        {
            tried.cut(0, 0);
            tried.loseSome(0, 1);
            tried.lose();
            return "";
        }
        catch (final IllegalStateException ex)
        {
            return ex.getMessage();
        }
    }

    /** Make so many hosts that all reach each other. */
    static Namespaces create(final int hosts)
    {
        final Namespaces made = new Namespaces(hosts);
        Runtime.getRuntime().addShutdownHook(made.atExit);
        try
        {
            run("ip", "netns", "add", made.bridge);
            in(made.bridge, "ip", "link", "add", "br0", "type", "bridge");
            in(made.bridge, "ip", "link", "set", "br0", "up");
            for (int host = 0; host < hosts; host++)
            {
                made.attach(host);
            }
            return made;
        }
        catch (final IllegalStateException ex)
        {
            made.close();
            throw ex;
        }
    }

    String address(final int host)
    {
        return "10.91.0." + (host + 1);
    }

    /** The same port of the first hosts. */
    List<String> endpoints(final int hosts, final int port)
    {
        final List<String> endpoints = new ArrayList<>();
        for (int host = 0; host < hosts; host++)
        {
            endpoints.add(address(host) + ':' + port);
        }

        return endpoints;
    }

    /** Of each host the command that starts a command there. */
    List<List<String>> launchers()
    {
        return names.stream().map((name) -> List.of("ip", "netns", "exec", name)).toList();
    }

    int count()
    {
        return names.size();
    }

    /** From {@link #lose()} on nothing that one host sends to another arrives. */
    void cut(final int from, final int to)
    {
        rule(to, "-s " + address(from));
    }

    /** The same, but what is sent to servers, and what they answer from there, still arrives. */
    void cutFromCoordinators(final int from, final int to)
    {
        rule(to, "-s " + address(from) + " -p udp -m multiport ! --ports " + SERVER_PORT);
    }

    /** From {@link #lose()} on a part of what the host is sent is lost, by chance. */
    void loseSome(final int host, final double probability)
    {
        rule(host, "-i " + INTERFACE + " -m statistic --mode random --probability " + probability);
    }

    /** Let be lost what was named, on all hosts at the same time. */
    void lose()
    {
        IntStream.range(0, count()).parallel().filter((host) -> rules.get(host).length() > 0).forEach((host) ->
            run("*filter\n" + rules.get(host) + "COMMIT\n", inside(names.get(host), "iptables-restore", "--noflush")));
    }

    /** Why nothing can be delayed here; empty if it can. */
    String delayObstacle()
    {
        try
        {
            delay(1);
            endDelay();
            return "";
        }
        catch (final IllegalStateException ex)
        {
            return ex.getMessage();
        }
    }

    /** From now on everything arrives later by so many milliseconds: {@code delay.py} takes the bridge's place. */
    void delay(final int delayMs)
    {
        final List<String> command =
            new ArrayList<>(List.of(inside(bridge, "python3", SWITCH, Integer.toString(delayMs))));
        for (int host = 0; host < count(); host++)
        {
            in(names.get(host), "python3", SWITCH, "checksums", INTERFACE);
            command.add(PORT + host);
        }
        try
        {
            delaying = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            final String line = delaying.inputReader().readLine();
            if (!READY.equals(line))
            {
                throw new IllegalStateException(String.join(" ", command) + ": " + line);
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("cannot start python3: " + ex.getMessage(), ex);
        }
        for (int host = 0; host < count(); host++)
        {
            in(bridge, "ip", "link", "set", PORT + host, "nomaster");
        }
    }

    /** Nothing is delayed any more. */
    void endDelay()
    {
        for (int host = 0; host < count(); host++)
        {
            in(bridge, "ip", "link", "set", PORT + host, "master", "br0");
        }
        delaying.destroyForcibly();
        delaying = null;
    }

    /** Everything that was lost arrives again. */
    void heal()
    {
        rules.forEach((rule) -> rule.setLength(0));
        names.stream().parallel().forEach((name) -> in(name, "iptables", "-F", "INPUT"));
    }

    /** Take the interface of a host down. */
    void down(final int host)
    {
        in(names.get(host), "ip", "link", "set", INTERFACE, "down");
    }

    /** Bring it up again. */
    void up(final int host)
    {
        in(names.get(host), "ip", "link", "set", INTERFACE, "up");
    }

    /** Fragments that the hosts' IP layers have made, or have put together again. */
    long fragments()
    {
        long fragments = 0;
        for (final String name : names)
        {
            final List<String> lines = in(name, "cat", "/proc/net/snmp").lines()
                .filter((line) -> line.startsWith("Ip:")).toList();
            final List<String> fields = Arrays.asList(lines.get(0).split(" "));
            final String[] values = lines.get(1).split(" ");
            for (final String counter : FRAGMENT_COUNTERS)
            {
                fragments += Long.parseLong(values[fields.indexOf(counter)]);
            }
        }

        return fragments;
    }

    @Override
    public void close()
    {
        delete();
        try
        {
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
        catch (final IllegalStateException ignore)
        {
            // the JVM ends already
        }
    }

    private void attach(final int host)
    {
        final String name = names.get(host);
        final String port = PORT + host;
        run("ip", "netns", "add", name);
        in(name, "ip", "link", "set", "lo", "up");
        in(bridge, "ip", "link", "add", port, "type", "veth", "peer", "name", INTERFACE, "netns", name);
        in(bridge, "ip", "link", "set", port, "master", "br0", "up");
        in(name, "ip", "address", "add", address(host) + "/24", "dev", INTERFACE);
        in(name, "ip", "link", "set", INTERFACE, "up");
    }

    private void rule(final int host, final String what)
    {
        rules.get(host).append("-A INPUT ").append(what).append(" -j DROP\n");
    }

    private static String[] inside(final String name, final String... command)
    {
        return Stream.concat(Stream.of("ip", "netns", "exec", name), Stream.of(command)).toArray(String[]::new);
    }

    private static String in(final String name, final String... command)
    {
        return run(inside(name, command));
    }

    private void delete()
    {
        if (null != delaying)
        {
            delaying.destroyForcibly();
        }
        final List<String> all = new ArrayList<>(names);
        all.add(bridge);
        for (final String name : all)
        {
            try
            {
                run("ip", "netns", "delete", name);
            }
            catch (final IllegalStateException ignore)
            {
                // it was not made
            }
        }
    }

    private static String run(final String... command)
    {
        return run("", command);
    }

    private static String run(final String input, final String[] command)
    {
        final String line = String.join(" ", command);
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (Writer writer = process.outputWriter(StandardCharsets.US_ASCII))
            {
                writer.write(input);
            }
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(COMMAND_TIMEOUT_MS, TimeUnit.MILLISECONDS) || 0 != process.exitValue())
            {
                process.destroyForcibly();
                throw new IllegalStateException(line + ": " + output.strip());
            }
            return output;
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(line + ": " + ex.getMessage(), ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(line + ": interrupted", ex);
        }
    }
}
