// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.ByteSize;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The measures taken at each size, in the order of the table. */
public enum Measure
{
    /** Raw Aeron: the whole payload there and back, one at a time. The R of round trips. */
    RAW_ECHO("rawEcho", "raw echo %s, depth 1", Comparison.ROUND_TRIP),
    /** Raw Aeron at the fixed rate: the whole payload there and back. */
    RAW_ECHO_AT_RATE("rawEchoAtRate", "raw echo %s, at rate", Comparison.AT_RATE),
    /** Raw Aeron: the payload there and a short answer back, as bytes travel in a push. */
    RAW_PUSH("rawPush", "raw payload and short answer %s, depth 1", Comparison.ROUND_TRIP),
    /** Raw Aeron: a short question there and the payload back, as bytes travel in a pull. */
    RAW_PULL("rawPull", "raw short question and payload %s, depth 1", Comparison.ROUND_TRIP),
    /** Raw Aeron: one way, as fast as flow control lets. The R of goodput. */
    RAW_STREAM("rawStream", "raw one way %s", Comparison.GOODPUT),
    PUSH_APPLIED("pushApplied", "push %s, depth 1", Comparison.ROUND_TRIP),
    PUSH_AT_RATE("pushAtRate", "push %s, at rate", Comparison.AT_RATE),
    PUSH_DEPTH_8("pushDepth8", "push %s, depth 8", Comparison.GOODPUT),
    PUSH_RECORDED("pushRecorded", "push %s until recorded, depth 1", Comparison.RECORDED),
    PULL("pull", "pull %s, depth 1", Comparison.ROUND_TRIP),
    PULL_AT_RATE("pullAtRate", "pull %s, at rate", Comparison.AT_RATE),
    PULL_DEPTH_8("pullDepth8", "pull %s, depth 8", Comparison.GOODPUT),
    /** Baseline of the chain's round trip, taken while the chain's processes live. */
    RAW_ECHO_BESIDE_CHAIN("rawEchoBesideChain", "beside the chain: raw echo %s, depth 1", Comparison.CHAIN),
    /** Baseline of the chain's goodput, taken while the chain's processes live. */
    PUSH_DEPTH_8_BESIDE_CHAIN("pushDepth8BesideChain", "beside the chain: push %s, depth 8", Comparison.CHAIN),
    CHAIN_REPLICATED("chainReplicated", "chain: push %s until replicated", Comparison.CHAIN),
    CHAIN_AT_RATE("chainAtRate", "chain: push %s until replicated, at rate", Comparison.CHAIN),
    CHAIN_DEPTH_8("chainDepth8", "chain: push %s, depth 8", Comparison.CHAIN);

    /** Outstanding transfers in the measures that keep several. */
    static final int DEPTH = 8;

    private final String id;
    private final String title;
    private final Comparison comparison;

    Measure(final String id, final String title, final Comparison comparison)
    {
        this.id = id;
        this.title = title;
        this.comparison = comparison;
    }

    /** All measures, without those of a chain if there is none. */
    static Set<Measure> all(final boolean isChainMeasured)
    {
        final Set<Measure> all = EnumSet.allOf(Measure.class);
        all.removeIf((measure) -> !isChainMeasured && Comparison.CHAIN == measure.comparison);

        return all;
    }

    /**
     * The measure of an id.
     *
     * @throws IllegalArgumentException if there is none.
     */
    static Measure parse(final String id)
    {
        return Arrays.stream(values()).filter((measure) -> measure.id.equals(id)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("invalid --measures=" + id + ": must be some of " +
                Arrays.stream(values()).map(Measure::id).collect(Collectors.joining(", "))));
    }

    /** The comparison of the measures that take turns with this one. */
    Comparison comparison()
    {
        return comparison;
    }

    /** True if the servers of the chain take the transfers. */
    boolean isChained()
    {
        return this == CHAIN_REPLICATED || this == CHAIN_AT_RATE || this == CHAIN_DEPTH_8;
    }

    /** True if the transfers are pushes to Gradstream, each of which the servers record. */
    boolean isRecorded()
    {
        return switch (this)
        {
            case PUSH_APPLIED, PUSH_AT_RATE, PUSH_DEPTH_8, PUSH_RECORDED, PUSH_DEPTH_8_BESIDE_CHAIN -> true;
            default -> isChained();
        };
    }

    /** True if several transfers are outstanding, or as many as go through: the figure is goodput, not latency. */
    boolean isGoodput()
    {
        return this == RAW_STREAM || this == PUSH_DEPTH_8 || this == PULL_DEPTH_8 || this == CHAIN_DEPTH_8 ||
            this == PUSH_DEPTH_8_BESIDE_CHAIN;
    }

    /** The measure's name as an option's value. */
    String id()
    {
        return id;
    }

    /** Description of the measure. */
    String title(final int size)
    {
        return String.format(Locale.ROOT, title, ByteSize.text(size));
    }

    /** A group of measures whose windows alternate, so that other work of the machine affects all of them. */
    enum Comparison
    {
        /** One transfer at a time. */
        ROUND_TRIP,
        /** Transfers at the fixed rate. */
        AT_RATE,
        /** As many transfers as go through. */
        GOODPUT,
        /** Measures of a chain, and their baselines. */
        CHAIN,
        /** A measure that is taken alone, as another client is connected for it. */
        RECORDED
    }
}
