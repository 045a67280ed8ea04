// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SetConsistencyEncoder;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.SplittableRandom;

/**
 * Sets a job that is bound to another bound and back while it runs, in some seeds. Where workers push parts, a job
 * whose slots may not run apart at all keeps its bound: what its workers see is judged by whole clocks. Where they go
 * through iterations, the one or the other bound is 0.
 */
public final class BoundChanges
{
    private static final int[] OTHERS = {1, 3, 8, Consistency.UNBOUNDED};
    private static final long LEAST_NS = 20_000_000L;
    private static final int SPREAD_NS = 180_000_000;

    private final World world;
    private final SplittableRandom draw;
    private final Consistency first;
    private final Consistency other;
    private Consistency wanted;
    private long nextNs = Long.MAX_VALUE;
    private int count;

    BoundChanges(final World world)
    {
        this.world = world;
        first = world.config().job().consistency();
        wanted = first;
        draw = world.config().isOfIterations() ? world.faults().iterations() : world.faults().bound();
        if (world.config().isOfIterations() ? world.config().iterations().isBoundChanging() :
            null != draw && !first.isSequential() && draw.nextBoolean())
        {
            final boolean isFromZero = first.isSequential() || !world.config().isOfIterations();
            other = new Consistency(ScenarioConfig.SLOTS, isFromZero ? OTHERS[draw.nextInt(OTHERS.length)] : 0);
            nextNs = LEAST_NS + draw.nextInt(SPREAD_NS);
        }
        else
        {
            other = first;
        }
    }

    /**
     * Returns the request to the coordinators that is due now.
     *
     * @param map that they have decided.
     * @return the request, or null if they have decided what is wanted.
     */
    UnsafeBuffer request(final ClusterMap map)
    {
        if (world.events().nowNs() >= nextNs && wanted.equals(map.job().consistency()))
        {
            nextNs = world.events().nowNs() + LEAST_NS + draw.nextInt(SPREAD_NS);
            wanted = wanted.equals(first) ? other : first;
            count++;
        }
        if (wanted.equals(map.job().consistency()))
        {
            return null;
        }
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final SetConsistencyEncoder encoder = new SetConsistencyEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .clusterId(map.clusterId())
            .jobId(ClusterMap.Job.FIRST_ID)
            .slots(wanted.slots())
            .staleness(wanted.staleness());

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    /** How far slots may run apart where a partition has logged a bound: it must be one that was asked for. */
    public Consistency ofLogged(final Consistency logged)
    {
        Violation.check(logged.staleness() == first.staleness() || logged.staleness() == other.staleness(),
            Violation.Kind.STALENESS_EXCEEDED, "a bound that nobody has set: logged, set", logged.staleness(),
            first.staleness());

        return new Consistency(first.slots(), logged.staleness());
    }

    /** Changes that were asked for. */
    int count()
    {
        return count;
    }
}
