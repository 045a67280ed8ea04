// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.archive.client.AeronArchive;
import io.gradstream.codecs.Check;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.driver.DirectoryOwner;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.AbandonedClients;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.driver.client.DirectoryLock;
import io.gradstream.driver.client.DriverProbe;
import io.gradstream.driver.client.HostClock;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.recovery.replica.RecoveryStateListener;
import io.gradstream.server.aeron.ServerNode.Configuration;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.share.ConnectionLimit;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.store.ChronicleRowStore;
import io.gradstream.server.table.RowStore;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The settings of a {@link ServerNode} with their defaults.
 *
 * @param <T> type that setters return.
 */
abstract class NodeSettings<T>
{
    private static final int MAX_RECORDINGS = 4096;

    int nodeId;
    int jobId = 1;
    String ingressEndpoint;
    private Path dir;
    DriverProfile profile = HostDriver.Configuration.profile();
    private Path aeronDirectory;
    private boolean isDriverShared;
    String aeronDirectoryName;
    private RowStore.Factory rowStoreFactory;
    long snapshotLogBytes = Configuration.snapshotLogBytes();
    long recoveryTimeNs = Configuration.recoveryTimeNs();
    private long snapshotIntervalNs = Configuration.snapshotIntervalNs();
    boolean keepLogAll = Configuration.keepLogAll();
    boolean acceptsLoss;
    UpdateFunctions functions = UpdateFunctions.BUILT_IN;
    private long heldBytes = Configuration.heldBytes();
    boolean sumCycles = Configuration.sumCycles();
    int responseTermLength = Configuration.responseTermLength();
    int maxConnections = Configuration.maxConnections();
    int mtuLength = HostDriver.Configuration.mtuLength();
    long workerTimeoutNs = Configuration.workerTimeoutNs();
    long moveBandwidth = Configuration.moveBandwidth();
    private List<String> coordinators = List.of();
    private String coordinatorResponseEndpoint;
    ChainTiming chainTiming = Configuration.chainTiming();
    EpochNanoClock incarnationClock = new SystemEpochNanoClock();
    ErrorHandler errorHandler = new CountedErrors("server");
    RecoveryStateListener recoveryStateListener = RecoveryStateListener.NONE;
    /** Null unless driver and Archive are another process's: an Archive of this process holds its own directory. */
    private DirectoryLock directoryLock;

    abstract T self();

    /** Number of this node. */
    public T nodeId(final int value)
    {
        nodeId = value;
        return self();
    }

    /** Update functions of users that this node has, none by default. A job that has others is not served. */
    public T functions(final UpdateFunctions value)
    {
        functions = value;
        return self();
    }

    /** The job served, 1 by default. */
    public T jobId(final int value)
    {
        jobId = value;
        return self();
    }

    /** host:port at which workers reach this node. Required. */
    public T ingressEndpoint(final String value)
    {
        ingressEndpoint = value;
        return self();
    }

    /** Directory of everything this node keeps. */
    public T dir(final Path value)
    {
        dir = value;
        return self();
    }

    /** How threads idle, and how soon a silent peer is given up. */
    public T profile(final DriverProfile value)
    {
        profile = value;
        return self();
    }

    /** Aeron directory of this process's own driver; by default a new one. */
    public T aeronDirectory(final Path value)
    {
        aeronDirectory = value;
        return self();
    }

    /**
     * Aeron directory of a driver that runs already, in another process, and that others use too; by default this
     * process starts its own. The Archive is this process's.
     */
    public T sharedDriver(final Path value)
    {
        isDriverShared = true;
        return aeronDirectory(value);
    }

    /** Aeron directory of a driver and Archive that run already; by default this process starts its own. */
    public T aeronDirectoryName(final String value)
    {
        aeronDirectoryName = value;
        return self();
    }

    /** Makes the row stores; by default off heap in Chronicle Map. */
    public T rowStoreFactory(final RowStore.Factory value)
    {
        rowStoreFactory = value;
        return self();
    }

    RowStore.Factory rowStoreFactory(final int capacity)
    {
        return null != rowStoreFactory ? rowStoreFactory :
            (partition, spec, rowLength) -> new ChronicleRowStore(partition, spec, rowLength, capacity);
    }

