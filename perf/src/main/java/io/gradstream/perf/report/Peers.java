// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.launcher.JsonText;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of other systems at the work of some targets, measured on this machine by the project {@code benchmarks}.
 * A report puts the figure of the best peer beside ours.
 */
public final class Peers
{
    /** Targets that bound not only the ratio to raw Aeron, but also that of our figure to the best peer's. */
    private static final Map<String, Bound> BOUNDS = Map.of("T1", Bound.atMost(1), "T3", Bound.atLeast(1.2));

    private static final Peer NONE = new Peer("", Double.NaN);
    private static final JsonText JSON = new JsonText(3);

    private static final String PEERS = "peers";
    private static final String MEASURED = "measured";
    private static final String PUSH = "push";

    private final Map<String, List<Peer>> peers = new HashMap<>();

    /**
     * The measured results in a file. Quoted figures and skipped peers are left out.
     *
     * @param file    whose last line is the JSON object of {@code benchmarks}.
     * @param machine of this run.
     * @param profile of this run, such as "dev".
     * @throws IllegalArgumentException if the file is no such file, or was measured under other conditions.
     */
    public static Peers read(final Path file, final Machine machine, final String profile)
    {
        final Results results = read(file);
        check(file, "machine", results.machine, machine.name());
        check(file, "JDK", results.jdk, machine.jdk());
        check(file, "profile", results.profile, profile);
        final Peers peers = new Peers();
        results.results.stream().filter((result) -> MEASURED.equals(result.origin)).forEach((result) ->
        {
            final Work work = new Work(PUSH.equals(result.measure), result.size, result.depth);
            peers.add(work.latency(), result.peer, result.p50Us.median);
            peers.add(work.goodput(), result.peer, result.megabytesPerSecond.median);
        });

        return peers;
    }

    /**
     * Add the result of a peer.
     *
     * @param measure of {@link Work#latency()} or {@link Work#goodput()}.
     * @param name    of the peer.
     * @param median  of its windows, in the measure's unit.
     */
    public void add(final String measure, final String name, final double median)
    {
        peers.computeIfAbsent(measure, (unused) -> new ArrayList<>()).add(new Peer(name, median));
    }

    /** The highest figure of a measure of goodput; NaN if there is none. */
    public double most(final String measure)
    {
        return best(measure, false).median;
    }

    /**
     * Add the best peer's figure to each line whose work peers did. If the target bounds our ratio to it, a line with
     * this ratio follows.
     */
    public List<TargetLine> join(final List<TargetLine> lines)
    {
        final List<TargetLine> joined = new ArrayList<>();
        for (final TargetLine line : lines)
        {
            final Bound bound = BOUNDS.get(line.id());
            final Peer best = best(line.measure(), line.bound().isUpper());
            if (!Double.isNaN(best.median))
            {
                joined.add(line.withPeer(best.median, "best peer: " + best.name));
                if (null != bound)
                {
                    joined.add(new TargetLine(line.id(), line.measure() + ", beside " + best.name, line.unit(),
                        line.ours(), best.median, best.median, bound, "", CpuCost.NONE, line.machine()));
                }
            }
            else
            {
                joined.add(null == bound ? line : line.withPeer(Double.NaN, "no peer was measured"));
            }
        }

        return joined;
    }

    private Peer best(final String measure, final boolean isLess)
    {
        Peer best = NONE;
        for (final Peer peer : peers.getOrDefault(measure, List.of()))
        {
            final boolean isBetter = isLess ? peer.median < best.median : peer.median > best.median;
            best = isBetter || Double.isNaN(best.median) ? peer : best;
        }

        return best;
    }

    private static Results read(final Path file)
    {
        try
        {
            final List<String> lines = Files.readAllLines(file);
            final Results results = JSON.read(lines.isEmpty() ? "" : lines.get(lines.size() - 1), Results.class);
            if (PEERS.equals(results.measurement) && null != results.results)
            {
                return results;
            }
            throw new IllegalArgumentException("measurement=" + results.measurement);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new IllegalArgumentException("invalid --peers=" + file +
                ": its last line must be the JSON object of benchmarks/ (" + ex.getMessage() + ")", ex);
        }
    }

    private static void check(final Path file, final String what, final String theirs, final String ours)
    {
        if (!ours.equals(theirs))
        {
            throw new IllegalArgumentException("invalid --peers=" + file + ": was measured with the " + what + " '" +
                theirs + "', and this run has '" + ours + "': measure the peers again");
        }
    }

    private record Peer(String name, double median)
    {
    }

    private record Results(String measurement, String profile, String machine, String jdk, List<Result> results)
    {
    }

    private record Result(
        String peer, String measure, int size, int depth, String origin, Figure p50Us, Figure megabytesPerSecond)
    {
    }

    private record Figure(Double median)
    {
    }
}
