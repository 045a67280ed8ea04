// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.gradstream.launcher.ProcessEndedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Real processes are killed and paused in a seeded order while workers push flat out; afterwards every push is counted
 * and the replicas are compared, and with three coordinators a model that was trained all the while.
 * {@code -Dgradstream.faults=N} strikes N times in each mode, {@code -Dgradstream.seed=N} repeats an order. The load is
 * flat out until a fault is overcome; while copies are made anew it is so in two tests, and in all with
 * {@code -Dgradstream.flat-out=true}. Two tests run in each build, with some of their kinds of faults, and some that
 * are drawn of the others.
 */
@Tag("faults")
@Tag("alone")
class FaultsUnderLoadIT
{
    private static final Set<Fault> OF_ONE_SERVER = EnumSet.of(
        Fault.KILL_PRIMARY, Fault.KILL_STANDBY, Fault.PAUSE_PRIMARY, Fault.PAUSE_PRIMARY_BRIEFLY,
        Fault.PAUSE_PRIMARY_FOR_LONG, Fault.PAUSE_STANDBY);
    private static final Set<Fault> OF_COORDINATORS = EnumSet.of(
        Fault.KILL_LEADER, Fault.KILL_FOLLOWER, Fault.KILL_FOLLOWERS, Fault.PAUSE_LEADER, Fault.PAUSE_FOLLOWER,
        Fault.KILL_LEADER_WITH_PRIMARY);
    private static final Set<Fault> OF_ALL = withoutCoordinators();
    private static final Set<Fault> OF_EVERY_ROLE = everyRole();
    private static final Set<Fault> OF_LONE_SERVERS = EnumSet.of(
        Fault.KILL_PRIMARY, Fault.KILL_ALL, Fault.PAUSE_PRIMARY_BRIEFLY, Fault.PAUSE_ALL, Fault.KILL_WORKER,
        Fault.PAUSE_WORKER_UNTIL_REPLACED);

    private static final String OTHER_JOB = "other";
    private static final int OTHER_PARTITIONS = 3;
    /** Beyond the slots that the coordinators give to workers of units. */
    private static final int OTHER_SLOT = 9;

    @Test
    void shouldLoseAndDoubleNothingWhenOneOfAChainDies() throws IOException
    {
        run(ServiceMode.CHAIN, Draw.of(2, OF_ONE_SERVER.size()), OF_ONE_SERVER, false);
    }

    @Drawn
    @Test
    void shouldLoseAndDoubleNothingWhenAllOfARecordedChainDie() throws IOException
    {
        run(ServiceMode.CHAIN_RECORDED, 10, OF_ALL);
    }

    @Drawn
    @Test
    void shouldComeBackByItselfWhenAServerStoodStillForLong() throws IOException
    {
        run(ServiceMode.CHAIN, 1, EnumSet.of(Fault.PAUSE_PRIMARY_UNTIL_TIMED_OUT), false);
    }

    @Drawn
    @Test
    void shouldComeBackByItselfWhenACoordinatorStoodStillForLong() throws IOException
    {
        run(ServiceMode.CHAIN_OF_THREE_COORDINATORS, 1, EnumSet.of(Fault.PAUSE_FOLLOWER_UNTIL_TIMED_OUT));
    }

    @Drawn
    @Test
    void shouldLoseAndDoubleNothingWhenServersOrTheirMediaDriversDie() throws IOException
    {
        run(ServiceMode.CHAIN_ON_DRIVERS, 3, EnumSet.of(
            Fault.KILL_DRIVER_OF_PRIMARY, Fault.KILL_PRIMARY, Fault.KILL_STANDBY));
    }

    @Drawn
    @Test
    void shouldLoseAndDoubleNothingWhenServersWithoutStandbyDie() throws IOException
    {
        run(ServiceMode.REPLAY, 5, OF_LONE_SERVERS);
    }

    @Drawn
    @Test
    void shouldLoseAndDoubleNothingWhenAServerDiesThatIsReachedOverIpc() throws IOException
    {
        run(ServiceMode.REPLAY_ON_ONE_DRIVER, 3, EnumSet.of(Fault.KILL_PRIMARY, Fault.PAUSE_PRIMARY_BRIEFLY));
    }

    @Drawn
    @Test
    void shouldLoseAndDoubleNothingWhenServersWithoutLogDie() throws IOException
    {
        run(ServiceMode.STATELESS, 4, OF_LONE_SERVERS);
    }

    @Drawn
    @Test
    void shouldLoseAndDoubleNothingWhenChainsWithPatientWorkersDie() throws IOException
    {
        run(ServiceMode.CHAIN_STATELESS, 5, OF_ALL);
    }

    @Drawn
    @Test
    void shouldDoubleNothingWhenServersWithSnapshotsAloneDie() throws IOException
    {
        run(ServiceMode.CHECKPOINT, 3, OF_LONE_SERVERS);
    }

    @Test
    void shouldLoseAndDoubleNothingWhenServersWorkersAndCoordinatorsDie() throws IOException
    {
        run(ServiceMode.CHAIN_OF_FOUR_SERVERS, Draw.of(OF_EVERY_ROLE.size() / 2, OF_EVERY_ROLE.size()), OF_EVERY_ROLE);
    }

    private static void run(final ServiceMode mode, final int defaultCount, final Set<Fault> kinds) throws IOException
    {
        run(mode, defaultCount, kinds, !Boolean.getBoolean("gradstream.flat-out"));
    }