    /** Bytes of log after which a partition takes a snapshot; where a log is kept, the least for a small state. */
    public T snapshotLogBytes(final long value)
    {
        snapshotLogBytes = value;
        return self();
    }

    /**
     * How long in nanoseconds the replay of a partition's log may take at a start, at
     * {@link Configuration#REPLAY_BYTES_PER_SECOND}. As far as it allows that, snapshots are taken more seldom than
     * after {@link SnapshotThreshold#LEAST_RATIO} times the state's bytes of log.
     */
    public T recoveryTimeNs(final long value)
    {
        recoveryTimeNs = value;
        return self();
    }

    SnapshotThreshold snapshotThreshold(final RecoveryMode mode)
    {
        return !mode.keepsLog() ? SnapshotThreshold.fixed(snapshotLogBytes) : SnapshotThreshold.proportional(
            snapshotLogBytes, (long)(recoveryTimeNs * (Configuration.REPLAY_BYTES_PER_SECOND / 1e9)));
    }

    /**
     * Most bytes of pushes that are held for a sequential job until all slots have ended a clock. All partitions of the
     * job share them, because this node may come to lead all of them; within a partition all slots that count share
     * them. 0: a share of the heap.
     */
    public T heldBytes(final long value)
    {
        heldBytes = value;
        return self();
    }

    long heldBytesPerPartition(final int partitions)
    {
        final long bytes = heldBytes > 0 ? heldBytes : Math.max(Configuration.LEAST_HELD_BYTES, Math.min(
            Configuration.MOST_HELD_BYTES, Runtime.getRuntime().maxMemory() / Configuration.HEAP_SHARE_HELD));

        return bytes / partitions;
    }

    /**
     * Add up the pushes that one duty cycle brings to a partition, and log and replicate their sum, where the staleness
     * bound is not 0: the value of a row then depends on timing.
     */
    public T sumCycles(final boolean value)
    {
        sumCycles = value;
        return self();
    }

    /**
     * Time in nanoseconds after which a primary takes a snapshot of new records, however few they are; 0: never. By
     * default never where a log is kept, and every 5 s where snapshots are all there is.
     */
    public T snapshotIntervalNs(final long value)
    {
        snapshotIntervalNs = value;
        return self();
    }

    long snapshotIntervalNs(final RecoveryMode mode)
    {
        return snapshotIntervalNs >= 0 ? snapshotIntervalNs :
            mode.keepsLog() ? 0 : Configuration.SNAPSHOT_INTERVAL_DEFAULT_NS;
    }

    /** Keep the whole log, including the part before the oldest snapshot. */
    public T keepLogAll(final boolean value)
    {
        keepLogAll = value;
        return self();
    }

    /**
     * Go on although acknowledged pushes are lost. A partition none of whose copies can hold all of them is opened with
     * the newest sound copy, even an empty one, once every server that keeps a copy has started. Where no log is kept,
     * it is opened empty if no snapshot is sound. Without this setting (the default) such a server ends, or waits for
     * another copy.
     */
    public T acceptsLoss(final boolean value)
    {
        acceptsLoss = value;
        return self();
    }

    /**
     * Bytes a second that this node reads from its disk for copies that join, all together; 0, the default, for no
     * limit. While a copy joins within a limit, its head takes pushes at full speed. A copy never catches up with a
     * partition whose log grows faster.
     */
    public T moveBandwidth(final long value)
    {
        moveBandwidth = value;
        return self();
    }

    /** Term length of each worker's response stream in bytes. */
    public T responseTermLength(final int value)
    {
        responseTermLength = value;
        return self();
    }

    /**
     * Longest datagram of the streams to workers, neighbours and coordinators in bytes; by default the longest that
     * fits the interface that holds the ingress endpoint's address. Records of the log may be longer.
     */
    public T mtuLength(final int value)
    {
        mtuLength = value;
        return self();
    }

    /**
     * Most workers and observers connected at once, of all jobs. A job may have at most
     * {@link ConnectionLimit#MOST_PER_FREE} times as many as are left free. Each one takes memory for its two streams
     * while it is connected, and some ten counters of the media driver.
     */
    public T maxConnections(final int value)
    {
        maxConnections = value;
        return self();
    }

    /** Silence in nanoseconds after which a worker is forgotten. */
    public T workerTimeoutNs(final long value)
    {
        workerTimeoutNs = value;
        return self();
    }

