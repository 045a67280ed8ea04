// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;

/**
 * The reason why a session can never go on.
 *
 * @param kind   of failure.
 * @param detail what was seen and what to do, one line.
 */
public record SessionFailure(Kind kind, String detail)
{
    /** Most parts of a slot that a partition holds. */
    private static final int HELD_PARTS = 2048;

    /** The kinds of failure. */
    public enum Kind
    {
        /** The partition expects pushes that this worker was told are safe and no longer keeps. */
        PUSHES_LOST,
        /** Another process holds the slot. */
        FENCED,
        /** The job was deleted. */
        JOB_DELETED,
        /** Worker and server disagree about the protocol. */
        REJECTED
    }

    static SessionFailure pushesLost(
        final int partition,
        final long epoch,
        final int slot,
        final long lastSequence,
        final long oldestKept,
        final AckLevel ackLevel)
    {
        return new SessionFailure(Kind.PUSHES_LOST,
            "partition=" + partition + " epoch=" + epoch + " expects sequence=" + (lastSequence + 1) +
            " of slot=" + slot + " but the oldest kept is " + oldestKept + ": " + (oldestKept - 1 - lastSequence) +
            " acknowledged pushes are lost there; acknowledge at a higher level than " + ackLevel +
            " or recover in checkpoint mode, which counts and accepts the loss; if this process has just taken the" +
            " slot over in a sequential job, a primary has died with the process before: start it once more");
    }

    /** The failure of a slot that is backed up: pushes of the other process, held by a primary, are gone with both. */
    static SessionFailure partsMissing(
        final int partition, final long epoch, final int slot, final long lastSequence, final long oldestKept)
    {
        return new SessionFailure(Kind.PUSHES_LOST,
            "partition=" + partition + " epoch=" + epoch + " expects sequence=" + (lastSequence + 1) +
            " of slot=" + slot + " but the oldest kept is " + oldestKept + ", and the slot's other process has not" +
            " pushed what is between: it and a primary have died together, or it stands still. If it does not come" +
            " back, end both, and start the slot as neither backedUp nor backup, with initialClock(CLOCK_OF_SLOT):" +
            " such a process alone continues after what is lost");
    }

    static SessionFailure slotHeld(
        final int partition, final int slot, final long lastSent, final Welcome welcome)
    {
        return new SessionFailure(Kind.FENCED,
            "partition=" + partition + " epoch=" + welcome.epoch() + " has lastSequence=" + welcome.lastSequence() +
            " of slot=" + slot + " by incarnation=" + welcome.lastIncarnation() + " but this worker, incarnation=" +
            welcome.incarnation() + ", sent up to " + lastSent + ": another process holds the slot; end one of them");
    }

    static SessionFailure takenOver(final int partition, final long epoch, final int slot, final long incarnation)
    {
        return new SessionFailure(Kind.FENCED,
            "partition=" + partition + " epoch=" + epoch + " knows a newer incarnation of slot=" + slot + " than " +
            incarnation + ": another process took the slot over");
    }

    /** The failure of a worker whose job was deleted while it worked for the job. */
    public static SessionFailure jobDeleted(final int jobId)
    {
        return new SessionFailure(Kind.JOB_DELETED, "the job of this worker, number " + jobId +
            ", was deleted with all that its servers kept of it: end the workers of a job before it is deleted");
    }

    static SessionFailure rejected(final int partition, final long sequence, final Refusal refusal)
    {
        if (Refusal.CLOCK_TOO_LARGE == refusal)
        {
            return new SessionFailure(Kind.REJECTED, "partition=" + partition + " holds no more than sequence=" +
                (sequence - 1) + " until clock(): a slot of a sequential job may push only so much between two" +
                " clocks, and at most " + HELD_PARTS + " parts; push less, call clock() more often, or raise" +
                " gradstream.server.held.bytes or the servers' heap");
        }

        if (Refusal.ROLE_MISMATCH == refusal)
        {
            return new SessionFailure(Kind.REJECTED, "partition=" + partition + " does not take this process for the" +
                " slot's holder with a backup, or for its backup: the slot's holder has other partsPerClock, or a" +
                " process is, or was, alone in the slot. Make both with the same partsPerClock, the holder first, in" +
                " a slot that nobody has held alone; where somebody has, start one that is neither");
        }

        return new SessionFailure(Kind.REJECTED,
            "partition=" + partition + " refused sequence=" + sequence + " with " + refusal +
            ": check that job id, limits and versions of worker and server agree");
    }
}
