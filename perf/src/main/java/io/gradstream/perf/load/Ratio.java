// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.report.Bound;

import java.util.Set;

/**
 * One figure of Gradstream's divided by another from the same run: raw Aeron's, or that without a standby. Some are
 * bounded by a target at some sizes.
 */
@SuppressWarnings("ImmutableEnumChecker") // Bound is a record of primitives, and Set.of is unmodifiable
enum Ratio
{
    PUSH(Measure.PUSH_APPLIED, Measure.RAW_ECHO, "T1", Bound.atMost(1.3), Set.of(Ratio.SMALL)),
    PUSH_SHAPE(Measure.PUSH_APPLIED, Measure.RAW_PUSH, "", null, Set.of()),
    RECORDED(Measure.PUSH_RECORDED, Measure.RAW_ECHO, "", null, Set.of()),
    PULL(Measure.PULL, Measure.RAW_ECHO, "T2", Bound.atMost(1.3), Set.of(Ratio.SMALL)),
    PULL_SHAPE(Measure.PULL, Measure.RAW_PULL, "", null, Set.of()),
    PUSH_GOODPUT(Measure.PUSH_DEPTH_8, Measure.RAW_STREAM, "T3", Bound.atLeast(0.75),
        Set.of(Ratio.MIDDLE, Ratio.LARGE)),
    PULL_GOODPUT(Measure.PULL_DEPTH_8, Measure.RAW_STREAM, "T4", Bound.atLeast(0.75),
        Set.of(Ratio.MIDDLE, Ratio.LARGE)),
    CHAIN(Measure.CHAIN_REPLICATED, Measure.RAW_ECHO_BESIDE_CHAIN, "T14", Bound.atMost(3), Set.of(Ratio.SMALL)),
    CHAIN_GOODPUT(Measure.CHAIN_DEPTH_8, Measure.PUSH_DEPTH_8_BESIDE_CHAIN, "T14", Bound.atLeast(0.5),
        Set.of(Ratio.MIDDLE)),
    CHAIN_GOODPUT_OVER_RAW(Measure.CHAIN_DEPTH_8, Measure.RAW_STREAM, "", null, Set.of());

    /** Size of round trips that targets bound. */
    static final int SMALL = 4 * 1024;
    /** Sizes of goodput that targets bound. */
    static final int MIDDLE = 64 * 1024;
    static final int LARGE = 1024 * 1024;
    /** Target of a push of {@link #SMALL} bytes over IPC, and its bound. */
    static final String SHARED_ID = "T7";
    static final Bound SHARED_BOUND = Bound.atMost(1.5);

    private final Measure ours;
    private final Measure base;
    private final String id;
    private final Bound bound;
    private final Set<Integer> sizes;

    Ratio(final Measure ours, final Measure base, final String id, final Bound bound, final Set<Integer> sizes)
    {
        this.ours = ours;
        this.base = base;
        this.id = id;
        this.bound = bound;
        this.sizes = sizes;
    }

    Measure ours()
    {
        return ours;
    }

    Measure base()
    {
        return base;
    }

    /** Id of the target that bounds the ratio at a size, or empty. */
    String target(final int size, final boolean isSharing)
    {
        return !sizes.contains(size) || isSharing && this != PUSH ? "" : isSharing ? SHARED_ID : id;
    }

    /** The bound of {@link #target(int, boolean)}, if there is one. */
    Bound bound(final boolean isSharing)
    {
        return isSharing ? SHARED_BOUND : bound;
    }
}
