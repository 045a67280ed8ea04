// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import io.gradstream.codecs.Chain;

/**
 * Decides whether a replica complains of the link to one neighbour in its chain. The coordinators believe a complaint,
 * so the node that complains must not be the one that is deaf: it waits until they have answered it since the link
 * failed. A head that hears neither of two others lets these speak first, who may hear each other.
 */
final class LinkSuspicion
{
    private final ChainTiming timing;
    private boolean isFailing;
    private long failingSinceNs;
    /** Version of the chain under which it complains, or 0 while it does not. */
    private long version;
    private int suspected = Chain.NONE;
    private boolean isAnswered;

    LinkSuspicion(final ChainTiming timing)
    {
        this.timing = timing;
    }

    /** The link fails, or works: then there is nothing to complain of. True if that takes back a complaint. */
    boolean isFailing(final boolean isFailingNow, final long nowNs)
    {
        failingSinceNs = isFailing ? failingSinceNs : nowNs;
        isFailing = isFailingNow;

        return !isFailing && set(0, Chain.NONE, false);
    }

    boolean isFailing()
    {
        return isFailing;
    }

    /**
     * Decide, while the link fails, whether it is time to complain.
     *
     * @param neighbour     at its other end.
     * @param hasAnswer     true if the coordinators have answered lately.
     * @param isAlone       true if this node is a head and hears nobody of several.
     * @param isOtherBehind true if there is another member to promote, if this node cannot be.
     * @param chainVersion  under which it is the neighbour.
     * @param nowNs         now.
     * @return true if what it says has changed.
     */
    boolean judge(
        final int neighbour,
        final boolean hasAnswer,
        final boolean isAlone,
        final boolean isOtherBehind,
        final long chainVersion,
        final long nowNs)
    {
        final long failingForNs = nowNs - failingSinceNs;
        final boolean hasWaited = hasAnswer ?
            !isAlone || failingForNs >= timing.leaseNs() + 2 * timing.heartbeatNs() :
            isOtherBehind && failingForNs >= timing.leaseNs();

        return hasWaited ? set(chainVersion, neighbour, hasAnswer) : set(0, Chain.NONE, false);
    }

    /** The node of which it complains under this version of the chain, or NONE. */
    int suspected(final long chainVersion)
    {
        return version == chainVersion ? suspected : Chain.NONE;
    }

    /** True if the coordinators had answered when the link was judged last. */
    boolean isAnswered()
    {
        return isAnswered;
    }

    private boolean set(final long newVersion, final int newSuspected, final boolean hasAnswer)
    {
        final boolean isNews = version != newVersion || suspected != newSuspected || isAnswered != hasAnswer;
        version = newVersion;
        suspected = newSuspected;
        isAnswered = hasAnswer;

        return isNews;
    }
}
