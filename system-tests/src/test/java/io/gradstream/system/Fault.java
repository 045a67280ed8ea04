// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.util.List;

import io.gradstream.driver.client.HostClock;

/**
 * What the tests do to processes. Each strikes under load, reports when it has struck, and undoes what it did.
 */
enum Fault
{
    /** SIGKILL to the server that is primary of most partitions. */
    KILL_PRIMARY
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            killAndRestart(run, List.of(run.cluster().primary()));
        }
    },

    /** SIGKILL to the primary, which stays away until its replicas have been copied to other servers. */
    KILL_PRIMARY_UNTIL_REPAIRED
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            final FaultCluster cluster = run.cluster();
            final int node = cluster.primary();
            cluster.kill(List.of(node));
            run.onStruck(run.load().outstanding());
            cluster.await("its chains are repaired", REPAIR_TIMEOUT_MS, () -> cluster.isWholeWithout(node));
            cluster.restart(List.of(node));
        }
    },

    /** SIGKILL to the other server that stands by for most partitions. */
    KILL_STANDBY
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            killAndRestart(run, List.of(run.cluster().standby()));
        }
    },

    /** SIGKILL to all servers at once. */
    KILL_ALL
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            killAndRestart(run, run.cluster().all());
        }
    },

    /** SIGSTOP to the primary until its standby has taken over, and longer; then it goes on. */
    PAUSE_PRIMARY
    {
        @Override
        void strike(final FaultRun run)
        {
            final FaultCluster cluster = run.cluster();
            final int node = cluster.primary();
            run.pause(List.of(node), () ->
            {
                if (cluster.mode().hasStandby())
                {
                    cluster.await("the standby takes over", TAKE_OVER_TIMEOUT_MS, () -> cluster.isSucceeded(node));
                }
                cluster.stay(run.random().nextInt(MAX_PAUSE_MS));
            });
        }
    },

    /** SIGSTOP to the primary, about as long as its lease and the suspicion of its standby. */
    PAUSE_PRIMARY_BRIEFLY
    {
        @Override
        void strike(final FaultRun run)
        {
            run.pause(List.of(run.cluster().primary()),
                () -> run.cluster().stay(100 + run.random().nextInt(1_000)));
        }
    },

    /** SIGSTOP to the primary for longer than an Aeron client waits for a silent driver by default; then it goes on. */
    PAUSE_PRIMARY_FOR_LONG
    {
        @Override
        void strike(final FaultRun run)
        {
            run.pause(List.of(run.cluster().primary()), () -> run.cluster().stay(LONG_PAUSE_MS));
        }
    },

    /** SIGSTOP to the primary until its driver and clients have given each other up; it comes back by itself. */
    PAUSE_PRIMARY_UNTIL_TIMED_OUT
    {
        @Override
        void strike(final FaultRun run)
        {
            run.pause(List.of(run.cluster().primary()), () -> run.cluster().stay(TIMED_OUT_MS));
        }
    },

    /** SIGSTOP to a coordinator that follows until its driver and clients have given each other up. */
    PAUSE_FOLLOWER_UNTIL_TIMED_OUT
    {
        @Override
        void strike(final FaultRun run)
        {
            run.pauseCoordinator(follower(run), () -> run.cluster().stay(TIMED_OUT_MS));
        }
    },

    /** SIGSTOP to the standby until long after the primary has gone on alone. */
    PAUSE_STANDBY
    {
        @Override
        void strike(final FaultRun run)
        {
            run.pause(List.of(run.cluster().standby()),
                () -> run.cluster().stay(2_000 + run.random().nextInt(MAX_PAUSE_MS)));
        }
    },

    /** SIGSTOP to all servers. */
    PAUSE_ALL
    {
        @Override
        void strike(final FaultRun run)
        {
            run.pause(run.cluster().all(), () -> run.cluster().stay(500 + run.random().nextInt(MAX_PAUSE_MS)));
        }
    },

    /**
     * SIGKILL to the media driver of the primary: the server ends by itself. Whether its standby takes over before is a
     * race, since each of the two hears nothing of the other and says so to the coordinator.
     */
    KILL_DRIVER_OF_PRIMARY
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            final FaultCluster cluster = run.cluster();
            final int node = cluster.primary();
            cluster.killDriver(node);
            run.onStruck(run.load().outstanding());
            cluster.await("the server without driver ends", END_TIMEOUT_MS, () -> !cluster.isServerAlive(node));
            cluster.restartDriver(node);
            cluster.restart(List.of(node));
        }
    },

    /** All places of the primary move to other servers, of each job; then it may have places again. */
    DRAIN_PRIMARY
    {
        @Override
        void strike(final FaultRun run)
        {
            final FaultCluster cluster = run.cluster();
            final int drained = cluster.primary();
            final String node = "--node-id=" + drained;
            cluster.run("drain", node, "--no-wait");
            run.onStruck(run.load().outstanding());
            cluster.await("it keeps nothing any more", REPAIR_TIMEOUT_MS, () -> cluster.isEmpty(drained));
            cluster.run("drain", node, "--cancel");
        }
    },

    /** SIGKILL to a worker in the middle of its pushes; another process takes its slot over. */
    KILL_WORKER
    {
        @Override
        void strike(final FaultRun run)
        {
            run.onStruck(run.load().host().killWorker());
        }
    },

    /** SIGSTOP to a worker; another process takes its slot over, then the first one goes on and is fenced. */
    PAUSE_WORKER_UNTIL_REPLACED
    {
        @Override
        void strike(final FaultRun run)
        {
            run.onStruck(run.load().host().pauseWorkerUntilReplaced());
        }
    },

    /** SIGKILL to a worker's media driver: the worker ends with a clear error, and is started again. */
    KILL_DRIVER_OF_WORKER
    {
        @Override
        void strike(final FaultRun run)
        {
            run.onStruck(run.load().host().killDriver());
        }
    },

    /** SIGKILL to the coordinator that leads; started again before or after another one is elected. */
    KILL_LEADER
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            final FaultCluster cluster = run.cluster();
            final int leader = cluster.leader();
            final long term = cluster.leadershipTerm();
            final long killedMs = cluster.kill(leader, List.of());
            run.onStruck(run.load().outstanding());
            cluster.stay(run.random().nextInt(MAX_DOWN_MS));
            cluster.restartCoordinator(leader);
            run.awaitElection(term, killedMs);
        }
    },

    /** SIGKILL to a coordinator that does not lead. */
    KILL_FOLLOWER
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            final FaultCluster cluster = run.cluster();
            final int follower = follower(run);
            cluster.kill(follower, List.of());
            run.onStruck(run.load().outstanding());
            cluster.stay(run.random().nextInt(MAX_DOWN_MS));
            cluster.restartCoordinator(follower);
        }
    },

    /** SIGKILL to all coordinators but the one that leads: it cannot lead alone, and gives them what they missed. */
    KILL_FOLLOWERS
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            final FaultCluster cluster = run.cluster();
            final List<Integer> followers = cluster.followers();
            // a lead that is being handed over when most coordinators die waits for them (docs/LIMITATIONS.md)
            cluster.await("no lead is handed over", TAKE_OVER_TIMEOUT_MS, () -> !cluster.isHandingOver());
            cluster.killCoordinators(followers);
            run.onStruck(run.load().outstanding());
            cluster.stay(run.random().nextInt(MAX_DOWN_MS));
            for (final int follower : followers)
            {
                cluster.restartCoordinator(follower);
            }
        }
    },

    /** SIGSTOP to the coordinator that leads until another one is elected, and longer; then it goes on. */
    PAUSE_LEADER
    {
        @Override
        void strike(final FaultRun run)
        {
            final int leader = run.cluster().leader();
            final long term = run.cluster().leadershipTerm();
            run.pauseCoordinator(leader, () ->
            {
                run.awaitElection(term, HostClock.monotonicMs());
                run.cluster().stay(run.random().nextInt(MAX_PAUSE_MS));
            });
        }
    },

    /** SIGSTOP to a coordinator that does not lead, longer and shorter than the leader's silence that it stands. */
    PAUSE_FOLLOWER
    {
        @Override
        void strike(final FaultRun run)
        {
            run.pauseCoordinator(follower(run),
                () -> run.cluster().stay(500 + run.random().nextInt(MAX_PAUSE_MS)));
        }
    },

    /** SIGKILL to the coordinator that leads and to the primary at once; its standby must take over nevertheless. */
    KILL_LEADER_WITH_PRIMARY
    {
        @Override
        void strike(final FaultRun run) throws IOException
        {
            final FaultCluster cluster = run.cluster();
            final int leader = cluster.leader();
            final int primary = cluster.primary();
            final long term = cluster.leadershipTerm();
            final long killedMs = cluster.kill(leader, List.of(primary));
            run.onStruck(run.load().outstanding());
            run.awaitElection(term, killedMs);
            cluster.await("the standby takes over", TAKE_OVER_TIMEOUT_MS, () -> cluster.isSucceeded(primary));
            cluster.stay(run.random().nextInt(MAX_DOWN_MS));
            cluster.restartCoordinator(leader);
            cluster.restart(List.of(primary));
        }
    };

    private static final int MAX_PAUSE_MS = 1_500;
    private static final int LONG_PAUSE_MS = 12_000;
    /** Drivers of the profile dev wait for 30 s. */
    private static final int TIMED_OUT_MS = 38_000;
    private static final int MAX_DOWN_MS = 2_000;
    private static final long TAKE_OVER_TIMEOUT_MS = 30_000;
    private static final long REPAIR_TIMEOUT_MS = 120_000;
    private static final long END_TIMEOUT_MS = 60_000;

    abstract void strike(FaultRun run) throws IOException;

    /** Does its standby, or its primary, surely go on? */
    boolean isBridged()
    {
        return KILL_ALL != this && PAUSE_ALL != this && KILL_DRIVER_OF_PRIMARY != this;
    }

    private static int follower(final FaultRun run)
    {
        final int coordinators = run.cluster().coordinators().size();
        return (run.cluster().leader() + 1 + run.random().nextInt(coordinators - 1)) % coordinators;
    }

    private static void killAndRestart(final FaultRun run, final List<Integer> nodes) throws IOException
    {
        final FaultCluster cluster = run.cluster();
        cluster.kill(nodes);
        run.onStruck(run.load().outstanding());
        // down shorter and longer than it takes to be suspected
        cluster.stay(run.random().nextInt(MAX_DOWN_MS));
        cluster.restart(nodes);
    }
}
