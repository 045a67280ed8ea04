// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.client.SystemProperty;
import io.gradstream.worker.session.Spool;

import java.util.concurrent.TimeUnit;

/** The system properties that a {@link ClientContext} begins with, and their defaults. */
public final class Configuration
{
    /** Most bytes of pushes kept for each partition, a power of two. */
    public static final String SPOOL_BYTES_PROP_NAME = "gradstream.worker.spool.bytes";
    /** Default of {@link #SPOOL_BYTES_PROP_NAME}, unless pushes wait to be snapshotted. */
    public static final int SPOOL_BYTES_DEFAULT = 8 * 1024 * 1024;
    /** For all partitions together where pushes wait to be snapshotted: a minute at 50 pushes a second of 20 KiB. */
    public static final int SNAPSHOTTED_SPOOL_BYTES_DEFAULT = 64 * 1024 * 1024;
    /** Most bytes that the pushes kept for all partitions take together. */
    public static final String SPOOL_TOTAL_BYTES_PROP_NAME = "gradstream.worker.spool.total.bytes";
    /** Default of {@link #SPOOL_TOTAL_BYTES_PROP_NAME}: half of the direct memory that the JVM may take. */
    public static final long SPOOL_TOTAL_BYTES_DEFAULT = 0;
    /** Parts kept for each partition. */
    public static final String MAX_IN_FLIGHT_PROP_NAME = "gradstream.worker.max.in.flight";
    /** Default of {@link #MAX_IN_FLIGHT_PROP_NAME}, unless pushes wait to be snapshotted. */
    public static final int MAX_IN_FLIGHT_DEFAULT = 1024;
    /** Where pushes wait to be snapshotted: five minutes at 50 pushes a second. */
    public static final int SNAPSHOTTED_MAX_IN_FLIGHT_DEFAULT = 16 * 1024;
    /** Outstanding tickets, a power of two. */
    public static final String MAX_TICKETS_PROP_NAME = "gradstream.worker.max.tickets";
    /** Default of {@link #MAX_TICKETS_PROP_NAME}, unless pushes wait to be snapshotted. */
    public static final int MAX_TICKETS_DEFAULT = 8 * 1024;
    /** Where pushes wait to be snapshotted: a pull for each push, and as many again. */
    public static final int SNAPSHOTTED_MAX_TICKETS_DEFAULT = 4 * SNAPSHOTTED_MAX_IN_FLIGHT_DEFAULT;
    /** Outstanding pull messages at each partition. */
    public static final String MAX_PULLS_PROP_NAME = "gradstream.worker.max.pulls";
    /** Default of {@link #MAX_PULLS_PROP_NAME}. */
    public static final int MAX_PULLS_DEFAULT = 64;
    /** Bytes of each table's rows that are remembered for outages. */
    public static final String ROW_CACHE_BYTES_PROP_NAME = "gradstream.worker.row.cache.bytes";
    /** Default of {@link #ROW_CACHE_BYTES_PROP_NAME}. */
    public static final long ROW_CACHE_BYTES_DEFAULT = 32 * 1024 * 1024;
    /** How long blocking calls wait. */
    public static final String OPERATION_TIMEOUT_PROP_NAME = "gradstream.worker.operation.timeout";
    /** Default of {@link #OPERATION_TIMEOUT_PROP_NAME}. */
    public static final long OPERATION_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(30);
    /** Silence of a server after which it counts as out of reach; less than {@link #SERVER_TIMEOUT_PROP_NAME}. */
    public static final String SERVER_PROBE_PROP_NAME = "gradstream.worker.server.probe";
    /** Default of {@link #SERVER_PROBE_PROP_NAME}. */
    public static final long SERVER_PROBE_DEFAULT_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** Silence of a server after which a new connection to it is made. */
    public static final String SERVER_TIMEOUT_PROP_NAME = "gradstream.worker.server.timeout";
    /** Default of {@link #SERVER_TIMEOUT_PROP_NAME}. */
    public static final long SERVER_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Term length of requests in bytes, a power of two. */
    public static final String TERM_LENGTH_PROP_NAME = "gradstream.worker.term.length";
    /** Default of {@link #TERM_LENGTH_PROP_NAME}. */
    public static final int TERM_LENGTH_DEFAULT = 1024 * 1024;
    /** Longest datagram of requests in bytes. */
    public static final String MTU_PROP_NAME = "gradstream.worker.mtu";
    /** Default of {@link #MTU_PROP_NAME}: what fits the interface. */
    public static final int MTU_DEFAULT = ChannelMtu.OF_INTERFACE;

    /** Stands for a default that is not known before the job is. */
    static final int UNSET = Integer.MIN_VALUE;

    private static final int MIN_TERM_LENGTH = 64 * 1024;
    private static final int MAX_POWER_OF_TWO = 1 << 30;

    private Configuration()
    {
    }

    static int spoolBytes()
    {
        return SystemProperty.powerOfTwo(SPOOL_BYTES_PROP_NAME, UNSET, Spool.MIN_CAPACITY, MAX_POWER_OF_TWO);
    }

    static long spoolTotalBytes()
    {
        return SystemProperty.number(SPOOL_TOTAL_BYTES_PROP_NAME, SPOOL_TOTAL_BYTES_DEFAULT, 0, Long.MAX_VALUE);
    }

    static int maxInFlight()
    {
        return (int)SystemProperty.number(MAX_IN_FLIGHT_PROP_NAME, UNSET, 2, Integer.MAX_VALUE);
    }

    static int maxTickets()
    {
        return SystemProperty.powerOfTwo(MAX_TICKETS_PROP_NAME, UNSET, 2, MAX_POWER_OF_TWO);
    }

    static int maxPulls()
    {
        return (int)SystemProperty.number(MAX_PULLS_PROP_NAME, MAX_PULLS_DEFAULT, 1, Integer.MAX_VALUE);
    }

    static long rowCacheBytes()
    {
        return SystemProperty.number(ROW_CACHE_BYTES_PROP_NAME, ROW_CACHE_BYTES_DEFAULT, 1, Long.MAX_VALUE);
    }

    static long operationTimeoutNs()
    {
        return SystemProperty.durationNs(OPERATION_TIMEOUT_PROP_NAME, OPERATION_TIMEOUT_DEFAULT_NS, 1, Long.MAX_VALUE);
    }

    static long serverProbeNs()
    {
        return SystemProperty.durationNs(SERVER_PROBE_PROP_NAME, SERVER_PROBE_DEFAULT_NS, 1, Long.MAX_VALUE);
    }

    static long serverTimeoutNs()
    {
        return SystemProperty.durationNs(SERVER_TIMEOUT_PROP_NAME, SERVER_TIMEOUT_DEFAULT_NS, 1, Long.MAX_VALUE);
    }

    static int termLength()
    {
        return SystemProperty.powerOfTwo(
            TERM_LENGTH_PROP_NAME, TERM_LENGTH_DEFAULT, MIN_TERM_LENGTH, MAX_POWER_OF_TWO);
    }

    static int mtu()
    {
        return SystemProperty.mtuLength(MTU_PROP_NAME, MTU_DEFAULT);
    }
}
