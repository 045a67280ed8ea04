// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.OutageListener;
import io.gradstream.worker.session.ReachWatch;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.BitUtil;

import java.util.function.Consumer;

/**
 * The settings of a {@link Client}, checked.
 *
 * @param identity        of the worker.
 * @param partitions      number of partitions of the job.
 * @param ackLevel        at which a push is safe.
 * @param spoolPolicy     for a push that finds its spool full.
 * @param isAudited       true if pushes are counted in the audit table.
 * @param initialClock    iterations the slot has finished before.
 * @param limits          of memory and outstanding requests.
 * @param sessionTiming   of retries within sessions.
 * @param timing          of connections and reports.
 * @param latencyListener called with the time that pushes and pulls took.
 * @param outageListener  called when a partition acknowledges again.
 * @param problemListener called with problems that do not stop the client.
 */
public record ClientSettings(
    WorkerIdentity identity,
    int partitions,
    AckLevel ackLevel,
    SpoolPolicy spoolPolicy,
    boolean isAudited,
    long initialClock,
    Limits limits,
    SessionTiming sessionTiming,
    Timing timing,
    LatencyListener latencyListener,
    OutageListener outageListener,
    Consumer<String> problemListener)
{
    /** Most bytes that Aeron and the log put around the sections of a push. */
    public static final int MESSAGE_OVERHEAD = 160;
    /** Least length of a part: the longest row with its key and the audit section. */
    public static final int MIN_PART_LENGTH =
        Sections.lengthOf(2, TableSpec.MAX_DIM * Float.BYTES + 2 * Long.BYTES + Integer.BYTES +
        TableSpec.AUDIT.valuesLength());

    /**
     * Checks the settings that limits and times do not check themselves.
     *
     * @throws IllegalArgumentException if a setting is wrong; it names property, value and what is allowed.
     */
    public ClientSettings
    {
        check(identity.slot() >= WorkerIdentity.OBSERVER, "slot", identity.slot(), "0 or more, or -1 for an observer");
        check(identity.jobId() >= 0, "jobId", identity.jobId(), "0 or more");
        check(null != spoolPolicy, "spoolPolicy", null, "BLOCK or DROP_NEWEST");
        check(sessionTiming.stallNs() > 0, "stallNs", sessionTiming.stallNs(), "more than 0");
        final long least = leastSpoolBytes(
            partitions, limits.maxPartLength(), limits.spoolBytesPerPartition());
        check(limits.spoolTotalBytes() >= least, "spoolTotalBytes", limits.spoolTotalBytes(), "at least " + least +
            " for " + partitions + " partitions; if it is not set, it is half of the direct memory: raise -Xmx" +
            " or -XX:MaxDirectMemorySize, or lower the job's partitions");
    }

    /**
     * How much a client keeps.
     *
     * @param spoolBytesPerPartition most bytes of pushes kept for each partition.
     * @param spoolTotalBytes        most bytes that they take for all partitions together.
     * @param maxInFlight            parts kept for each partition, one of them for the end of a clock.
     * @param maxTickets             outstanding tickets, one of them for the end of a clock.
     * @param maxPullsPerPartition   outstanding pull messages at each partition.
     * @param maxPartLength          bytes of sections and values of one message.
     * @param rowCacheBytesPerTable  rows of each table that are remembered for outages, 0 for none.
     */
    public record Limits(
        int spoolBytesPerPartition,
        long spoolTotalBytes,
        int maxInFlight,
        int maxTickets,
        int maxPullsPerPartition,
        int maxPartLength,
        long rowCacheBytesPerTable)
    {
        /**
         * Checks the limits.
         *
         * @throws IllegalArgumentException if a limit is wrong; it names property, value and what is allowed.
         */
        public Limits
        {
            check(rowCacheBytesPerTable >= 0, "rowCacheBytesPerTable", rowCacheBytesPerTable, "more than 0");
            check(maxPartLength + MESSAGE_OVERHEAD <= spoolBytesPerPartition, "spoolBytesPerPartition",
                spoolBytesPerPartition, "at least maxPartLength + " + MESSAGE_OVERHEAD);
            check(Integer.bitCount(spoolBytesPerPartition) == 1 && spoolBytesPerPartition >= Spool.MIN_CAPACITY,
                "spoolBytesPerPartition", spoolBytesPerPartition, "a power of two");
            check(maxInFlight > 1, "maxInFlight", maxInFlight, "2 or more");
            check(maxTickets > 1 && Integer.bitCount(maxTickets) == 1, "maxTickets", maxTickets,
                "a power of two, 2 or more");
            check(maxPullsPerPartition > 0, "maxPullsPerPartition", maxPullsPerPartition, "1 or more");
        }
    }

    /**
     * Times of connections and of reports to the coordinators.
     *
     * @param retryNs       interval at which connect, and requests for tables and descriptions, are repeated.
     * @param keepAliveNs   interval at which the worker says that it lives.
     * @param probeNs       silence of a server after which it is asked whether it knows this worker.
     * @param timeoutNs     silence of a server after which a new connection to it is made.
     * @param reportNs      interval at which the coordinators are told which servers are reached.
     * @param leastReportNs least time between reports of changes.
     */
    public record Timing(
        long retryNs, long keepAliveNs, long probeNs, long timeoutNs, long reportNs, long leastReportNs)
    {
        /**
         * Checks the times.
         *
         * @throws IllegalArgumentException if a time is wrong; it names property, value and what is allowed.
         */
        public Timing
        {
            check(retryNs > 0, "connectRetryNs", retryNs, "more than 0");
            check(keepAliveNs > 0, "keepAliveNs", keepAliveNs, "more than 0");
            check(timeoutNs > retryNs, "serverTimeoutNs", timeoutNs, "more than connectRetryNs");
            check(probeNs > 0 && probeNs < timeoutNs, "serverProbeNs", probeNs,
                "more than 0 and less than serverTimeoutNs=" + timeoutNs);
        }

        /** Times of connections, with the default times of reports. */
        public Timing(final long retryNs, final long keepAliveNs, final long probeNs, final long timeoutNs)
        {
            this(retryNs, keepAliveNs, probeNs, timeoutNs,
                ReachWatch.REPORT_INTERVAL_NS, ReachWatch.LEAST_INTERVAL_NS);
        }
    }

    /**
     * Bytes of all spools with which any part can be pushed once the others are acknowledged.
     *
     * @param maxPartLength          bytes of sections and values of one message.
     * @param spoolBytesPerPartition most bytes of one spool.
     */
    public static long leastSpoolBytes(
        final int partitions, final int maxPartLength, final int spoolBytesPerPartition)
    {
        final int part = BitUtil.findNextPositivePowerOfTwo(maxPartLength + MESSAGE_OVERHEAD + Spool.STEP);
        return (long)partitions * Math.min(Spool.STEP, spoolBytesPerPartition) +
            Math.min(part, spoolBytesPerPartition);
    }

    /**
     * Require that a setting is right.
     *
     * @param allowed the values that are allowed.
     * @throws IllegalArgumentException if it is not.
     */
    public static void check(
        final boolean isRight, final String name, final Object value, final String allowed)
    {
        if (!isRight)
        {
            throw new IllegalArgumentException("invalid " + name + "=" + value + ": must be " + allowed);
        }
    }
}
