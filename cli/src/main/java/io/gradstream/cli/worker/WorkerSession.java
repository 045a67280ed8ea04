// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClientStats;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.OperationTimeoutException;
import io.gradstream.worker.PushRefusedException;
import io.gradstream.worker.WaitStrategy;
import io.gradstream.worker.filter.FilterCounts;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.OutageListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PushCounts;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

/** A worker's connection to the servers, with its measurements: latencies, outages, counts for the audit. */
public final class WorkerSession implements AutoCloseable, LatencyListener, OutageListener
{
    /** Longest time a push or pull may take: servers restart and replay meanwhile. */
    public static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    /** Highest latency that is recorded; a higher one counts as this. */
    public static final long MAX_LATENCY_NS = TimeUnit.HOURS.toNanos(1);

    /** Field with the latencies of pushes since the last line that had this field. */
    public static final String INTERVAL_PUSHES = "pushes";
    /** Field with the iterations after which a process goes on. */
    public static final String CLOCK = "clock";
    /** Field with the state that earlier processes have left at each partition. */
    public static final String BEFORE = "before";
    /** Field with the number of pulls so far. */
    public static final String PULLS = "pulls";
    /** Field with the mean staleness of these pulls, in batches. */
    public static final String STALENESS_MEAN = "stalenessMean";

    /** Longest time that a process which is told to stop takes to push what filters hold back. */
    private static final long STOP_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int LATENCY_DIGITS = 3;
    private static final int INTERVAL_LATENCY_DIGITS = 2;
    private static final long LATENCY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final WorkerOutput output;
    private final WaitStrategy waits;
    private final Histogram pushes = new Histogram(MAX_LATENCY_NS, LATENCY_DIGITS);
    private final Histogram pulls = new Histogram(MAX_LATENCY_NS, LATENCY_DIGITS);
    /** Latencies of the pushes since {@link #latencies} were last reported. */
    private final Histogram recentPushes = newIntervalHistogram();
    private GradstreamClient client;
    private int slot;
    private boolean isNumbered;
    /** True if no wait goes on after {@link #stopNs}. */
    private boolean isStopping;
    private long stopNs;
    /** True if the slot had finished, and this process trains once more. */
    private boolean isAnotherRun;
    private long waitedNs;
    private long pullsAwaited;
    private long nextLatenciesNs = System.nanoTime();
    private boolean isRefusalReported;
    private PushRefusedException refused;

    /**
     * A session that is not connected.
     *
     * @param output of its lines.
     * @param idle   strategy of its waits.
     */
    WorkerSession(final WorkerOutput output, final IdleStrategy idle)
    {
        this.output = output;
        waits = WaitStrategy.polling(SystemNanoClock.INSTANCE, idle);
    }

    /**
     * Connect, or connect again.
     *
     * @param context     with the slot, the addresses of coordinators, and the point at which a push is acknowledged.
     * @param isSlotOfTwo true if this process has a backup, or is one.
     */
    void connect(final ClientContext context, final boolean isSlotOfTwo)
    {
        disconnect();
        isNumbered = isSlotOfTwo;
        client = GradstreamClient.connect(context
            .audit(true)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .waitStrategy((condition, deadlineNs, dutyCycle) -> waits.await(condition,
                isStopping && deadlineNs - stopNs > 0 ? stopNs : deadlineNs, dutyCycle))
            .latencyListener(this)
            .outageListener(this));
        slot = client.slot();
    }

    /**
     * Connect again in a slot that has finished: the pushes of an earlier process are a run of their own.
     *
     * @param context as for {@link #connect}.
     */
    void connectForAnotherRun(final ClientContext context)
    {
        connect(context, false);
        isAnotherRun = true;
    }

    /**
     * Require that the job has the staleness bound by which this worker orders its pulls and pushes.
     *
     * @throws UsageException if it has another, naming both.
     */
    void requireStaleness(final Consistency wanted)
    {
        final JobSpec job = client.describe().job();
        if (null != job && job.consistency().staleness() != wanted.staleness())
        {
            throw new UsageException("invalid --staleness=" + wanted.label() + ": this job's is " +
                job.consistency().label() + "; give that, or change the job by 'job set'");
        }
    }

    void print(final StatusLine line)
    {
        output.print(line);
    }

