// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

/**
 * Judges by heartbeats whether one neighbour still lives, and whether it hears this node: a deaf node goes on to send
 * heartbeats. Pure: all times are arguments of this node's clock.
 */
public final class NeighbourWatch
{
    /** A neighbour never heard of since it became one has so many suspicion times to connect. */
    public static final int CONNECT_PATIENCE = 25;

    private static final long NEVER = Long.MIN_VALUE;

    private final ChainTiming timing;
    private final long startNs;
    private long neighbourSinceNs;
    private long heardNs = NEVER;
    private long peerSentNs;
    private long incarnation;
    /** From here on the neighbour had time to hear this node. */
    private long speakingSinceNs;
    /** When this node sent the newest heartbeat that the neighbour has heard. */
    private long quotedNs = NEVER;
    /** True if the neighbour has heard a heartbeat of this node since it became a neighbour. */
    private boolean hasQuoted;
    /** The time for which it has not heard this node, as it said last by its own clock. */
    private long peerSilentNs;
    /** True if it was complained of, and the link to it has not worked since. */
    private boolean isFailed;
    private long failedNs;
    /** When the two heard each other last, or this watch began, moved on by the time for which this node was away. */
    private long workedNs;
    private long mapVersion;

    /**
     * Watch a node from now on.
     *
     * @param timing of suspicion.
     * @param nowNs  now.
     */
    public NeighbourWatch(final ChainTiming timing, final long nowNs)
    {
        this.timing = timing;
        startNs = nowNs;
        neighbourSinceNs = nowNs;
        speakingSinceNs = nowNs;
        workedNs = nowNs;
    }

    /**
     * A heartbeat came.
     *
     * @param peer  what it says.
     * @param nowNs now.
     */
    public void onHeartbeat(final PeerHeartbeat peer, final long nowNs)
    {
        if (peer.incarnation() < incarnation)
        {
            return;
        }
        if (peer.incarnation() > incarnation)
        {
            incarnation = peer.incarnation();
            peerSentNs = peer.sentNs();
            mapVersion = peer.mapVersion();
            quotedNs = NEVER;
            hasQuoted = false;
            isFailed = false;
            speakingSinceNs = nowNs;
        }
        peerSentNs = Math.max(peerSentNs, peer.sentNs());
        mapVersion = Math.max(mapVersion, peer.mapVersion());
        heardNs = nowNs;
        peerSilentNs = peer.silentNs();
        workedNs = peerSilentNs < timing.suspicionNs() ? nowNs : workedNs;
        onQuoted(peer.heardNs(), nowNs);
    }

    /** A time from outside this process's life is of an earlier life of this node, whose clock was another one. */
    private void onQuoted(final long peerHeardNs, final long nowNs)
    {
        final boolean isOfThisLife = 0 != peerHeardNs && peerHeardNs - startNs >= 0 && nowNs - peerHeardNs >= 0;
        if (isOfThisLife && (NEVER == quotedNs || peerHeardNs - quotedNs > 0))
        {
            quotedNs = peerHeardNs;
            hasQuoted = true;
            isFailed = isFailed && peerHeardNs - failedNs < 0;
        }
    }

    /** The coordinator was told that the link to it has failed. */
    public void onLinkSuspicion(final long nowNs)
    {
        isFailed = true;
        failedNs = nowNs;
    }

    /**
     * It came into a chain together with this node: if it has been silent it gets time to connect, unless the link to
     * it is known to have failed. Else, of three nodes of which one hears neither of the others properly, those two
     * would be removed and taken again in turn, with a new time to connect each.
     *
     * @param nowNs now.
     */
    public void onNeighbour(final long nowNs)
    {
        if (isFailed)
        {
            return;
        }
        if (NEVER == heardNs || nowNs - heardNs >= timing.suspicionNs())
        {
            neighbourSinceNs = nowNs;
        }
        if (NEVER == quotedNs || nowNs - quotedNs >= timing.suspicionNs() / 2)
        {
            speakingSinceNs = nowNs;
            hasQuoted = false;
        }
    }

    /**
     * This node itself was away (paused, or its core taken): the neighbour's silence in that time says nothing.
     *
     * @param awayNs for how long.
     * @param nowNs  now.
     */
    public void onSelfAway(final long awayNs, final long nowNs)
    {
        // what came in the meantime may have been read already
        workedNs = Math.min(workedNs + awayNs, nowNs);
        if (NEVER == heardNs || heardNs - neighbourSinceNs < 0)
        {
            neighbourSinceNs = nowNs;
        }
        else
        {
            heardNs = nowNs;
        }
        // it cannot have heard what was not sent
        speakingSinceNs = hasQuoted ? speakingSinceNs : nowNs;
        quotedNs = hasQuoted ? nowNs : quotedNs;
    }

    /** Version of the newest map that the neighbour has been told; 0 if none or if it has not been heard. */
    public long mapVersion()
    {
        return mapVersion;
    }

    /** Time by the neighbour's clock at which it sent the newest heartbeat heard; 0 if none was heard. */
    public long peerSentNs()
    {
        return peerSentNs;
    }

    /** True if the neighbour has been silent for the suspicion time, as {@link #isSilent} counts it. */
    public boolean isSuspect(final long nowNs)
    {
        return isSilent(timing.suspicionNs(), nowNs);
    }

    /**
     * True if the neighbour has not been heard for some time. A neighbour that has not been heard since it became one
     * has {@link #CONNECT_PATIENCE} suspicion times instead.
     *
     * @param forNs least time in nanoseconds.
     * @param nowNs now.
     */
    public boolean isSilent(final long forNs, final long nowNs)
    {
        return isHeardSinceMet() ? nowNs - heardNs >= forNs :
            nowNs - neighbourSinceNs >= CONNECT_PATIENCE * timing.suspicionNs();
    }

    /**
     * The time for which the neighbour has not been heard, since it became a neighbour at most.
     *
     * @param nowNs now.
     * @return time.
     */
    public long silentNs(final long nowNs)
    {
        return nowNs - (isHeardSinceMet() ? heardNs : neighbourSinceNs);
    }

    private boolean isHeardSinceMet()
    {
        return NEVER != heardNs && heardNs - neighbourSinceNs >= 0;
    }

    /**
     * True if the neighbour's heartbeats say that it has not heard this node for some time. The time must have passed
     * on both clocks: on the neighbour's, so that network delay does not count, and on this node's, so that heartbeats
     * that this node did not send do not count.
     *
     * @param forNs least time in nanoseconds.
     * @param nowNs now.
     */
    public boolean isDeaf(final long forNs, final long nowNs)
    {
        return peerSilentNs >= forNs && (hasQuoted ? nowNs - quotedNs >= forNs :
            nowNs - speakingSinceNs >= CONNECT_PATIENCE * timing.suspicionNs());
    }

    /**
     * True if the neighbour has been heard lately.
     *
     * @param withinNs how long ago at most.
     * @param nowNs    now.
     */
    public boolean isHeard(final long withinNs, final long nowNs)
    {
        return NEVER != heardNs && nowNs - heardNs < withinNs;
    }

    /** The time for which the two have not heard each other; time for which this node was away does not count. */
    public long brokenNs(final long nowNs)
    {
        return nowNs - workedNs;
    }

    /** Time by this node's clock at which the newest heartbeat was heard. */
    public long heardNs()
    {
        return heardNs;
    }
}
