// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;

/**
 * One slot at one partition: which pushes it has made, which of them are sent, and which are safe.
 * <p>
 * Pure: messages in, messages out through {@link Outbound}, time as an argument. The server takes each sequence once,
 * so after any doubt the session says hello and sends again from the server's last sequence + 1.
 */
public final class PartitionSession
{
    /** Most messages of one call to {@link #send}. */
    public static final int SEND_LIMIT = 64;

    /** The states of a session. */
    public enum State
    {
        /** The partition does not know this worker; hello is sent when there is a link and it is time. */
        DETACHED,
        /** Hello is sent, and the answer awaited. */
        HELLO_SENT,
        /** The partition takes pushes. */
        ATTACHED,
        /** {@link #failure()} says why nothing is sent any longer. */
        HALTED
    }

    private final int partition;
    private final AckLevel ackLevel;
    private final Spool spool;
    private final Tickets tickets;
    private final SessionTiming timing;
    private final SessionMessages messages;
    private final OutageWatch outage;
    private final Watermarks watermarks = new Watermarks();
    private final PushCounts pushCounts = new PushCounts();
    private final SessionRetry retry;
    private final HelloNumber hello;
    private final Welcome.Check check;

    private State state = State.DETACHED;
    private SessionFailure failure;
    private boolean isLinkUp;
    private long epoch = -1;
    // messages of an older epoch than the coordinator has granted do not count
    private long grantedEpoch = -1;
    // the first sequence of this process; parts from there on that another one sent are a disaster
    private long first;
    private Welcome.HeldParts heldBefore = Welcome.HeldParts.NONE;
    private long incarnationBefore;
    private boolean isSequential;
    /** Last part applied, as the last message with watermarks said: less than is known if the message was late. */
    private long toldApplied;
    // spool.oldest() <= cursor <= spool.next(); messages below the cursor were sent to the current primary
    private long cursor = 1;
    private long sendEnd = Long.MAX_VALUE;
    private long progressNs;
    private long held;
    private long toldNs;
    private long lastClock;
    // true if a refused message was released, and no message sent since tells that its outcome is known
    private boolean isRefusalReleased;
    private long fencedBy;

    /**
     * A session that has never been attached.
     *
     * @param spool that keeps the pushes, empty.
     */
    public PartitionSession(
        final int partition,
        final WorkerIdentity identity,
        final AckLevel ackLevel,
        final Spool spool,
        final Tickets tickets,
        final SessionTiming timing,
        final OutageListener outageListener)
    {
        this.partition = partition;
        this.ackLevel = ackLevel;
        this.spool = spool;
        this.tickets = tickets;
        this.timing = timing;
        messages = new SessionMessages(partition, identity, ackLevel);
        hello = new HelloNumber(identity);
        check = new Welcome.Check(partition, identity, ackLevel);
        retry = new SessionRetry(timing);
        outage = new OutageWatch(partition, outageListener);
    }

    /**
     * Claim room for a {@code Push} or {@code ClockDone} with its header; epoch, incarnation and how far parts are
     * acknowledged are filled in when it is sent.
     *
     * @return offset in the spool's buffer, or {@link Spool#NOT_NOW} if the spool is full or the partition has not
     * said yet which sequence is next.
     */
    public int claim(final int length)
    {
        return canPush() ? spool.claim(length) : Spool.NOT_NOW;
    }

    /**
     * Keep the claimed message until it is safe, and send it.
     *
     * @param isPush false for {@code ClockDone}.
     */
    public long commit(final long ticket, final boolean isPush)
    {
        tickets.addPart(ticket);
        final long sequence = spool.commit(ticket);
        if (isPush)
        {
            pushCounts.add(sequence);
        }
        else
        {
            lastClock = sequence;
        }

        return sequence;
    }

    /** True if pushes may be claimed: the session was attached before, and is not halted. */
    public boolean canPush()
    {
        return epoch >= 0 && State.HALTED != state;
    }

