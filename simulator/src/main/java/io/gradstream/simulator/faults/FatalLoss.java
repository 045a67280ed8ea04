// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.faults;

import io.gradstream.codecs.Chain;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A fault that nothing survives: every copy of a partition is damaged, or its directory is found empty. What was
 * acknowledged may be lost then, but a server has to say so, and nobody may serve less than was acknowledged.
 */
public final class FatalLoss
{
    private static final long MOST_AWAY_NS = 60_000_000;

    private final World world;
    private final Cluster cluster;
    private final Checker checker;
    private final boolean[] isStruck;
    private final boolean[] isTold;
    /** By partition: whose copy is damaged only when the others have been found damaged, and it leads; or null. */
    private final SimulatedNode[] last;

    FatalLoss(final World world, final Cluster cluster, final Checker checker)
    {
        this.world = world;
        this.cluster = cluster;
        this.checker = checker;
        isStruck = new boolean[world.config().partitions()];
        isTold = new boolean[isStruck.length];
        last = new SimulatedNode[isStruck.length];
    }

    /** Once each millisecond: strikes once in few seeds, when a chain is whole. */
    void strike(final Operator operator)
    {
        final Faults faults = world.faults();
        strikeLast(operator);
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
            if (!cluster.hasTwo(member) && node.isAlive() && isRecorded(node) &&
                node.incarnation() == cluster.coordinator().map().incarnations().get(member))
            {
                members.add(node);
            }
        }
        if (members.size() != chain.wanted() || !cluster.coordinator().checks().isConfirmed(partition))
        {
            return;
        }
        world.journal().note("simulation", "loses all copies of partition", partition);
        isStruck[partition] = true;
        final boolean isOneLater = members.size() > 1 && 0 == faults.draw(FaultClass.FATAL_LOSS, 0, 1);
        last[partition] = isOneLater ? members.get(members.size() - 1) : null;
        members.forEach((node) -> lose(node, partition, operator));
    }

    /** The worst moment: the others have cut off what they found damaged. */
    private void strikeLast(final Operator operator)
    {
        for (int partition = 0; partition < last.length; partition++)
        {
            final SimulatedNode node = last[partition];
            final Chain chain = cluster.coordinator().chain(partition);
            if (null != node && node.isAlive() && isTold[partition] && chain.head() == node.id() &&
                Chain.NONE != chain.joiner() && isRecorded(node))
            {
                last[partition] = null;
                lose(node, partition, operator);
            }
        }
    }

    /**
     * True if all that was told replicated is on its disk. Else the death of all alone would lose that, and silently.
     */
    private boolean isRecorded(final SimulatedNode node)
    {
        boolean isRecorded = true;
        for (int partition = 0; partition < isStruck.length; partition++)
        {
            isRecorded &= !cluster.coordinator().chain(partition).members().contains(node.id()) ||
                null != node.storage(partition) && checker.isRecorded(node, partition);
        }

        return isRecorded;
    }

    private void lose(final SimulatedNode node, final int partition, final Operator operator)
    {
        final Faults faults = world.faults();
        operator.crash(node, faults.draw(FaultClass.FATAL_LOSS, 1_000_000, MOST_AWAY_NS));
        if (last[partition] == node)
        {
            return;
        }
        if (0 == faults.draw(FaultClass.FATAL_LOSS, 0, 2))
        {
            world.journal().note("node-" + node.id(), "finds its directory empty");
            node.storage(partition).empty();
        }
        else
        {
            node.storage(partition).file().rotLate(faults);
        }
    }

    public boolean isAny()
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
    public void onEnd()
    {
        Arrays.fill(isTold, true);
    }

    /** At the end: whatever has no head was told damaged, and a head has all that was acknowledged. */
    public void check()
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
