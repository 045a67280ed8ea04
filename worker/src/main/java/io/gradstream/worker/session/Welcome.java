// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * What a primary says to a slot that attaches.
 *
 * @param incarnation     of the process whose hello is answered.
 * @param helloId         of the hello that is answered.
 * @param epoch           of the primary.
 * @param lastSequence    of the slot that it has.
 * @param lastIncarnation process whose part that is.
 * @param heldParts       of the slot, behind what it has.
 * @param safe            last sequence of the slot that is recorded and replicated.
 */
public record Welcome(
    long incarnation,
    long helloId,
    long epoch,
    long lastSequence,
    long lastIncarnation,
    HeldParts heldParts,
    long safe)
{
    /** Of a partition that holds nothing. */
    Welcome(
        final long incarnation,
        final long helloId,
        final long epoch,
        final long lastSequence,
        final long lastIncarnation)
    {
        this(incarnation, helloId, epoch, lastSequence, lastIncarnation, HeldParts.NONE);
    }

    /** Where all that the partition has is safe. */
    public Welcome(
        final long incarnation,
        final long helloId,
        final long epoch,
        final long lastSequence,
        final long lastIncarnation,
        final HeldParts heldParts)
    {
        this(incarnation, helloId, epoch, lastSequence, lastIncarnation, heldParts, lastSequence);
    }

    /**
     * What a partition holds of a slot until all slots have ended the clock, as it says in a welcome.
     *
     * @param clock        iterations that the slot has finished there.
     * @param sequence     last part that is held, or the last that is applied.
     * @param isSequential whether what the slot pushes is held.
     * @param mayLack      whether an earlier primary may have held more.
     */
    public record HeldParts(long clock, long sequence, boolean isSequential, boolean mayLack)
    {
        /** Of a partition that holds nothing, or does not say. */
        public static final HeldParts NONE = new HeldParts(0, 0, false);

        /** Of a primary that has all that the slot has sent. */
        public HeldParts(final long clock, final long sequence, final boolean isSequential)
        {
            this(clock, sequence, isSequential, false);
        }
    }

    /**
     * What the welcome of a primary means for the slot's role: where a session begins, and whether it can go on, by
     * what the primary has of the slot and what the spool keeps.
     */
    static final class Check
    {
        /**
         * Welcomes after which a process of a backed-up slot asks again, where the other one's parts are missing: with
         * the waits of {@link SessionTiming#DEFAULT}, 30 s, in which the other one may stand still.
         */
        static final int MOST_AWAITED = 300;

        private final int partition;
        private final WorkerIdentity identity;
        private final AckLevel ackLevel;
        private int awaited;
        private boolean isAwaited;

        Check(final int partition, final WorkerIdentity identity, final AckLevel ackLevel)
        {
            this.partition = partition;
            this.identity = identity;
            this.ackLevel = ackLevel;
        }

        /**
         * Judge a welcome that is not the first.
         *
         * @param first sequence of this process.
         * @return why the session cannot go on, or null.
         */
        SessionFailure judge(final Welcome welcome, final Spool spool, final long first)
        {
            final long last = welcome.lastSequence();
            isAwaited = false;
            if (Math.max(last, welcome.heldParts().sequence()) < spool.oldest() - 1)
            {
                // the other process of the slot may be about to push them again
                isAwaited = !identity.role().isSole() && ++awaited <= MOST_AWAITED;
                return isAwaited ? null : missing(welcome, spool);
            }
            awaited = 0;
            final boolean isOfAnother =
                last >= spool.next() || last >= first && welcome.lastIncarnation() != identity.incarnation();

            return identity.role().isSole() && isOfAnother ?
                SessionFailure.slotHeld(partition, identity.slot(), spool.next() - 1, welcome) : null;
        }

        private SessionFailure missing(final Welcome welcome, final Spool spool)
        {
            final long epoch = welcome.epoch();
            final long last = welcome.lastSequence();
            return identity.role().isSole() ?
                SessionFailure.pushesLost(partition, epoch, identity.slot(), last, spool.oldest(), ackLevel) :
                SessionFailure.partsMissing(partition, epoch, identity.slot(), last, spool.oldest());
        }

        /** Sequence behind which a process begins: where there is a backup, what is not safe may be gone with it. */
        long begin(final Welcome welcome)
        {
            return identity.role().isSole() ? welcome.lastSequence() : welcome.safe();
        }

        /** Up to where parts need not be sent that were never sent: the other process of the slot has pushed them. */
        long needless(final long watermark)
        {
            return identity.role().isSole() ? 0 : watermark;
        }

        SessionFailure takenOver(final long epoch)
        {
            return SessionFailure.takenOver(partition, epoch, identity.slot(), identity.incarnation());
        }

        /** Does the last one lack parts that the other process of the slot may bring? */
        boolean isAwaited()
        {
            return isAwaited;
        }
    }
}
