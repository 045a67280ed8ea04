// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.simulator.coordinator.CoordinatorTally;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Program;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.worker.WorkTally;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/** Runs many seeds on two threads, and says of each that fails what is the least that still makes it fail. */
final class SeedRun
{
    private static final int THREADS = 2;
    private static final long LEAST_FAULTS_NS = 50_000_000;

    /** A seed that failed. */
    record Failure(long seed, Program program, Violation violation)
    {
    }

    private final LongFunction<Program> programOf;
    private final List<Failure> failures = Collections.synchronizedList(new ArrayList<>());
    private final long[] totals = new long[11];
    private CoordinatorTally coordinators = CoordinatorTally.NONE;
    private WorkTally work = WorkTally.NONE;
    private long traceHash;
    private double seedsPerMinute;
    private long exactCopies;
    private int iterations;
    private int seeds;

    /**
     * A run whose seeds have these programs.
     *
     * @param programOf the program of a seed.
     */
    SeedRun(final LongFunction<Program> programOf)
    {
        this.programOf = programOf;
    }

    /** Where the seeds of this build begin: drawn from its commit, so that a red build can be repeated. */
    static long base()
    {
        final Long given = Long.getLong("gradstream.seed");
        return null != given ? given : PartitionFunction.mix(commit().hashCode()) >>> 16;
    }

    /** The commit built from, or what the build says it is. */
    static String commit()
    {
        try
        {
            final Process git = new ProcessBuilder("git", "rev-parse", "HEAD").redirectErrorStream(true).start();
            final String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return 0 == git.waitFor() ? answer : System.getProperty("gradstream.revision", "unknown");
        }
        catch (final IOException ex)
        {
            return System.getProperty("gradstream.revision", "unknown");
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Run these. */
    void run(final List<Long> all)
    {
        final long startNs = System.nanoTime();
        final AtomicInteger next = new AtomicInteger();
        final ExecutorService threads = Executors.newFixedThreadPool(THREADS, (task) ->
        {
            final Thread thread = new Thread(task, "simulation");
            thread.setDaemon(true);
            return thread;
        });
        final List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
        {
            running.add(threads.submit(() ->
            {
                for (int index = next.getAndIncrement(); index < all.size(); index = next.getAndIncrement())
                {
                    take(all.get(index));
                }
            }));
        }
        await(running);
        threads.shutdown();
        seeds += all.size();
        seedsPerMinute = all.size() * 60e9 / Math.max(1, System.nanoTime() - startNs);
    }

    private void take(final long seed)
    {
        final Program program = programOf.apply(seed);
        final Simulation.Result result = Simulation.run(Simulation.Setup.of(seed, program, PlantedFault.NONE));
        synchronized (totals)
        {
            totals[0] += result.events();
            totals[1] += result.crashes();
            totals[2] += result.takeovers();
            totals[3] += result.leaderships();
            totals[4] += result.fenced();
            totals[5] += result.replacedNodes();
            totals[6] += result.startedAgain();
            totals[7] += result.lackingReplaced();
            totals[8] += result.backupsStarted();
            totals[9] += result.leftAlone();
            totals[10] += result.resumed();
            exactCopies += result.exactCopies();
            iterations += Program.ITERATIONS == program ? 1 : 0;
            coordinators = coordinators.plus(result.coordinators());
            work = work.plus(result.work());
            // a sum, so that the order in which threads finish does not matter
            traceHash += PartitionFunction.mix(result.traceHash() ^ seed);
        }
        if (null != result.violation())
        {
            failures.add(new Failure(seed, program, result.violation()));
        }
    }

    private static void await(final List<Future<?>> running)
    {
        for (final Future<?> future : running)
        {
            try
            {
                future.get(1, TimeUnit.HOURS);
            }
            catch (final ExecutionException | InterruptedException | java.util.concurrent.TimeoutException ex)
            {
                throw new IllegalStateException(ex);
            }
        }
    }

    List<Failure> failures()
    {
        return failures;
    }

    long crashes()
    {
        return totals[1];
    }

    long fenced()
    {
        return totals[4];
    }

    /** Processes that were started as backups. */
    long backups()
    {
        return totals[8];
    }

    /** Processes that lacked parts of the process before them, and were started once more. */
    long startedAgain()
    {
        return totals[6];
    }

    /** Runs whose processes all died, and that another run went on with. */
    long resumed()
    {
        return totals[10];
    }

    long replacedNodes()
    {
        return totals[5];
    }

    long takeovers()
    {
        return totals[2];
    }

    long leaderships()
    {
        return totals[3];
    }

    CoordinatorTally coordinators()
    {
        return coordinators;
    }

    /** Counts of the works that processes shared. */
    WorkTally work()
    {
        return work;
    }

    /** One line of what was run. */
    String summary()
    {
        return String.format(Locale.ROOT,
            "simulated seeds=%d events=%d crashes=%d takeovers=%d fenced=%d lackingReplaced=%d startedAgain=%d" +
            " backups=%d leftAlone=%d resumed=%d leaderships=%d replacedNodes=%d iterations=%d" +
            " exactCopies=%d violations=%d seedsPerMinute=%.0f %s %s",
            seeds, totals[0], totals[1], totals[2], totals[4], totals[7], totals[6], totals[8], totals[9], totals[10],
            totals[3], totals[5], iterations, exactCopies, failures.size(), seedsPerMinute, coordinators, work);
    }

    /** Copies of partitions whose rows were found from the work of the iterations alone. */
    long exactCopies()
    {
        return exactCopies;
    }

    int seeds()
    {
        return seeds;
    }

    double seedsPerMinute()
    {
        return seedsPerMinute;
    }

    /** Of all courses together. */
    long traceHash()
    {
        return traceHash;
    }

    /** Says what to do about a seed that failed. */
    static String explain(final Failure failure)
    {
        return "seed=" + failure.seed + " of commit " + commit() + " failed: " + failure.violation.getMessage() + "\n" +
            shrink(failure) + "\nreplay it with: ./mvnw -pl simulator -am test -Dtest=SimulationTest " +
            "-Dsurefire.failIfNoSpecifiedTests=false -Dgradstream.seed=" + failure.seed +
            " -Dgradstream.program=" + failure.program + " -Dgradstream.seeds=1 -Dgradstream.history=true";
    }

    /** Switch off one fault class after the other, and let faults end sooner, as long as it still fails alike. */
    static String shrink(final Failure failure)
    {
        Set<FaultClass> off = EnumSet.noneOf(FaultClass.class);
        for (final FaultClass fault : FaultClass.values())
        {
            final Set<FaultClass> more = EnumSet.copyOf(off);
            more.add(fault);
            off = isAlike(failure, more, Simulation.FAULTS_NS) ? more : off;
        }
        long faultsNs = Simulation.FAULTS_NS;
        while (faultsNs > LEAST_FAULTS_NS && isAlike(failure, off, faultsNs / 2))
        {
            faultsNs /= 2;
        }
        final Simulation.Result least = Simulation.run(
            new Simulation.Setup(failure.seed, failure.program, PlantedFault.NONE, off, faultsNs, false));

        return "the least that fails alike: faults=" + least.faults() + " for " +
            TimeUnit.NANOSECONDS.toMillis(faultsNs) + " ms";
    }

    private static boolean isAlike(final Failure failure, final Set<FaultClass> off, final long faultsNs)
    {
        final Violation violation = Simulation.run(
            new Simulation.Setup(failure.seed, failure.program, PlantedFault.NONE, off, faultsNs, false)).violation();

        return null != violation && violation.kind() == failure.violation.kind();
    }
}
