// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.coordinator.DrainNodeEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.World;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A user who has one node drained in the middle of the run, and lets it have places again later, or once nothing goes
 * wrong any more. What a user says may be lost with a leader, and is said again for a while.
 */
final class Drains
{
    private static final long ONE_IN = 3;
    private static final long REPEAT_NS = 60_000_000;
    private static final long INTERVAL_NS = 20_000_000;

    private final World world;
    private final int node;
    private final long startNs;
    private final long endNs;
    private long saidNs;

    Drains(final World world)
    {
        this.world = world;
        final boolean isWanted = world.config().nodes() > world.config().job().copies() &&
            world.faults().isOn(FaultClass.DRAIN) && 0 == world.faults().draw(FaultClass.DRAIN, 0, ONE_IN - 1);
        node = isWanted ? (int)world.faults().draw(FaultClass.DRAIN, 0, world.config().nodes() - 1) : -1;
        startNs = world.faults().draw(FaultClass.DRAIN, 20_000_000, 300_000_000);
        endNs = startNs + world.faults().draw(FaultClass.DRAIN, 50_000_000, 500_000_000);
    }

    /** The request to the coordinators that is due now, or null. */
    UnsafeBuffer request(final ClusterMap map)
    {
        final long nowNs = world.events().nowNs();
        final boolean isOver = nowNs >= endNs || world.faults().isHealing();
        final boolean isDue = node >= 0 && null != map && null != map.job() && nowNs - saidNs >= INTERVAL_NS &&
            (isOver || nowNs >= startNs && nowNs < startNs + REPEAT_NS);
        if (!isDue)
        {
            return null;
        }
        saidNs = nowNs;
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final DrainNodeEncoder encoder = new DrainNodeEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .clusterId(map.clusterId())
            .nodeId(node)
            .isDraining((short)(isOver ? 0 : 1));

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }
}
