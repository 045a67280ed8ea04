// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.check.ResumeTrial;
import io.gradstream.simulator.faults.FatalLoss;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.world.Resumed;
import io.gradstream.simulator.world.World;

import java.util.SplittableRandom;

/**
 * The end of a run all of whose processes die for good after some iteration: another run goes on with what is on the
 * disks.
 */
final class EarlyEnd
{
    /** The processes die now, though the iteration has not ended. */
    private static final long LATEST_DEATH_NS = 1_500_000_000;
    private static final long MOST_TO_DEATH_NS = 30_000_000;

    private final World world;
    private final Cluster cluster;
    private final Checker checker;
    private final Convergence convergence;

    EarlyEnd(final World world, final Cluster cluster, final Checker checker, final Convergence convergence)
    {
        this.world = world;
        this.cluster = cluster;
        this.checker = checker;
        this.convergence = convergence;
    }

    /** Returns where the next run begins; null if the run cannot be resumed. */
    Resumed run(final FatalLoss fatalLoss)
    {
        try (ResumeTrial trial = new ResumeTrial(world, cluster, checker))
        {
            final SplittableRandom random = world.faults().iterations();
            final int last = 1 + random.nextInt(world.config().iterations().count() - 1);
            runUntilEnded(random.nextInt(last));
            trial.beforeDeath();
            runUntilEnded(last);
            world.events().runUntil(world.events().nowNs() + random.nextLong(MOST_TO_DEATH_NS));
            if (fatalLoss.isAny())
            {
                return null;
            }
            cluster.nodes().stream().filter(SimulatedNode::isAlive).forEach(SimulatedNode::crash);

            return trial.run(cluster.histories().isDoubted());
        }
    }

    /** Until a primary has so many iterations of each slot. */
    private void runUntilEnded(final int iterations)
    {
        while (world.events().nowNs() < LATEST_DEATH_NS && convergence.ended() < iterations)
        {
            world.events().runNext();
        }
    }
}