    /**
     * host:port of the coordinators by member id, one or three: they say what the job is, which partitions this node
     * keeps, and when it serves them. Required.
     */
    public T coordinators(final List<String> value)
    {
        coordinators = List.copyOf(value);
        return self();
    }

    /** host:port at which answers of coordinators come in; by default any port of the ingress endpoint's host. */
    public T coordinatorResponseEndpoint(final String value)
    {
        coordinatorResponseEndpoint = value;
        return self();
    }

    CoordinatorPort newCoordinator(final Aeron aeron)
    {
        final String response = null != coordinatorResponseEndpoint ? coordinatorResponseEndpoint :
            ingressEndpoint.substring(0, ingressEndpoint.lastIndexOf(':')) + ":0";

        return new CoordinatorLink(
            (listener) -> new ClusterSession(new ClusterSession.Context()
                .aeron(aeron)
                .endpoints(coordinators)
                .responseEndpoint(response)
                .listener(listener)
                .errorHandler(errorHandler)),
            errorHandler);
    }

    /** How soon neighbours in a chain notice each other's silence. */
    public T chainTiming(final ChainTiming value)
    {
        chainTiming = value;
        return self();
    }

    /** Channel that leads to a neighbour. */
    String chainChannel(final String endpoint, final int termLength)
    {
        return new ChannelUriStringBuilder()
            .media(CommonContext.UDP_MEDIA)
            .endpoint(endpoint)
            .termLength(termLength)
            .mtu(ChannelMtu.within(mtuLength, termLength))
            .linger(0L)
            .build();
    }

    /** Called with errors outside of the protocol. */
    public T errorHandler(final ErrorHandler value)
    {
        errorHandler = value;
        return self();
    }

    /**
     * Set the listener of each change of a replica's recovery state. The node's thread calls the listener, which must
     * not wait.
     *
     * @param value listener; none by default.
     * @return this.
     */
    public T recoveryStateListener(final RecoveryStateListener value)
    {
        recoveryStateListener = value;
        return self();
    }

    /**
     * Clock that numbers this process among those of the node, each above the last. A caller that starts a node again
     * in one process gives a clock that is never set back.
     */
    public T incarnationClock(final EpochNanoClock value)
    {
        incarnationClock = value;
        return self();
    }

    /** True if this process starts its own Archive; else both driver and Archive are another process's. */
    boolean hasOwnArchive()
    {
        return null == aeronDirectoryName;
    }

    /**
     * Claim the directory for its owner, because state is kept there for that owner only. A node without a directory
     * claims none.
     */
    void claimDirectory(final String what, final String value)
    {
        if (null != dir)
        {
            DirectoryOwner.of(dir).claim(what, value);
        }
    }

    /** Keep a value for later processes of this node, in place of the one kept before. */
    void keepInDirectory(final String what, final String value)
    {
        if (null != dir)
        {
            DirectoryOwner.of(dir).keep(what, value);
        }
    }

    /** The value that was kept; null if there is none. */
    String keptInDirectory(final String what)
    {
        return null == dir ? null : DirectoryOwner.of(dir).claimed(what);
    }

    /** The jobs beside the first one of which the directory may hold something: by number their partitions. */
    Map<Integer, Integer> jobsInDirectory()
    {
        return null == dir ? Map.of() : DirectoryOwner.of(dir).jobs();
    }

    /** Keep a value no longer. */
    void forgetInDirectory(final String what)
    {
        if (null != dir)
        {
            DirectoryOwner.of(dir).forget(what);
        }
    }

    /** Refuse a directory that another one has claimed, before anything is written there. */
    void requireDirectory(final String what, final String value)
    {
        if (null != dir)
        {
            DirectoryOwner.of(dir).requireNoOther(what, value);
        }
    }

    HostDriver.Context hostContext()
    {
        final HostDriver.Context host = new HostDriver.Context();
        return (isDriverShared ? host.externalDriver(aeronDirectory) : host.aeronDirectory(aeronDirectory))
            .isForThisProcess(true)
            .archiveDirectory(dir.resolve("archive"))
            .archiveId(nodeId)
            .maxConcurrentRecordings(MAX_RECORDINGS)
            .recordCheck(LogRecords::wholeLength)
            .mtuLength(mtuLength)
            .profile(profile);
    }

