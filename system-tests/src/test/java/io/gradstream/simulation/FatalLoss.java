/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.simulation;

import io.gradstream.codecs.Chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A fault that nothing survives: the only copy of a partition is damaged. What was acknowledged may be
 * lost then, but a server has to say so, and nobody may serve less than was acknowledged.
 */
final class FatalLoss
{
    private static final long MOST_AWAY_NS = 60_000_000;

    private final World world;
    private final Cluster cluster;
    private final boolean[] isStruck;
    private final boolean[] isTold;

    FatalLoss(final World world, final Cluster cluster)
    {
        this.world = world;
        this.cluster = cluster;
        isStruck = new boolean[world.shape.partitions()];
        isTold = new boolean[isStruck.length];
    }

    /** Once each millisecond: strikes once in few seeds, when a chain is whole. */
    void strike(final Simulation simulation)
    {
        final Faults faults = world.faults;
        if (isAny() || !faults.strike(FaultClass.FATAL_LOSS, 0.0001))
        {
            return;
        }
        final int partition = (int)faults.draw(FaultClass.FATAL_LOSS, 0, isStruck.length - 1);
        final Chain chain = cluster.coordinator().chain(partition);
        final List<SimulatedNode> members = new ArrayList<>();
        for (final int member : chain.members())
        {
            final SimulatedNode node = cluster.node(member);
            if (!cluster.hasTwo(member) && node.isAlive() && null != node.storage(partition) &&
                node.incarnation() == cluster.coordinator().map().incarnations().get(member))
            {
                members.add(node);
            }
        }
        // of several copies one that was cut off at its damage is opened as if it were whole: see HACKING
        if (members.size() != 1 || chain.wanted() != 1)
        {
            return;
        }
        world.journal.note("simulation", "loses all copies of partition", partition);
        isStruck[partition] = true;
        for (final SimulatedNode node : members)
        {
            simulation.crash(node, faults.draw(FaultClass.FATAL_LOSS, 1_000_000, MOST_AWAY_NS));
            node.storage(partition).file().rotLate(faults);
        }
    }

    boolean isAny()
    {
        boolean isAny = false;
        for (final boolean each : isStruck)
        {
            isAny |= each;
        }

        return isAny;
    }

    boolean isStruck(final int partition)
    {
        return isStruck[partition];
    }

    /** A server says that its copy cannot be used. */
    void onDamage(final int partition)
    {
        isTold[partition] = true;
    }

    /** The only server ends, and says why. */
    void onEnd()
    {
        Arrays.fill(isTold, true);
    }

    /** At the end: whatever has no head was told damaged, and a head has all that was acknowledged. */
    void check()
    {
        for (int partition = 0; partition < isStruck.length; partition++)
        {
            final boolean hasHead = !cluster.coordinator().chain(partition).members().isEmpty();
            if (isStruck[partition] && !hasHead && !isTold[partition])
            {
                throw new Violation(Violation.Kind.LOSS_NOT_TOLD,
                    "partition=" + partition + " has no head, and no server says why");
            }
        }
    }
}
