// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.NodeEndpoint;
import io.gradstream.codecs.SlotRole;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.worker.aeron.ChannelSettings;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.aeron.OwnAddress;
import io.gradstream.worker.client.ClientSettings;
import io.gradstream.worker.client.Transport;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.OutageListener;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Settings of a {@link GradstreamClient}. Setters only set, and return this context; all settings are checked, once,
 * when the client connects. Their initial values are those of {@link Configuration}.
 */
public final class ClientContext
{
    /** Initial clock of a process that goes on at its slot's clock, as the servers name it. */
    public static final long CLOCK_OF_SLOT = -1;

    /** Slot of an observer: it pulls, describes and exports models, but pushes nothing. */
    public static final int OBSERVER = -1;

    /** How often connect, hello and createTable are repeated. */
    private static final long CONNECT_RETRY_NS = 100_000_000L;
    /** Interval at which a worker says that it lives. */
    private static final long KEEP_ALIVE_NS = 200_000_000L;
    private static final long BUSY_RETRY_NS = 1_000_000L;
    private static final int DEFAULT_PART_LENGTH = 65_000;
    private static final int MIN_SNAPSHOTTED_SPOOL_BYTES = 1024 * 1024;

    ClientSettings settings;
    ChannelSettings channels;
    int termLength = Configuration.termLength();
    int mtu = Configuration.mtu();
    String responseEndpoint;
    String coordinatorResponseEndpoint;
    String aeronDirectoryName;
    DriverConnection driver;
    Transport transport;
    String jobName = ClusterMap.Job.DEFAULT_NAME;
    int jobId;
    int slot;
    boolean isAnySlot;
    boolean isAdopting;
    long clusterId;
    long incarnation;
    private boolean isIncarnationOwn = true;
    private WorkerIdentity.Numbering leaseNumbering;
    long initialClock;
    boolean isBackedUp;
    boolean isBackup;
    int partsPerClock = 1;
    JobSpec job;
    List<String> coordinators = List.of();
    Function<CoordinatorChannel.Listener, CoordinatorChannel> coordinatorChannel;
    ErrorHandler errorHandler = new CountedErrors("client");
    AckLevel ackLevel;
    boolean isAudited;
    int spoolBytesPerPartition = Configuration.spoolBytes();
    long spoolTotalBytes = Configuration.spoolTotalBytes();
    int maxInFlight = Configuration.maxInFlight();
    int maxTickets = Configuration.maxTickets();
    SpoolPolicy spoolPolicy = SpoolPolicy.BLOCK;
    Boolean isOutageReading;
    long rowCacheBytesPerTable = Configuration.rowCacheBytes();
    int maxPullsPerPartition = Configuration.maxPulls();
    int maxPartLength = DEFAULT_PART_LENGTH;
    long operationTimeoutNs = Configuration.operationTimeoutNs();
    long serverProbeNs = Configuration.serverProbeNs();
    long serverTimeoutNs = Configuration.serverTimeoutNs();
    long stallNs = 2_000_000_000L;
    NanoClock nanoClock = SystemNanoClock.INSTANCE;
    EpochClock epochClock = SystemEpochClock.INSTANCE;
    WaitStrategy waitStrategy;
    IdleStrategy idleStrategy = new BackoffIdleStrategy(0, 300, 1_000, 1_000_000);
    LatencyListener latencyListener = LatencyListener.NONE;
    OutageListener outageListener = (partition, epoch, outstanding, lostNs, nowNs) -> {};

    private boolean isConcluded;

    /**
     * Direct memory that a JVM needs at least for a client with default settings: see {@link #spoolTotalBytes(long)}.
     *
     * @param partitions of the job.
     * @return bytes.
     */
    public static long leastDirectMemory(final int partitions)
    {
        return 2 * ClientSettings.leastSpoolBytes(partitions, DEFAULT_PART_LENGTH, Configuration.SPOOL_BYTES_DEFAULT);
    }