    public void onLinkUp()
    {
        isLinkUp = true;
        retry.helloNow();
    }

    public void onLinkDown(final long nowNs)
    {
        isLinkUp = false;
        retry.helloNow();
        detach(nowNs);
    }

    /**
     * The coordinator has granted an epoch: messages of the primary of an older epoch no longer count. An epoch newer
     * than the granted one is right, too, since the grant may come later than the welcome.
     */
    public void onEpochGranted(final long granted, final long nowNs)
    {
        if (granted > grantedEpoch)
        {
            grantedEpoch = granted;
            if (granted > epoch)
            {
                retry.helloNow();
                detach(nowNs);
            }
        }
    }

    /** Send the messages that are due: hello, or pushes from the cursor on, at most {@link #SEND_LIMIT}. */
    public int send(final Outbound outbound, final long nowNs)
    {
        return switch (state)
        {
            case DETACHED -> sendHello(outbound, nowNs);
            case HELLO_SENT ->
            {
                if (retry.isHelloLost(nowNs))
                {
                    retry.helloNow();
                    state = State.DETACHED;
                }
                yield 0;
            }
            case ATTACHED -> sendAttached(outbound, nowNs);
            case HALTED -> 0;
        };
    }

    /**
     * The partition attached this slot.
     *
     * @param welcome of its primary; it is ignored if it answers another hello than the last.
     * @return true if the session is attached now, so that pulls may be asked again.
     */
    public boolean onWelcome(final Welcome welcome, final long nowNs)
    {
        final long newEpoch = welcome.epoch();
        final long lastSequence = welcome.lastSequence();
        if (State.HALTED == state || State.ATTACHED == state || newEpoch < epoch || newEpoch < grantedEpoch ||
            !hello.isAnsweredBy(welcome.incarnation(), welcome.helloId()))
        {
            return false;
        }
        final boolean isFirst = epoch < 0;
        if (isFirst)
        {
            beginBehind(check.begin(welcome));
        }
        else if (!isPossible(welcome, nowNs))
        {
            return false;
        }
        if (spool.next() == first)
        {
            heldBefore = welcome.heldParts();
            incarnationBefore = welcome.lastIncarnation();
        }
        isSequential = welcome.heldParts().isSequential();
        if (!isFirst && newEpoch > epoch)
        {
            spool.forgetRefusals();
            watermarks.startAt(acknowledgedThrough());
            outage.onNewPrimary(newEpoch, (int)(spool.next() - spool.oldest()),
                Math.min(lastSequence + 1, spool.next() - 1), nowNs);
        }
        outage.onAttached();
        epoch = newEpoch;
        cursor = Math.max(lastSequence + 1, spool.oldest());
        held = acknowledgedThrough();
        retry.onAttached();
        progressNs = nowNs;
        toldNs = nowNs;
        state = State.ATTACHED;

        return true;
    }

    private void beginBehind(final long sequence)
    {
        first = sequence + 1;
        spool.startAt(first);
        watermarks.startAt(sequence);
    }

    /**
     * The parts that the partition held of the slot's process before, by its last welcome before this process pushed
     * anything.
     */
    public Welcome.HeldParts heldBefore()
    {
        return heldBefore;
    }

    /** The process that had pushed the slot's last part to the partition by then, 0 if none. */
    public long incarnationBefore()
    {
        return incarnationBefore;
    }

    /** True if the partition holds this slot's pushes until all slots have ended the clock, as it has said last. */
    public boolean isSequential()
    {
        return isSequential;
    }

    /**
     * Go on after the pushes of the process before in the clock that it was at, all of which the partition holds: other
     * partitions have applied that clock. Only before anything is pushed.
     *
     * @return last sequence of that process, for the clock that ends its pushes.
     */
    public long adopt()
    {
        beginBehind(heldBefore.sequence());
        cursor = first;

        return first - 1;
    }