    /** The client, which is another one after each {@link #connect}. */
    GradstreamClient client()
    {
        return client;
    }

    /** Wait until a pull is complete. */
    void await(final long ticket)
    {
        final long beganNs = System.nanoTime();
        client.await(ticket);
        pullsAwaited++;
        waitedNs += Math.min(client.heldNs(ticket), System.nanoTime() - beganNs);
    }

    /** True if a push's sequence gives its iteration, so that servers recognize a push that comes again. */
    boolean isNumbered()
    {
        return isNumbered;
    }

    /** True if servers hold this slot's pushes until all slots have ended the iteration, whatever the options say. */
    boolean isSequential()
    {
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            if (client.session(partition).isSequential())
            {
                return true;
            }
        }

        return false;
    }

    /** True if an earlier process may have pushed a part of this run. To be called before this process pushes. */
    boolean isTakenOver()
    {
        if (isAnotherRun)
        {
            return false;
        }
        for (final long before : sequencesBefore())
        {
            if (before > 0)
            {
                return true;
            }
        }

        return false;
    }

    /** By partition the last sequence of earlier processes. To be called before this process pushes. */
    private long[] sequencesBefore()
    {
        final long[] before = new long[client.partitionCount()];
        for (int partition = 0; partition < before.length; partition++)
        {
            // the first message of this process to the partition says after how many iterations it goes on
            before[partition] = client.session(partition).lastSequence() - (client.clocksDone() > 0 ? 1 : 0);
        }

        return before;
    }

    /**
     * Add the state of the slot to the line with which this process begins: the iterations after which it goes on, and
     * for each partition {@code sequence:clock}, which earlier processes have left there.
     */
    StatusLine begin(final StatusLine line)
    {
        final long[] before = sequencesBefore();
        final StringBuilder text = new StringBuilder();
        for (int partition = 0; partition < before.length; partition++)
        {
            text.append(partition > 0 ? "," : "").append(before[partition])
                .append(':').append(client.session(partition).heldBefore().clock());
        }

        return line.with(CLOCK, client.clocksDone()).with(BEFORE, text);
    }

    /** Wait until every push is acknowledged or refused. */
    void awaitPushes()
    {
        try
        {
            client.awaitAll();
        }
        catch (final PushRefusedException ex)
        {
            refused = ex;
        }
    }

    /**
     * Push what filters hold back, within a short time, as this process is told to stop. It is of batches that have
     * ended, which no other process computes again. If servers do not acknowledge it in time, standard error says so.
     */
    void pushHeldAtStop()
    {
        final long rows = client.stats().rowsHeldNow();
        if (0 == rows)
        {
            return;
        }
        isStopping = true;
        stopNs = System.nanoTime() + STOP_NS;
        boolean isAcknowledged = false;
        try
        {
            client.pushHeld();
            isAcknowledged = isAcknowledged();
            while (!isAcknowledged && System.nanoTime() - stopNs < 0)
            {
                idle();
                isAcknowledged = isAcknowledged();
            }
        }
        catch (final OperationTimeoutException ignore)
        {
            // the line below says what that means
        }
        finally
        {
            if (!isAcknowledged)
            {
                System.err.println("gradstream worker: slot " + slot + " was told to stop, and servers have not" +
                    " acknowledged the gradients of " + rows + " rows that --filter held back: they may be lost");
            }
        }
    }

    private boolean isAcknowledged()
    {
        boolean isAcknowledged = true;
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            final PartitionSession session = client.session(partition);
            isAcknowledged &= session.acknowledgedThrough() >= session.lastSequence();
        }

        return isAcknowledged;
    }

    /**
     * Fail if a server refused a push. A parent reads the count and judges the run as a whole: for a parent, only a
     * line is written to standard error.
     *
     * @throws PushRefusedException with the count, the reason and what to do.
     */
    void requireTaken(final boolean isForParent)
    {
        if (null != refused && !isForParent)
        {
            throw refused;
        }
        if (null != refused)
        {
            System.err.println("gradstream worker: slot " + slot + ": " + refused.getMessage());
        }
    }

    /** Report once that a push was refused, as soon as one was. */
    void reportFirstRefusal()
    {
        if (!isRefusalReported && client.refusedTickets() > 0)
        {
            isRefusalReported = true;
            System.err.println("gradstream worker: slot " + slot + ": a server refused a push; the rest goes on, and" +
                " the end says how many were refused and why");
        }
    }

    /** Serve the connection while there is nothing to do. */
    void idle()
    {
        if (0 == client.poll())
        {
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /** Forget the latencies before, which do not count. */
    void onWarmedUp()
    {
        pushes.reset();
        pulls.reset();
    }

    /** An empty histogram for the latencies of a short time: small, and exact to a percent. */
    public static Histogram newIntervalHistogram()
    {
        return new Histogram(MAX_LATENCY_NS, INTERVAL_LATENCY_DIGITS);
    }

    /** Add to a line about progress, seldom, the latencies of the pushes since they were last reported. */
    StatusLine latencies(final StatusLine line)
    {
        final long nowNs = System.nanoTime();
        if (nowNs - nextLatenciesNs >= 0 && recentPushes.getTotalCount() > 0)
        {
            nextLatenciesNs = nowNs + LATENCY_INTERVAL_NS;
            line.with(INTERVAL_PUSHES, encode(recentPushes));
            recentPushes.reset();
        }
        return line;
    }

    /** Add to a line about progress the staleness of pulls so far. */
    StatusLine staleness(final StatusLine line)
    {
        return line.with(PULLS, pullsAwaited).with(STALENESS_MEAN, client.stats().meanStaleness());
    }

    /**
     * Add to a result: for each partition {@code count:sum:squares:content} of the pushes sent, the latencies, and the
     * effects of outages.
     */
    StatusLine counts(final StatusLine result)
    {
        final StringBuilder sent = new StringBuilder();
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            final PushCounts counts = client.pushCounts(partition);
            sent.append(partition > 0 ? "," : "").append(counts.count())
                .append(':').append(counts.sequenceSum())
                .append(':').append(counts.sequenceSquareSum())
                .append(':').append(counts.contentSum());
        }

        final ClientStats stats = client.stats();
        final FilterCounts filtered = stats.filtered();
        return result.with("sent", sent).with("push", encode(pushes)).with("pull", encode(pulls))
            .with("refused", stats.pushesRefused())
            .with("spoolPeak", stats.spoolPeakBytes())
            .with("outageNs", stats.outageNs())
            .with("blockedNs", stats.blockedNs())
            .with("stalenessMax", stats.maxStaleness())
            .with(PULLS, pullsAwaited)
            .with(STALENESS_MEAN, stats.meanStaleness())
            .with("waitedNs", waitedNs)
            .with("cachedRows", stats.cachedRows())
            .with("fetchedRows", stats.fetchedRows())
            .with("keyBytesSaved", stats.keyBytesSaved())
            .with("rowsHeld", filtered.rowsHeld())
            .with("heldBytesSaved", filtered.heldBytesSaved())
            .with("rowsSkipped", filtered.rowsSkipped())
            .with("skippedBytesSaved", filtered.skippedBytesSaved())
            .with("rowsAtZero", filtered.rowsAtZero())
            .with("zeroBytesSaved", filtered.zeroBytesSaved());
    }

    @Override
    public void onPush(final long durationNs)
    {
        final long latencyNs = Math.min(durationNs, MAX_LATENCY_NS);
        pushes.recordValue(latencyNs);
        recentPushes.recordValue(latencyNs);
    }

    @Override
    public void onPull(final long durationNs)
    {
        pulls.recordValue(Math.min(durationNs, MAX_LATENCY_NS));
    }

    @Override
    public void onServiceBack(
        final int partition, final long epoch, final int outstanding, final long lostNs, final long nowNs)
    {
        output.print(new StatusLine(StatusLine.OUTAGE)
            .with("slot", slot)
            .with("partition", partition)
            .with("epoch", epoch)
            .with("outstanding", outstanding)
            .with("lostMs", TimeUnit.NANOSECONDS.toMillis(lostNs))
            .with("ackMs", TimeUnit.NANOSECONDS.toMillis(nowNs)));
    }

    @Override
    public void close()
    {
        disconnect();
    }

    /** Give the connection up; it can be opened again. */
    void disconnect()
    {
        if (null != client)
        {
            client.close();
            client = null;
        }
    }

    private static String encode(final Histogram histogram)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