    private static void run(
        final ServiceMode mode, final int defaultCount, final Set<Fault> kinds, final boolean isSlowToHeal)
        throws IOException
    {
        final long seed = Long.getLong("gradstream.seed", System.nanoTime() & 0xffff);
        final int count = Integer.getInteger("gradstream.faults", defaultCount);
        final List<Fault> faults = schedule(kinds, count, new Random(seed));
        System.out.println("mode=" + mode + " seed=" + seed + " faults=" + faults);
        try (FaultCluster cluster = FaultCluster.start(mode))
        {
            try
            {
                strikeAndCheck(cluster, faults, isSlowToHeal, seed);
            }
            catch (final ProcessEndedException ex)
            {
                cluster.printLogs();
                throw new AssertionError(ex.getMessage() + ": " + ex.lastErrors(), ex);
            }
            catch (final IOException | RuntimeException | AssertionError ex)
            {
                cluster.printLogs();
                throw ex;
            }
        }
    }

    private static void strikeAndCheck(
        final FaultCluster cluster, final List<Fault> faults, final boolean isSlowToHeal, final long seed)
        throws IOException
    {
        final CountCheck counts = new CountCheck(cluster);
        final CountCheck others = new CountCheck(cluster);
        final int counted;
        final boolean isTraining = cluster.mode().coordinators() > 1;
        if (isTraining)
        {
            cluster.run("job", "create", OTHER_JOB, "--partitions=" + OTHER_PARTITIONS, "--mode=chain");
        }
        try (Load load = Load.start(cluster, isTraining ? 1 : 2);
            ModelTraining training = isTraining ? ModelTraining.start(load.slots().size(), cluster) : null;
            UnitTraining units = isTraining ? UnitTraining.start(cluster, OTHER_JOB, OTHER_PARTITIONS, seed) : null)
        {
            if (isTraining)
            {
                load.startOther(OTHER_JOB, OTHER_SLOT);
            }
            final FaultRun run = new FaultRun(cluster, load, isSlowToHeal, seed);
            run.strikeAll(faults);
            load.drain();
            if (isTraining)
            {
                check(training.finish(cluster));
                check(units.finish());
            }
            counts.run(load);
            if (isTraining)
            {
                others.run(cluster.clientContext().job(OTHER_JOB), load.others());
                System.out.printf("another job: applied=%d lost=%d doubled=%d%n", others.applied(), others.lost(),
                    others.doubled());
            }
            counted = run.counted();
            System.out.printf("mode=%s seed=%d faults=%d counted=%d applied=%d lost=%d doubled=%d failovers=%d " +
                "spurious=%d restoredMs=%s electionMs=%s%n", cluster.mode(), seed, faults.size(), counted,
                counts.applied(), counts.lost(), counts.doubled(), cluster.failovers(), cluster.spuriousFailovers(),
                run.restoredMs(), run.electionMs());
        }
        assertThat(counts.differences()).as("lost=%d doubled=%d", counts.lost(), counts.doubled()).isEmpty();
        assertThat(others.differences()).as("of another job").isEmpty();
        assertThat(counted).as("faults that happened under load").isEqualTo(faults.size());
        if (cluster.mode().hasStandby())
        {
            cluster.stop();
            assertThat(ReplicaCheck.run(cluster)).isEmpty();
        }
    }

    private static void check(final ModelTraining.Result trained)
    {
        System.out.println(trained);
        assertThat(trained.differing()).as("parameters that differ from the undisturbed model's").isZero();
        assertThat(trained.model().auc()).as("it has learned something").isGreaterThan(0.6);
    }

    private static void check(final UnitTraining.Result trained)
    {
        System.out.println(trained);
        assertThat(trained.doubled()).as("batches that were trained twice").isZero();
        assertThat(trained.missing()).as("batches that count as done and were not trained").isZero();
        assertThat(trained.gone()).as("each worker disappears at least once").isGreaterThanOrEqualTo(2);
        assertThat(trained.leftOut()).as("batches left out").isLessThanOrEqualTo(trained.gone());
        assertThat(trained.model().auc()).as("as good as undisturbed").isCloseTo(
            trained.undisturbed().auc(), within(0.02));
    }

    private static Set<Fault> withoutCoordinators()
    {
        final Set<Fault> faults = EnumSet.complementOf(
            EnumSet.of(Fault.KILL_DRIVER_OF_PRIMARY, Fault.KILL_PRIMARY_UNTIL_REPAIRED, Fault.PAUSE_PRIMARY_FOR_LONG,
                Fault.PAUSE_PRIMARY_UNTIL_TIMED_OUT, Fault.PAUSE_FOLLOWER_UNTIL_TIMED_OUT, Fault.DRAIN_PRIMARY));
        faults.removeAll(OF_COORDINATORS);
        return faults;
    }

    private static Set<Fault> everyRole()
    {
        final Set<Fault> faults = EnumSet.of(
            Fault.KILL_PRIMARY, Fault.KILL_PRIMARY_UNTIL_REPAIRED, Fault.KILL_STANDBY, Fault.PAUSE_PRIMARY,
            Fault.PAUSE_STANDBY, Fault.KILL_WORKER, Fault.PAUSE_WORKER_UNTIL_REPLACED, Fault.DRAIN_PRIMARY);
        faults.addAll(OF_COORDINATORS);
        return faults;
    }

    /** Each kind equally often, in a random order. */
    private static List<Fault> schedule(final Set<Fault> kinds, final int count, final Random random)
    {
        final List<Fault> faults = new ArrayList<>();
        while (faults.size() < count)
        {
            final List<Fault> round = Arrays.asList(kinds.toArray(Fault[]::new));
            Collections.shuffle(round, random);
            faults.addAll(round.subList(0, Math.min(round.size(), count - faults.size())));
        }

        return faults;
    }
}