    /** Sequences up to this one are another process's: that of the process before, or of the other one of the slot. */
    public long othersThrough()
    {
        return first - 1;
    }

    /** Go on with another sequence: those in between are the other process's. Only while nothing is kept. */
    public void skipTo(final long sequence)
    {
        first = sequence;
        spool.startAt(sequence);
        cursor = sequence;
    }

    /** Send no message from a sequence on until this is called again; {@link Long#MAX_VALUE}: send all. */
    public void sendBefore(final long sequence)
    {
        sendEnd = sequence;
    }

    /**
     * The partition has taken every part up to this sequence: applied it, or holds it until all slots have ended the
     * clock.
     */
    public long takenThrough()
    {
        return Math.max(State.ATTACHED == state ? held : 0, watermarks.of(AckLevel.APPLIED));
    }

    /**
     * The partition said how far the slot's pushes have come.
     *
     * @param messageEpoch of the primary that says so; messages of another epoch than the current are ignored.
     */
    public void onWatermarks(
        final long messageEpoch,
        final long applied,
        final long replicated,
        final long recorded,
        final long snapshotted,
        final long nowNs)
    {
        if (messageEpoch == epoch && epoch >= grantedEpoch && State.HALTED != state)
        {
            toldNs = nowNs;
            toldApplied = applied;
            if (applied > watermarks.of(AckLevel.APPLIED))
            {
                progressNs = nowNs;
            }
            watermarks.advance(applied, replicated, recorded, snapshotted);
            if (AckLevel.SNAPSHOTTED == ackLevel)
            {
                outage.onReplicated(watermarks.of(AckLevel.REPLICATED), epoch, nowNs);
            }
            releaseTo(watermarks.of(ackLevel), nowNs);
        }
    }

    /**
     * The partition has taken the slot's pushes up to a sequence, and holds those that are not applied until other
     * slots have finished the clock too: they need not be sent again. 0 where no slot waits for others. Comes after
     * {@link #onWatermarks} of the same message.
     *
     * @param messageEpoch of the primary that says so; messages of another epoch than the current are ignored.
     */
    public void onHeld(final long messageEpoch, final long sequence, final long nowNs)
    {
        if (messageEpoch == epoch && State.ATTACHED == state)
        {
            // only a slot of a sequential job is told so, and always once a push of it is taken; a late message, of an
            // image that has died, is older than that
            final boolean isLate = toldApplied < watermarks.of(AckLevel.APPLIED);
            isSequential = sequence > 0 || isSequential && (isLate || 0 == toldApplied);
            if (sequence >= cursor - 1 || sequence > held)
            {
                progressNs = nowNs;
                held = sequence;
            }
        }
    }

    /**
     * True if nothing goes on here before this slot ends its clock: the partition holds everything that the slot has
     * pushed since its last clock.
     */
    public boolean awaitsOwnClock()
    {
        return State.ATTACHED == state && held == spool.next() - 1 && held > watermarks.of(AckLevel.APPLIED) &&
            lastClock < spool.oldest();
    }

    /**
     * A push was refused for its content and has consumed its sequence. Its ticket is told so when a watermark passes
     * the sequence at this session's level, and only by a primary of the same epoch.
     *
     * @param messageEpoch of the primary that says so; messages of another epoch than the current are ignored.
     */
    public void onContentRefused(final long messageEpoch, final long sequence, final int code)
    {
        if (messageEpoch == epoch && sequence >= spool.oldest() && sequence < spool.next())
        {
            spool.refuse(sequence, code);
        }
    }