    /** Check that a media driver and the coordinators are given, and that this context has served no client. */
    void checkWays()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("a ClientContext serves one client: make a new one");
        }
        Check.that(null != driver || null != aeronDirectoryName || null != transport, "aeronDirectoryName", null,
            "the directory of a running media driver");
        Check.that(null != coordinatorChannel || !coordinators.isEmpty(), "coordinators", coordinators,
            "host:port of one coordinator or of three");
        Check.that(null == transport || null != coordinatorChannel, "coordinatorChannel", null,
            "given where a transport is, since coordinators are reached without a media driver then");
        Check.that(!isAnySlot || !isBackedUp && !isBackup, "anySlot", isAnySlot,
            "false where backedUp or backup is set: name the slot");
        waitStrategy = null != waitStrategy ? waitStrategy : WaitStrategy.polling(nanoClock, idleStrategy);
    }

    /**
     * Check the settings, and take those left open from the job as the coordinators describe it.
     *
     * @param map of the job alone, with its nodes.
     * @throws IllegalArgumentException if a setting is wrong; it names property, value and what is allowed.
     */
    void conclude(final ClusterMap map)
    {
        job = map.job();
        clusterId = map.clusterId();
        incarnation = isIncarnationOwn ? epochClock.time() : incarnation;
        fillIn(CoordinatorLink.nodesOf(map).stream().map(NodeEndpoint::endpoint).toList());
        Check.that(rowCacheBytesPerTable > 0, "rowCacheBytesPerTable", rowCacheBytesPerTable, "more than 0");
        final int longest = ChannelSettings.maxMessageLength(termLength) - ClientSettings.MESSAGE_OVERHEAD;
        Check.that(maxPartLength >= ClientSettings.MIN_PART_LENGTH && maxPartLength <= longest, "maxPartLength",
            maxPartLength, ClientSettings.MIN_PART_LENGTH + ".." + longest + " with termLength=" + termLength);
        Check.that(operationTimeoutNs > 0, "operationTimeoutNs", operationTimeoutNs, "more than 0");
        checkRole();
        settings = settings();
        channels = null != transport ? null : new ChannelSettings(responseEndpoint, termLength, mtu);
        isConcluded = true;
    }

    /** The coordinators have given a slot, with the number that the process is to have in it. */
    void lease(final int givenSlot, final long givenIncarnation)
    {
        slot = givenSlot;
        named(givenIncarnation).initialClock(CLOCK_OF_SLOT);
    }

    /**
     * The coordinators have named a number, which is of their clock. One that they name to another process later is not
     * above that clock. The client takes a number above one that is: they do not know that process.
     */
    private ClientContext named(final long number)
    {
        final long namedNs = nanoClock.nanoTime();
        leaseNumbering = numbering(() ->
            Math.max(epochClock.time(), number + (nanoClock.nanoTime() - namedNs) / 1_000_000));
        return incarnation(number);
    }

    /** This context serves one more client, after its slot turned out to have finished. */
    void reopen()
    {
        isConcluded = false;
    }

    /**
     * The settings of a client that fences the process of another slot, and stands after the iteration that it may have
     * begun.
     */
    ClientContext adopting(final int otherSlot, final long otherIncarnation, final WaitStrategy strategy)
    {
        final ClientContext other = new ClientContext()
            .aeronDirectoryName(aeronDirectoryName)
            .driver(driver)
            .transport(null == transport ? null : transport.another())
            .job(jobName)
            .slot(otherSlot)
            .initialClock(CLOCK_OF_SLOT)
            .coordinators(coordinators)
            .coordinatorChannel(coordinatorChannel)
            .coordinatorResponseEndpoint(anyPort(coordinatorResponseEndpoint))
            .responseEndpoint(anyPort(responseEndpoint))
            .termLength(termLength)
            .mtu(mtu)
            .ackLevel(ackLevel)
            .operationTimeoutNs(operationTimeoutNs)
            .serverTimeoutNs(serverTimeoutNs)
            .nanoClock(nanoClock)
            .epochClock(epochClock)
            .waitStrategy(strategy)
            .errorHandler(errorHandler);
        other.named(otherIncarnation).isAdopting = true;
        other.jobId = jobId;

        return other;
    }

    private static String anyPort(final String endpoint)
    {
        return null == endpoint ? null : endpoint.substring(0, endpoint.lastIndexOf(':')) + ":0";
    }

    private void checkRole()
    {
        if (isBackedUp || isBackup)
        {
            final String name = isBackup ? "backup" : "backedUp";
            Check.that(!isBackup || !isBackedUp, name, true, "false where backedUp=true: a process is one of the two");
            Check.that(slot >= 0, name, true, "false for an observer");
            incarnation = !isIncarnationOwn ? incarnation : isBackup ? incarnation | 1 : incarnation & ~1L;
            Check.that(!job.mode().acceptsLoss() && !job.mode().isStateless() && !isOutageReading, name, true,
                "false where pushes may be lost or outages are read through: mode=" + job.mode() + " outageReads=" +
                isOutageReading);
            Check.that(SpoolPolicy.BLOCK == spoolPolicy, name, true, "false with spoolPolicy=" + spoolPolicy +
                ": both processes of the slot push the same");
            Check.that(partsPerClock > 0 && partsPerClock <= SlotRole.MAX_PARTS_PER_CLOCK, "partsPerClock",
                partsPerClock, "1.." + SlotRole.MAX_PARTS_PER_CLOCK);
        }
    }

    private static WorkerIdentity.Numbering numbering(final LongSupplier epochMs)
    {
        return new WorkerIdentity.Numbering(
            epochMs, 1 + ThreadLocalRandom.current().nextInt(WorkerIdentity.MAX_STEP));
    }

    private SlotRole role()
    {
        return isBackup ? SlotRole.backup(partsPerClock) :
            isBackedUp ? SlotRole.backedUp(partsPerClock) : SlotRole.SOLE;
    }

    private ClientSettings settings()
    {
        return new ClientSettings(
            new WorkerIdentity(jobId, slot, incarnation, role(),
                isIncarnationOwn ? numbering(epochClock::time) : leaseNumbering),
            job.partitions(),
            ackLevel,
            spoolPolicy,
            isAudited,
            initialClock,
            new ClientSettings.Limits(spoolBytesPerPartition, spoolTotalBytes, maxInFlight, maxTickets,
                maxPullsPerPartition, maxPartLength, isOutageReading ? rowCacheBytesPerTable : 0),
            new SessionTiming(CONNECT_RETRY_NS, BUSY_RETRY_NS, stallNs),
            new ClientSettings.Timing(CONNECT_RETRY_NS, KEEP_ALIVE_NS, serverProbeNs, serverTimeoutNs),
            latencyListener,
            outageListener,
            (problem) -> errorHandler.onError(new GradstreamException(problem)));
    }

    /**
     * Fill in the settings left open. Pushes that wait for a snapshot stay long in the spool: its bounds are larger
     * then.
     */
    private void fillIn(final List<String> servers)
    {
        responseEndpoint = null != responseEndpoint || null != transport ?
            responseEndpoint : OwnAddress.facing(servers);
        ackLevel = null == ackLevel ? AckLevel.valueOf(job.mode().ackLevel().toUpperCase(Locale.ROOT)) : ackLevel;
        isOutageReading = null == isOutageReading ? job.mode().isStateless() : isOutageReading;
        final boolean isSnapshotted = AckLevel.SNAPSHOTTED == ackLevel;
        if (Configuration.UNSET == spoolBytesPerPartition)
        {
            spoolBytesPerPartition = isSnapshotted ?
                Math.max(MIN_SNAPSHOTTED_SPOOL_BYTES,
                Integer.highestOneBit(Configuration.SNAPSHOTTED_SPOOL_BYTES_DEFAULT / job.partitions())) :
                Configuration.SPOOL_BYTES_DEFAULT;
        }
        // the other half is for a spool that grows, which is copied, and for all else
        final long mostBytes = DirectMemory.maxBytes() / 2;
        Check.that(spoolTotalBytes >= 0 && spoolTotalBytes <= mostBytes, "spoolTotalBytes", spoolTotalBytes,
            "0.." + mostBytes + ", half of the direct memory of this JVM: raise -Xmx or -XX:MaxDirectMemorySize");
        if (Configuration.SPOOL_TOTAL_BYTES_DEFAULT == spoolTotalBytes)
        {
            spoolTotalBytes = mostBytes;
        }
        if (Configuration.UNSET == maxInFlight)
        {
            maxInFlight = isSnapshotted ?
                Configuration.SNAPSHOTTED_MAX_IN_FLIGHT_DEFAULT : Configuration.MAX_IN_FLIGHT_DEFAULT;
        }
        if (Configuration.UNSET == maxTickets)
        {
            maxTickets = isSnapshotted ?
                Configuration.SNAPSHOTTED_MAX_TICKETS_DEFAULT : Configuration.MAX_TICKETS_DEFAULT;
        }
    }

    /** Directory of a running media driver; required unless a connection to one is given. */
    public ClientContext aeronDirectoryName(final String directoryName)
    {
        aeronDirectoryName = directoryName;
        return this;
    }

    /** A connection to a media driver, to share; it is not closed with this client. */
    public ClientContext driver(final DriverConnection connection)
    {
        driver = connection;
        return this;
    }

    /**
     * Another way to the servers than a media driver, for tests and simulators; it is closed with the client. It needs
     * a {@link #coordinatorChannel} that does without a media driver, too.
     */
    public ClientContext transport(final Transport way)
    {
        transport = way;
        return this;
    }

    /** Name of the job in the cluster, default that of the job with which the cluster began. */
    public ClientContext job(final String name)
    {
        jobName = name;
        return this;
    }

    /** Place in the job, 0 or more, or {@link #OBSERVER}. Default 0. */
    public ClientContext slot(final int number)
    {
        slot = number;
        isAnySlot = false;
        return this;
    }

    /**
     * The coordinators choose the place in the job: one that no process holds, first one whose process has died with
     * work that it had not done. The client goes on at the slot's clock, and {@link GradstreamClient#slot()} names the
     * slot. While none is free the client waits, as long as the operation timeout.
     */
    public ClientContext anySlot()
    {
        isAnySlot = true;
        return this;
    }

    /**
     * Number of the process that holds the slot. It must grow with each process, and holder and backup must not have
     * the same. Default: epoch time in milliseconds, odd for a backup and even for its holder; or, if the process
     * before has a number that this host's clock has not reached, one above that number.
     */
    public ClientContext incarnation(final long number)
    {
        incarnation = number;
        isIncarnationOwn = false;
        return this;
    }

    /**
     * Iterations the slot has finished before, when its work is taken over; the client is made once every partition has
     * been told. Default 0. With {@link #CLOCK_OF_SLOT} the client asks the servers, and
     * {@link GradstreamClient#clocksDone()} says after which iteration to go on.
     */
    public ClientContext initialClock(final long clock)
    {
        if (clock < CLOCK_OF_SLOT)
        {
            throw new IllegalArgumentException("invalid initialClock=" + clock +
                ": must be 0 or more, or CLOCK_OF_SLOT for where the servers say");
        }
        initialClock = clock;
        return this;
    }

    /**
     * This process holds its slot, and another process, made with {@link #backup(boolean)}, may push the same. The slot
     * must be backed up from its first clock on. The process begins where the servers say, whatever the initial clock,
     * and ends each iteration with {@link GradstreamClient#clock()}. Default false: every process before this one is
     * fenced.
     */
    public ClientContext backedUp(final boolean isOn)
    {
        isBackedUp = isOn;
        return this;
    }

    /**
     * This process pushes the same as the holder of a slot that is {@link #backedUp(boolean)}: of each iteration the
     * first push to arrive counts. It waits as long as the operation timeout until there is such a holder. Default
     * false.
     */
    public ClientContext backup(final boolean isOn)
    {
        isBackup = isOn;
        return this;
    }

    /**
     * Most messages of pushes to a partition between two clocks of a slot that is backed up, 1 to
     * {@link SlotRole#MAX_PARTS_PER_CLOCK}. A push is one message, or several if it does not fit
     * {@link #maxPartLength(int)}. Missing messages are sent empty. The same in both processes of the slot. Default 1.
     */
    public ClientContext partsPerClock(final int parts)
    {
        partsPerClock = parts;
        return this;
    }

    /**
     * host:port of the coordinators by member id, one or three: they say which partitions and servers there are, now
     * and after each change. Required.
     */
    public ClientContext coordinators(final List<String> hostPorts)
    {
        coordinators = List.copyOf(hostPorts);
        return this;
    }

    /**
     * Another way to the coordinators than {@link #coordinators(List)}, for tests and simulators: makes the channel,
     * given the receiver of its messages.
     */
    public ClientContext coordinatorChannel(final Function<CoordinatorChannel.Listener, CoordinatorChannel> connector)
    {
        coordinatorChannel = connector;
        return this;
    }

    /**
     * host:port at which answers of coordinators come in, port 0 for any. Default: any port of this machine's address
     * towards them.
     */
    public ClientContext coordinatorResponseEndpoint(final String hostPort)
    {
        coordinatorResponseEndpoint = hostPort;
        return this;
    }

    /** Called with problems that do not stop the client. Default: standard error. */
    public ClientContext errorHandler(final ErrorHandler handler)
    {
        errorHandler = handler;
        return this;
    }

    /** When a push is acknowledged and leaves the spool. Default: the level of the job's recovery mode. */
    public ClientContext ackLevel(final AckLevel level)
    {
        ackLevel = level;
        return this;
    }

    /** Count pushes in the audit table, in the same message as the gradients. Default off. */
    public ClientContext audit(final boolean isOn)
    {
        isAudited = isOn;
        return this;
    }

    /** Whether a push that finds its spool full waits, the default, or is dropped. */
    public ClientContext spoolPolicy(final SpoolPolicy policy)
    {
        spoolPolicy = policy;
        return this;
    }

    /**
     * Answer pulls from a partition that is out of reach with the rows last pulled, and say how old they are. A pull of
     * a row that this process has never pulled waits until the partition is back. Default: as the job's recovery mode
     * says.
     */
    public ClientContext outageReads(final boolean isOn)
    {
        isOutageReading = isOn;
        return this;
    }

    /**
     * Bytes, more than 0, of rows of each table kept for {@link #outageReads(boolean)}; the rows kept longest make room
     * for new ones. Default: {@link Configuration#ROW_CACHE_BYTES_DEFAULT}.
     */
    public ClientContext rowCacheBytesPerTable(final long bytes)
    {
        rowCacheBytesPerTable = bytes;
        return this;
    }

    /**
     * Most bytes of pushes kept for each partition, a power of two; full: see {@link #spoolPolicy}. They are taken in
     * steps, as they are needed. Default: {@link Configuration#SPOOL_BYTES_DEFAULT}, or
     * {@link Configuration#SNAPSHOTTED_SPOOL_BYTES_DEFAULT} for all partitions together where pushes wait to be
     * snapshotted.
     */
    public ClientContext spoolBytesPerPartition(final int bytes)
    {
        spoolBytesPerPartition = bytes;
        return this;
    }

    /**
     * Most bytes that the pushes kept for all partitions take together, whatever each partition may keep; full: see
     * {@link #spoolPolicy}. At most half of the direct memory that this JVM may take, which is also the default; 0
     * stands for the default.
     */
    public ClientContext spoolTotalBytes(final long bytes)
    {
        spoolTotalBytes = bytes;
        return this;
    }

    /**
     * Parts, 2 or more, kept for each partition; full: see {@link #spoolPolicy}. Default:
     * {@link Configuration#MAX_IN_FLIGHT_DEFAULT}, or {@link Configuration#SNAPSHOTTED_MAX_IN_FLIGHT_DEFAULT} where
     * pushes wait to be snapshotted.
     */
    public ClientContext maxInFlight(final int parts)
    {
        maxInFlight = parts;
        return this;
    }

    /**
     * Outstanding tickets, a power of two, 2 or more; more wait. Default: {@link Configuration#MAX_TICKETS_DEFAULT}, or
     * {@link Configuration#SNAPSHOTTED_MAX_TICKETS_DEFAULT} where pushes wait to be snapshotted.
     */
    public ClientContext maxTickets(final int tickets)
    {
        maxTickets = tickets;
        return this;
    }

    /**
     * Outstanding pull messages at each partition, 1 or more; further ones wait. Default:
     * {@link Configuration#MAX_PULLS_DEFAULT}.
     */
    public ClientContext maxPullsPerPartition(final int pulls)
    {
        maxPullsPerPartition = pulls;
        return this;
    }

    /**
     * Bytes of sections and values of one message; larger pushes become several. Default 65,000.
     *
     * @param bytes at most what one claim of the log takes.
     */
    public ClientContext maxPartLength(final int bytes)
    {
        maxPartLength = bytes;
        return this;
    }

    /** How long blocking calls wait. Default: {@link Configuration#OPERATION_TIMEOUT_DEFAULT_NS}. */
    public ClientContext operationTimeoutNs(final long timeoutNs)
    {
        operationTimeoutNs = timeoutNs;
        return this;
    }

    /**
     * Silence of a server after which it counts as out of reach and is asked whether it still knows this worker.
     * Servers speak each 100 ms. Default: {@link Configuration#SERVER_PROBE_DEFAULT_NS}.
     */
    public ClientContext serverProbeNs(final long silenceNs)
    {
        serverProbeNs = silenceNs;
        return this;
    }

    /** How long pushes may be on their way without any being applied until they are sent again. Default 2 s. */
    public ClientContext stallNs(final long timeoutNs)
    {
        stallNs = timeoutNs;
        return this;
    }

    /**
     * Silence of a server after which a new connection to it is made. Default:
     * {@link Configuration#SERVER_TIMEOUT_DEFAULT_NS}.
     */
    public ClientContext serverTimeoutNs(final long timeoutNs)
    {
        serverTimeoutNs = timeoutNs;
        return this;
    }

    /** Idle strategy of blocking calls, on the caller's thread. Default: yield a while, then sleep up to 1 ms. */
    public ClientContext idleStrategy(final IdleStrategy strategy)
    {
        idleStrategy = strategy;
        return this;
    }

    /**
     * Waits in blocking calls, and decides what happens meanwhile. Default: {@link WaitStrategy#polling} with the idle
     * strategy of this context.
     */
    public ClientContext waitStrategy(final WaitStrategy strategy)
    {
        waitStrategy = strategy;
        return this;
    }

    /** Clock of time-outs and latencies. Default: the system's. */
    public ClientContext nanoClock(final NanoClock clock)
    {
        nanoClock = clock;
        return this;
    }

    /** Clock from which the default {@link #incarnation(long)} and the time of a model come. Default: the system's. */
    public ClientContext epochClock(final EpochClock clock)
    {
        epochClock = clock;
        return this;
    }

    /** Called with the time that pushes and pulls took; must not call the client. Default: none. */
    public ClientContext latencyListener(final LatencyListener listener)
    {
        latencyListener = listener;
        return this;
    }

    /** Called when a partition that changed its primary acknowledges again; must not call the client. Default: none. */
    public ClientContext outageListener(final OutageListener listener)
    {
        outageListener = listener;
        return this;
    }

    /**
     * host:port at which answers come in; port 0 lets the system choose. Default: port 0 of this machine's address
     * towards the servers.
     */
    public ClientContext responseEndpoint(final String endpoint)
    {
        responseEndpoint = endpoint;
        return this;
    }

    /** Term length of requests in bytes, a power of two. Default: {@link Configuration#TERM_LENGTH_DEFAULT}. */
    public ClientContext termLength(final int bytes)
    {
        termLength = bytes;
        return this;
    }

    /**
     * Longest datagram of requests in bytes, a multiple of 32, or 0 (the default) for what fits the interface that
     * holds the response endpoint's address.
     */
    public ClientContext mtu(final int bytes)
    {
        mtu = bytes;
        return this;
    }
}
