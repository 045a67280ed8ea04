// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import java.util.EnumSet;
import java.util.Set;

/**
 * The measures taken at each size, in the order of the table.
 */
public enum Measure
{
    /** Raw Aeron: the whole payload there and back, one at a time. The R of round trips. */
    RAW_ECHO("rawEcho", "raw echo, depth 1", Contest.ROUND_TRIP),
    /** Raw Aeron at the fixed rate: the whole payload there and back. */
    RAW_ECHO_AT_RATE("rawEchoAtRate", "raw echo, at rate", Contest.AT_RATE),
    /** Raw Aeron: the payload there and a short answer back, as bytes travel in a push. */
    RAW_PUSH("rawPush", "raw payload and short answer, depth 1", Contest.ROUND_TRIP),
    /** Raw Aeron: a short question there and the payload back, as bytes travel in a pull. */
    RAW_PULL("rawPull", "raw short question and payload, depth 1", Contest.ROUND_TRIP),
    /** Raw Aeron: one way, as fast as flow control lets. The R of goodput. */
    RAW_STREAM("rawStream", "raw one way", Contest.GOODPUT),
    PUSH_APPLIED("pushApplied", "push until applied, depth 1", Contest.ROUND_TRIP),
    PUSH_AT_RATE("pushAtRate", "push until applied, at rate", Contest.AT_RATE),
    PUSH_DEPTH_8("pushDepth8", "push until applied, depth 8", Contest.GOODPUT),
    PUSH_RECORDED("pushRecorded", "push until recorded, depth 1", Contest.RECORDED),
    PULL("pull", "pull, depth 1", Contest.ROUND_TRIP),
    PULL_AT_RATE("pullAtRate", "pull, at rate", Contest.AT_RATE),
    PULL_DEPTH_8("pullDepth8", "pull, depth 8", Contest.GOODPUT),
    /** Baseline of the chain's round trip, taken while the chain's processes live. */
    RAW_ECHO_BESIDE_CHAIN("rawEchoBesideChain", "beside the chain: raw echo, depth 1", Contest.CHAIN),
    /** Baseline of the chain's goodput, taken while the chain's processes live. */
    PUSH_DEPTH_8_BESIDE_CHAIN("pushDepth8BesideChain", "beside the chain: push, depth 8", Contest.CHAIN),
    CHAIN_REPLICATED("chainReplicated", "chain: push until replicated, depth 1", Contest.CHAIN),
    CHAIN_AT_RATE("chainAtRate", "chain: push until replicated, at rate", Contest.CHAIN),
    CHAIN_DEPTH_8("chainDepth8", "chain: push until replicated, depth 8", Contest.CHAIN);

    /** Outstanding transfers in the measures that keep several. */
    static final int DEPTH = 8;

    private final String id;
    private final String title;
    private final Contest contest;

    Measure(final String id, final String title, final Contest contest)
    {
        this.id = id;
        this.title = title;
        this.contest = contest;
    }

    /** All measures, without those of a chain if there is none. */
    static Set<Measure> all(final boolean isChainMeasured)
    {
        final Set<Measure> all = EnumSet.allOf(Measure.class);
        all.removeIf((measure) -> !isChainMeasured && Contest.CHAIN == measure.contest);

        return all;
    }

    /** The contest of the measures that take turns with this one. */
    Contest contest()
    {
        return contest;
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

    String id()
    {
        return id;
    }

    String title()
    {
        return title;
    }

    /**
     * A group of measures whose windows alternate, so that other work of the machine affects all of them.
     */
    enum Contest
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
