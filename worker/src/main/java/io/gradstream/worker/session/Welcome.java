// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * The answer of a primary to a slot that attaches.
 *
 * @param incarnation     of the process whose hello is answered.
 * @param helloId         of the hello that is answered.
 * @param epoch           of the primary.
 * @param lastSequence    of the slot that the primary has.
 * @param lastIncarnation process that sent the part with that sequence.
 * @param heldParts       of the slot, after that sequence.
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
    /** The welcome of a partition that holds nothing. */
    Welcome(
        final long incarnation,
        final long helloId,
        final long epoch,
        final long lastSequence,
        final long lastIncarnation)
    {
        this(incarnation, helloId, epoch, lastSequence, lastIncarnation, HeldParts.NONE);
    }

    /** The welcome of a partition where everything that it has is safe. */
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
     * The parts of a slot that a partition holds until all slots have ended the clock, as it says in a welcome.
     *
     * @param clock        iterations that the slot has finished there.
     * @param sequence     last part that is held, or the last that is applied.
     * @param isSequential true if pushes of the slot are held.
     * @param mayLack      true if an earlier primary may have held more.
     */
    public record HeldParts(long clock, long sequence, boolean isSequential, boolean mayLack)
    {
        /** For a partition that holds nothing, or does not say. */
        public static final HeldParts NONE = new HeldParts(0, 0, false);

        /** The parts held by a primary that has all parts that the slot has sent. */
        public HeldParts(final long clock, final long sequence, final boolean isSequential)
        {
            this(clock, sequence, isSequential, false);
        }
    }

    /**
     * Judges the welcome of a primary for the slot's role: where a session begins, and whether it can go on. It looks
     * at the parts of the slot that the primary has, and at those that the spool keeps.
     */
    static final class Check
    {
        /**
         * Welcomes after which a process of a backed-up slot asks again, where the other process's parts are missing:
         * with the waits of {@link SessionTiming#DEFAULT}, 30 s, in which the other process may stand still.
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

        /**
         * Sequence after which a process begins: where there is a backup, parts that are not safe may be gone with it.
         */
        long begin(final Welcome welcome)
        {
            return identity.role().isSole() ? welcome.lastSequence() : welcome.safe();
        }

        /**
         * Sequence up to which parts need not be sent that were never sent: the other process of the slot has pushed
         * them.
         */
        long needless(final long watermark)
        {
            return identity.role().isSole() ? 0 : watermark;
        }

        SessionFailure takenOver(final long epoch)
        {
            return SessionFailure.takenOver(partition, epoch, identity.slot(), identity.incarnation());
        }

        /** True if the last welcome lacks parts that the other process of the slot may bring. */
        boolean isAwaited()
        {
            return isAwaited;
        }
    }
}
