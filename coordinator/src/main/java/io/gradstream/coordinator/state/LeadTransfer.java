// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.coordinator.SnapshotChainDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainEncoder;

/**
 * The lead of one partition: since when its head has it, and the member that is to take it. It decides how long the
 * lead stays where it is before another member may be named.
 */
final class LeadTransfer
{
    private int transferee = Chain.NONE;
    /**
     * True if the head serves well, and is to hand the lead to the transferee all the same. Without a transferee, true
     * if the last one was named for that and has not got the lead.
     */
    private boolean isHandOver;
    /** When a transferee was named last, or was given up; 0 if none was. */
    private long movedMs;
    /** Since when the head leads; 0 while that was not looked at. */
    private long ledMs;

    /** The member that is to take the lead, or NONE. */
    int transferee()
    {
        return transferee;
    }

    /** True if the head is asked to hand the lead over though it serves well. */
    boolean isHandingOver()
    {
        return Chain.NONE != transferee && isHandOver;
    }

    private boolean hasComeToNothing()
    {
        return Chain.NONE == transferee && isHandOver;
    }

    /** Notice since when the head leads. */
    void onTime(final long nowMs)
    {
        ledMs = 0 == ledMs ? nowMs : ledMs;
    }

    /** True if the lead has stayed where it is, and nobody was to take it, for so long. */
    boolean hasKeptLead(final long forMs, final long nowMs)
    {
        return 0 != ledMs && nowMs - Math.max(ledMs, movedMs) >= forMs;
    }

    /**
     * True if workers that miss the head are heard: the lead has not moved lately, nor was somebody named for them. A
     * hand-over that came to nothing has moved nothing.
     */
    boolean mayTransfer(final long nowMs)
    {
        return hasPassed(
            hasComeToNothing() ? LeadershipTransfers.RENAME_MS : LeadershipTransfers.HYSTERESIS_MS, nowMs);
    }

    /** True if a head that leaves may be asked to hand the lead over. If that came to nothing, it serves a while. */
    boolean mayHandOver(final long nowMs)
    {
        return hasPassed(
            hasComeToNothing() ? LeadershipTransfers.HYSTERESIS_MS : LeadershipTransfers.RENAME_MS, nowMs);
    }

    /** True if a head that leaves has been asked lately, and has not handed the lead over: now it loses the lead. */
    boolean isAskedAgain(final long nowMs)
    {
        return hasComeToNothing() && !hasPassed(2 * LeadershipTransfers.HYSTERESIS_MS, nowMs);
    }

    private boolean hasPassed(final long ms, final long nowMs)
    {
        return 0 == movedMs || nowMs - movedMs >= ms;
    }

    /** True if a transferee has not claimed the lead for so long. */
    boolean isOverdue(final long ms, final long nowMs)
    {
        return Chain.NONE != transferee && nowMs - movedMs >= ms;
    }

    /**
     * A member is to take the lead.
     *
     * @param isOfGoodHead true if the head serves well, and goes on if it does not stop for that member.
     */
    void start(final int member, final boolean isOfGoodHead, final long nowMs)
    {
        transferee = member;
        isHandOver = isOfGoodHead;
        movedMs = nowMs;
    }

    /** The chain is another one: nobody is to take the lead. */
    void end()
    {
        transferee = Chain.NONE;
    }

    /** Another member leads from now on. */
    void onMoved()
    {
        transferee = Chain.NONE;
        isHandOver = false;
        ledMs = 0;
    }

    /** The head serves after all: workers that miss it again must not wait for ten seconds. */
    void dismiss(final long nowMs)
    {
        transferee = Chain.NONE;
        movedMs = nowMs + LeadershipTransfers.RENAME_MS - LeadershipTransfers.HYSTERESIS_MS;
    }

    /**
     * The transferee has not taken the lead.
     *
     * @param isLeaving true if it was to lead because the head leaves.
     */
    void giveUp(final boolean isLeaving, final long nowMs)
    {
        transferee = Chain.NONE;
        isHandOver |= isLeaving;
        movedMs = isHandOver ? nowMs : movedMs;
    }

    /** The new leader's clock may show less than the last one's. */
    void onNewLeader(final long nowMs)
    {
        movedMs = Math.min(movedMs, nowMs);
        ledMs = Math.min(ledMs, nowMs);
    }

    void encode(final SnapshotChainEncoder encoder)
    {
        encoder.transferee(transferee).movedMs(movedMs).isHandOver((short)(isHandOver ? 1 : 0)).ledMs(ledMs);
    }

    void decode(final SnapshotChainDecoder decoder)
    {
        transferee = decoder.transferee();
        movedMs = decoder.movedMs();
        isHandOver = 0 != decoder.isHandOver();
        ledMs = decoder.ledMs();
    }
}