    /**
     * A hello or push was refused and consumed nothing.
     *
     * @param refused message and reason; it is ignored if it belongs to another hello than the last.
     */
    public void onRefused(final PartRefused refused, final long nowNs)
    {
        if (State.HALTED == state || !hello.isAnsweredBy(refused.incarnation(), refused.helloId()))
        {
            return;
        }
        switch (refused.refusal())
        {
            case NOT_PRIMARY, NOT_CONNECTED -> helloLater(nowNs);
            case SEQUENCE_GAP -> onGap(refused.epoch(), refused.expected(), nowNs);
            case FENCED -> onFenced(refused, nowNs);
            case BUSY, NO_SUCH_TABLE -> onBusy(refused.sequence(), nowNs);
            case KEYS_UNKNOWN -> onKeysUnknown(refused.sequence(), nowNs);
            default -> halt(SessionFailure.rejected(partition, refused.sequence(), refused.refusal()));
        }
    }

    /** A server that is no longer primary refused a request without a sequence: say hello to the next primary. */
    public void onNotPrimary(final long nowNs)
    {
        if (State.ATTACHED == state)
        {
            helloLater(nowNs);
        }
    }

    private void halt(final SessionFailure newFailure)
    {
        failure = newFailure;
        state = State.HALTED;
    }

    private int sendHello(final Outbound outbound, final long nowNs)
    {
        if (!isLinkUp || !retry.isHelloDue(nowNs) ||
            !messages.sendHello(outbound, hello.toSend(), epoch < 0 ? 0 : spool.oldest()))
        {
            return 0;
        }
        hello.onSent();
        retry.onHelloSent(nowNs);
        state = State.HELLO_SENT;

        return 1;
    }

    private int sendAttached(final Outbound outbound, final long nowNs)
    {
        releaseTo(check.needless(watermarks.of(ackLevel)), nowNs);
        if (watermarks.of(AckLevel.APPLIED) >= cursor - 1)
        {
            progressNs = nowNs;
        }
        if (nowNs - progressNs >= timing.stallNs() || nowNs - toldNs >= timing.stallNs())
        {
            // either the pushes were lost on the way, and the server cannot know that they were sent; or the server
            // has forgotten this session, but not the worker: each sign of life tells all sessions that it knows
            retry.helloNow();
            detach(nowNs);
            return 0;
        }

        if (cursor < Math.min(spool.next(), sendEnd))
        {
            return sendPushes(outbound, nowNs);
        }

        return isRefusalReleased && !spool.isEmpty() ? sendOutcomesKnown(outbound) : 0;
    }

    /**
     * Tell the partition which outcomes are known. There may be more refusals than one message tells: known ones make
     * room for others.
     */
    private int sendOutcomesKnown(final Outbound outbound)
    {
        if (!messages.sendOutcomesKnown(outbound, acknowledgedThrough()))
        {
            return 0;
        }
        isRefusalReleased = false;

        return 1;
    }

    private int sendPushes(final Outbound outbound, final long nowNs)
    {
        if (retry.isPaused(nowNs))
        {
            return 0;
        }
        int sent = 0;
        while (sent < SEND_LIMIT && cursor < Math.min(spool.next(), sendEnd))
        {
            final int offset = spool.offsetOf(cursor);
            messages.stamp(spool.buffer(), offset, epoch, acknowledgedThrough());
            if (!outbound.offer(partition, spool.buffer(), offset, spool.lengthOf(cursor)))
            {
                break;
            }
            cursor++;
            sent++;
            isRefusalReleased = false;
        }

        return sent;
    }

    private boolean isPossible(final Welcome welcome, final long nowNs)
    {
        final SessionFailure doubt = check.judge(welcome, spool, first);
        if (null != doubt)
        {
            halt(doubt);
        }
        else if (check.isAwaited())
        {
            helloLater(nowNs);
        }
        return null == doubt && !check.isAwaited();
    }

    private void releaseTo(final long watermark, final long nowNs)
    {
        final long last = Math.min(watermark, spool.next() - 1);
        if (spool.oldest() <= last)
        {
            outage.onAcknowledged(epoch, nowNs);
        }
        while (spool.oldest() <= last)
        {
            final long sequence = spool.oldest();
            final long ticket = spool.ticketOf(sequence);
            final Refusal refusal = Refusal.of(spool.refusalOf(sequence));
            isRefusalReleased |= Refusal.NONE != refusal;
            messages.onReleased(spool.buffer(), spool.offsetOf(sequence));
            spool.release();
            tickets.onPartDone(ticket, refusal, partition, nowNs);
        }
        cursor = Math.max(cursor, spool.oldest());
    }