    /** Wait for the driver and Archive of another process, and remove there what a dead process of this node left. */
    void awaitExternalDriver()
    {
        DriverProbe.awaitDriver(aeronDirectoryName);
        if (null != dir)
        {
            directoryLock = DirectoryLock.hold(dir, "--dir");
            AbandonedClients.close(aeronDirectoryName, directoryLock.clientName());
        }
        DriverProbe.awaitArchive(aeronDirectoryName, this::externalArchiveContext);
    }

    Aeron.Context externalAeronContext()
    {
        return new Aeron.Context()
            .aeronDirectoryName(aeronDirectoryName)
            .clientName(null == directoryLock ? "" : directoryLock.clientName())
            .epochClock(HostClock.of(aeronDirectoryName));
    }

    AeronArchive.Context externalArchiveContext()
    {
        return new AeronArchive.Context()
            .aeronDirectoryName(aeronDirectoryName)
            .controlRequestChannel(HostDriver.ARCHIVE_CONTROL_CHANNEL)
            .controlRequestStreamId(HostDriver.ARCHIVE_CONTROL_STREAM_ID)
            .controlResponseChannel(HostDriver.ARCHIVE_CONTROL_CHANNEL);
    }

    /** Let the next process have the directory. */
    void releaseDirectory()
    {
        CloseHelper.close(directoryLock);
    }

    void check()
    {
        Check.that(nodeId >= 0, "nodeId", nodeId, "0 or above");
        Check.that(nodeId < JobSpec.MAX_NODES, "nodeId", nodeId, "below " + JobSpec.MAX_NODES);
        Check.that(null != ingressEndpoint && ingressEndpoint.length() <= ClusterMapCodec.MAX_ENDPOINT_LENGTH,
            "ingressEndpoint", ingressEndpoint,
            "host:port of at most " + ClusterMapCodec.MAX_ENDPOINT_LENGTH + " characters");
        Check.that(!coordinators.isEmpty(), "coordinators", coordinators, "host:port of one coordinator or of three");
        Check.that(ChannelMtu.isAllowed(mtuLength), "mtuLength", mtuLength, ChannelMtu.allowed());
        Check.that(null != dir || !hasOwnArchive(), "dir", dir, "given, or aeronDirectoryName of a running driver");
        Check.that(snapshotLogBytes > 0, "snapshotLogBytes", snapshotLogBytes, "above 0");
        Check.that(recoveryTimeNs >= 0 && recoveryTimeNs <= Configuration.MAX_RECOVERY_NS,
            "recoveryTimeNs", recoveryTimeNs, "0 to " + Configuration.MAX_RECOVERY_NS);
        Check.that(Integer.bitCount(responseTermLength) == 1 &&
            responseTermLength >= Configuration.RESPONSE_TERM_LENGTH_DEFAULT &&
            responseTermLength <= Configuration.MAX_RESPONSE_TERM_LENGTH, "responseTermLength", responseTermLength,
            "a power of two from " + Configuration.RESPONSE_TERM_LENGTH_DEFAULT + " to " +
            Configuration.MAX_RESPONSE_TERM_LENGTH);
        Check.that(0 == heldBytes ||
            heldBytes >= Configuration.LEAST_HELD_BYTES && heldBytes <= Configuration.MAX_HELD_BYTES,
            "heldBytes", heldBytes, Configuration.LEAST_HELD_BYTES + " to " + Configuration.MAX_HELD_BYTES +
            ", or 0 for a share of the heap");
        Check.that(0 == moveBandwidth || moveBandwidth >= Configuration.LEAST_MOVE_BANDWIDTH,
            "moveBandwidth", moveBandwidth,
            Configuration.LEAST_MOVE_BANDWIDTH + " bytes a second or more, or 0 for no limit");
        Check.that(maxConnections >= ConnectionLimit.LEAST && maxConnections <= ConnectionLimit.MOST,
            "maxConnections", maxConnections, ConnectionLimit.LEAST + " to " + ConnectionLimit.MOST);
        Check.that(workerTimeoutNs > 0, "workerTimeoutNs", workerTimeoutNs, "above 0");
        mtuLength = ChannelMtu.OF_INTERFACE == mtuLength ? ChannelMtu.of(ingressEndpoint) : mtuLength;
    }
}