    private void onGap(final long messageEpoch, final long expected, final long nowNs)
    {
        // if a primary expects a part that it has acknowledged since, it said so before: a dying image may deliver the
        // message late. If it had lost the part, nothing would go on, and the next welcome would show that
        final boolean isLate = expected < spool.oldest();
        if (messageEpoch == epoch && State.ATTACHED == state && !isLate && expected < cursor &&
            retry.isNewGap(expected, nowNs))
        {
            cursor = expected;
        }
    }

    private void onFenced(final PartRefused refused, final long nowNs)
    {
        final long messageEpoch = refused.epoch();
        final boolean isHello = 0 == refused.sequence();
        if (isHello ? State.HELLO_SENT == state : messageEpoch == epoch)
        {
            fencedBy = isHello ? refused.expected() : 0;
            halt(check.takenOver(messageEpoch));
        }
        else if (messageEpoch > epoch)
        {
            helloLater(nowNs);
        }
    }

    private void onBusy(final long sequence, final long nowNs)
    {
        if (0 == sequence)
        {
            helloLater(nowNs);
        }
        else if (sendFrom(sequence))
        {
            retry.pause(nowNs);
        }
    }

    private void onKeysUnknown(final long sequence, final long nowNs)
    {
        if (sendFrom(sequence))
        {
            // the parts sent after it come too early: the gap that they show is closed already
            retry.onResent(sequence, nowNs);
        }
    }

    /** Send a part that was refused, and those after it, again; false if it is kept no longer, or not now. */
    private boolean sendFrom(final long sequence)
    {
        final boolean isKept =
            State.ATTACHED == state && sequence >= spool.oldest() && sequence < spool.next();
        cursor = isKept ? Math.min(cursor, sequence) : cursor;

        return isKept;
    }

    private void helloLater(final long nowNs)
    {
        detach(nowNs);
        retry.onHelloRefused(nowNs);
    }

    private void detach(final long nowNs)
    {
        if (State.ATTACHED == state)
        {
            outage.onLost(nowNs);
        }
        hello.end();
        if (State.HALTED != state)
        {
            state = State.DETACHED;
        }
    }

    public State state()
    {
        return state;
    }

    /** Why the session is halted, or null. */
    public SessionFailure failure()
    {
        return failure;
    }

    /** Newest process of the slot that the partition named when it refused this one's hello, 0 if it did not. */
    public long fencedBy()
    {
        return State.HALTED == state ? fencedBy : 0;
    }

    /** Say hello again, as another process. Only before the first welcome. */
    public void beginAgain()
    {
        if (epoch >= 0)
        {
            throw new IllegalStateException("partition=" + partition + " has welcomed this process, epoch=" + epoch);
        }
        hello.end();
        retry.helloNow();
        failure = null;
        fencedBy = 0;
        state = State.DETACHED;
    }

    /** Epoch of the primary that last said welcome, -1 before the first. */
    public long epoch()
    {
        return epoch;
    }

    /** The outcome of every sequence up to here is known. */
    public long acknowledgedThrough()
    {
        return spool.oldest() - 1;
    }

    /** The last sequence that was assigned, 0 if none. */
    public long lastSequence()
    {
        return spool.next() - 1;
    }

    public Spool spool()
    {
        return spool;
    }

    /** How far the pushes have come, as the current primary says. */
    public Watermarks watermarks()
    {
        return watermarks;
    }

    /** The counts of pushes, for an audit, without clocks. */
    public PushCounts pushCounts()
    {
        return pushCounts;
    }

    public int partition()
    {
        return partition;
    }
}
