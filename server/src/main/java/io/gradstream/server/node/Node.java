// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.recovery.chain.ChainMonitor;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.share.ConnectionLimit;
import org.agrona.concurrent.NanoClock;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * One process of a node: follows the coordinator's maps, keeps the partitions that these place here, and answers
 * workers as long as its leases hold. It is driven by one thread, and everything it needs comes in by ports.
 */
public final class Node implements AutoCloseable
{
    /** Interval in nanoseconds at which the counters of copies are updated. */
    public static final long SHOW_INTERVAL_NS = 100_000_000;
    /** A worker that was heard within so long is there: it says so five times in that time. */
    static final long SENDER_HEARD_NS = 1_000_000_000;

    private final NodeIdentity identity;
    private final NodeTiming timing;
    private final NanoClock clock;
    private final CoordinatorPort coordinator;
    private final NodeTransport transport;
    private final NodeHost host;
    private final NodeCounters counters;
    private final Readiness readiness;
    private final HostedPartitions partitions = new HostedPartitions();
    private final ChainMonitor monitor;
    private final NodeReporter reporter;
    private final NeighbourMessages neighbours;
    private final WorkerConnections connections;
    private final WorkerRequests requests;
    private final IngressAdapter ingress;
    private final DuplicateNodeCheck duplicateCheck;
    private final BitSet toldDamage = new BitSet();
    private final BitSet toldOutpaced = new BitSet();
    private final Leftovers leftovers;
    /** Partitions whose place is here by the newest map. */
    private final BitSet assigned = new BitSet();
    /** Partitions that are to be kept here: those, and others that this node has a role in or is needed for. */
    private final BitSet kept = new BitSet();
    /** The same with the numbers of their jobs: another job may have a partition's number. */
    private final Set<Long> keptOfJobs = new HashSet<>();
    /** Partitions that other nodes keep, which need nothing of this one. */
    private final BitSet elsewhere = new BitSet();
    /** The newest map with a job, or null. */
    private ClusterMap map;
    /** True while copies may have to be closed, or opened, by the newest map. */
    private boolean isMapNew;
    private boolean isPlaced;
    /** True unless this node was told later decisions before. */
    private boolean isNewest;
    /** Most attempts of a copy that is no longer kept to follow a predecessor. */
    private long attempts;
    private long slowTickNs;
    private long showNs;
    private int turn;

    /**
     * A node that waits for its first map.
     *
     * @param clock of the process; read several times in each duty cycle, because a pause may fall in between.
     */
    public Node(
        final NodeIdentity identity,
        final NodeTiming timing,
        final NanoClock clock,
        final CoordinatorPort coordinator,
        final NodeTransport transport,
        final NodeHost host,
        final NodeCounters counters)
    {
        this.identity = identity;
        this.timing = timing;
        this.clock = clock;
        this.coordinator = coordinator;
        this.transport = transport;
        this.host = host;
        this.counters = counters;
        leftovers = new Leftovers(host);
        readiness = new Readiness(identity.nodeId());
        monitor = new ChainMonitor(identity.nodeId(), identity.incarnation(), JobSpec.MAX_NODES, timing.chain(),
            List.of(), transport.neighbours(), this::isAnswered);
        reporter = new NodeReporter(identity, timing.reportNs(), coordinator, partitions, monitor);
        neighbours = new NeighbourMessages(identity.jobId(), clock, monitor, partitions, counters);
        connections = new WorkerConnections((id) -> null != map && null != map.job(id),
            new ConnectionLimit(transport.maxConnections()), transport, transport.maxKeyListBytes(), counters);
        requests = new WorkerRequests(identity, partitions, connections, transport.maxResponseLength(),
            timing.signOfLifeNs(), (copy) -> checkAnswering(copy, clock.nanoTime()), counters);
        ingress = new IngressAdapter(requests);
        duplicateCheck = new DuplicateNodeCheck(
            identity.nodeId(), identity.incarnation(), identity.endpoint(), timing.otherProcessNs());
        final long nowNs = clock.nanoTime();
        showNs = nowNs;
        slowTickNs = nowNs - timing.slowTickNs();
    }

    /**
     * One duty cycle: hear, decide, answer.
     *
     * @throws IllegalStateException if the node cannot go on.
     */
    public int doWork()
    {
        final long nowNs = clock.nanoTime();
        int workCount = 0;
        if (nowNs - slowTickNs >= timing.slowTickNs())
        {
            slowTickNs = nowNs;
            workCount += slowTick(nowNs);
        }
        workCount += hearCoordinator(nowNs);
        workCount += transport.pollNeighbours(neighbours);
        // messages heard before a pause in this cycle are as old as the pause is long
        final long heardNs = clock.nanoTime();
        checkHandOvers(heardNs);
        workCount += monitor.doWork(heardNs);
        checkAnswering(heardNs);
        requests.nowNs(heardNs);
        workCount += transport.pollWorkers(ingress);
        // first the replicas act on the newest map, and then they report under the chain versions in it
        workCount += partitionWork(heardNs);
        // a node that cannot serve the job ends before the coordinators know it, and is given no place
        workCount += null == map && !host.isFitForAnyJob() ? 0 : reporter.doWork(heardNs);
        // a pause since the beginning of this cycle may have cost the leases
        checkAnswering(clock.nanoTime());
        workCount += requests.doWork();
        if (requests.takeRecordingAwaited())
        {
            host.onRecordingAwaited();
        }

        return workCount;
    }

    /** Says whether every copy that the coordinator has placed here is in sync. Any thread may ask. */
    public Readiness readiness()
    {
        return readiness;
    }

    /** The copy of a partition, or null if none is kept here. */
    public HostedPartition hosted(final int partition)
    {
        return partitions.of(partition);
    }

    /**
     * True if a copy may answer workers: it is the primary, no other replica can have taken its place, and the
     * coordinators know that it goes on without the removed members.
     *
     * @param copy kept here.
     */
    public boolean mayAnswer(final HostedPartition copy, final long nowNs)
    {
        return copy.isPrimary() && copy.replica().chain().isConfirmed() &&
            monitor.holdsLease(copy.replica(), nowNs);
    }

    @Override
    public void close()
    {
        readiness.onEnd();
        connections.close();
        partitions.close();
        leftovers.close();
    }

    private int slowTick(final long nowNs)
    {
        long brokenRecords = 0;
        for (final HostedPartition copy : partitions.all())
        {
            checkReplica(copy.number(), copy.replica());
            tellDamage(copy.number(), copy.replica().shortfall());
            tellOutpaced(copy.number(), copy.replica().downstream().isOutpaced());
            brokenRecords += copy.replica().upstream().brokenRecords();
        }
        counters.set(Counter.BROKEN_RECORDS, brokenRecords);
        final int moved = followMap(nowNs) + leftovers.doWork(nowNs);
        readiness.onTick(partitions.all(), isPlaced ? assigned : null, coordinator, nowNs);
        partitions.all().forEach((copy) -> copy.onTime(nowNs));
        show(nowNs);
        duplicateCheck.check(nowNs);
        requests.closeKeyLists();

        return moved + connections.slowTick(nowNs, timing.workerTimeoutNs());
    }

    private int followMap(final long nowNs)
    {
        if (!isMapNew)
        {
            return 0;
        }
        final int workCount = dropMoved() + openLate(nowNs);
        isMapNew = kept.stream().anyMatch((partition) -> null == partitions.of(partition)) ||
            partitions.all().stream().anyMatch(this::isGone) ||
            isNewest && host.jobsOnDisk().keySet().stream().anyMatch(map::isDeleted);

        return workCount;
    }

    /**
     * Close copies that other nodes keep in place of this one, and have what is left of them deleted. The pulls that
     * waited for them were given up in the duty cycles since.
     */
    private int dropMoved()
    {
        int dropped = 0;
        for (final HostedPartition copy : List.copyOf(partitions.all()))
        {
            // a chain that is older than the copy's own is one that the coordinators have forgotten to have changed
            final boolean isElsewhere = elsewhere.get(copy.number()) &&
                map.chains().chains().get(copy.number()).version() >= copy.replica().chain().version();
            if (!copy.isPrimary() && (isElsewhere || isGone(copy)))
            {
                attempts = Math.max(attempts, copy.replica().upstream().attempts());
                monitor.remove(copy.number());
                partitions.remove(copy);
                host.onDropped(copy);
                dropped++;
            }
        }
        for (int partition = elsewhere.nextSetBit(0); partition >= 0; partition = elsewhere.nextSetBit(partition + 1))
        {
            if (null == partitions.of(partition))
            {
                final ClusterMap.Job job = map.jobOf(partition);
                leftovers.delete(job.id(), partition - job.firstPartition());
            }
        }
        if (isNewest)
        {
            // by number, so that the simulator takes the same course each time
            new TreeMap<>(host.jobsOnDisk()).forEach(this::deleteIfGone);
        }

        return dropped;
    }

    private void deleteIfGone(final int jobId, final int partitionCount)
    {
        boolean isAllDeleted = map.isDeleted(jobId);
        for (int partition = 0; partition < partitionCount && map.isDeleted(jobId); partition++)
        {
            if (null == partitions.of(jobId, partition))
            {
                leftovers.delete(jobId, partition);
            }
            isAllDeleted &= leftovers.isDeleted(jobId, partition);
        }
        if (isAllDeleted)
        {
            host.onDeleted(jobId);
        }
    }

    /** True if the job of a copy was deleted. Another job may have its partition's number by now. */
    private boolean isGone(final HostedPartition copy)
    {
        return isNewest && map.isDeleted(copy.jobId());
    }

    /** The chains as the copies here are to have them: one whose job was deleted has a role no more. */
    private ChainMap chainsHere()
    {
        final List<Chain> chains = new ArrayList<>(map.chains().chains());
        for (final HostedPartition copy : partitions.all())
        {
            while (chains.size() <= copy.number())
            {
                chains.add(copy.replica().chain());
            }
            final ClusterMap.Job job = map.jobOf(copy.number());
            if (null == job || job.id() != copy.jobId())
            {
                chains.set(copy.number(), isGone(copy) ? emptied(copy.replica().chain()) : copy.replica().chain());
            }
        }

        return new ChainMap(map.version(), map.chains().incarnations(), chains);
    }

    /** The chain of a deleted job, newer by one version: two versions on, the next job's may begin. */
    private static Chain emptied(final Chain last)
    {
        final boolean isEmptied = last.members().isEmpty() && last.isConfirmed();
        return isEmptied ? last : new Chain(last.epoch(), last.version() + 1, List.of(), Chain.NONE, last.wanted());
    }

    /** Open copies that had to wait until what was left of earlier ones was deleted. */
    private int openLate(final long nowNs)
    {
        final int opened = openKept();
        if (opened > 0)
        {
            monitor.onMap(chainsHere(), nowNs);
        }

        return opened;
    }

    private int openKept()
    {
        int opened = 0;
        for (int partition = kept.nextSetBit(0); partition >= 0; partition = kept.nextSetBit(partition + 1))
        {
            final ClusterMap.Job job = map.jobOf(partition);
            if (null == partitions.of(partition) && leftovers.keep(job.id(), partition - job.firstPartition()))
            {
                final HostedPartition copy = host.newPartition(job, partition, transport.neighbours());
                partitions.add(copy);
                copy.replica().upstream().attempts(attempts);
                copy.replica().recoveryStateListener(host);
                tellJob(copy);
                monitor.add(copy.replica());
                opened++;
            }
        }

        return opened;
    }

    private void checkReplica(final int partition, final Replica replica)
    {
        if (null != replica.haltReason())
        {
            throw new IllegalStateException("partition=" + partition + " halted: " + replica.haltReason());
        }
        if (null != replica.shortfall() && replica.isOnlyCopy())
        {
            throw new IllegalStateException("partition=" + partition + " has no other copy: " + replica.shortfall());
        }
    }

    /**
     * Report damage to the host. Where there is another copy, nothing else says why this one is fetched or not opened.
     */
    private void tellDamage(final int partition, final String damage)
    {
        if (null != damage && !toldDamage.get(partition))
        {
            host.onDamage(partition, damage);
        }
        toldDamage.set(partition, null != damage);
    }

    private void tellOutpaced(final int partition, final boolean isOutpaced)
    {
        if (isOutpaced && !toldOutpaced.get(partition))
        {
            host.onOutpaced(partition);
        }
        toldOutpaced.set(partition, isOutpaced);
    }

    private void show(final long nowNs)
    {
        if (nowNs - showNs >= SHOW_INTERVAL_NS)
        {
            showNs = nowNs;
            host.onCounters();
            tellNoRoom();
            for (final HostedPartition copy : partitions.all())
            {
                host.onReplica(copy, copy.isPrimary() && monitor.holdsLease(copy.replica(), nowNs));
            }
        }
    }

    private void tellNoRoom()
    {
        final ConnectionLimit.NoRoom noRoom = connections.takeNoRoom();
        if (null != noRoom)
        {
            host.onNoRoom(noRoom);
        }
    }

    /** True if the coordinators have answered since then. If not, they are asked. */
    private boolean isAnswered(final long sinceNs)
    {
        final boolean isAnswered = coordinator.isAnswered(sinceNs);
        if (!isAnswered)
        {
            coordinator.ask();
        }

        return isAnswered;
    }

    private int hearCoordinator(final long nowNs)
    {
        final int workCount = coordinator.doWork(nowNs);
        final ClusterMap map = coordinator.poll();
        if (null != map)
        {
            onMap(map, clock.nanoTime());
        }

        return workCount;
    }

    /** Keep the partitions placed here from now on, and no others unless they need what is kept of them here. */
    private void onMap(final ClusterMap newMap, final long nowNs)
    {
        host.onCluster(newMap.clusterId());
        duplicateCheck.onMap(newMap, nowNs);
        transport.onEndpoints(newMap.endpoints());
        if (newMap.jobs().isEmpty())
        {
            return;
        }
        newMap.jobs().stream().filter((job) -> null == map || null == map.job(job.id())).forEach(host::onJob);
        map = newMap;
        isPlaced = isPlacedBy(map);
        isNewest = map.version() >= host.placesVersion();
        final Set<Long> keptBefore = Set.copyOf(keptOfJobs);
        keptOfJobs.clear();
        kept.clear();
        elsewhere.clear();
        assigned.clear();
        for (int partition = 0; partition < map.assignment().size(); partition++)
        {
            if (null == map.jobOf(partition))
            {
                continue;
            }
            final Chain chain = map.chains().chains().get(partition);
            final boolean isNeeded =
                chain.holds(identity.nodeId()) || chain.requiredReplicas().contains(identity.nodeId());
            assigned.set(partition, map.assignment().get(partition).contains(identity.nodeId()));
            final boolean isKept = assigned.get(partition) || isNeeded;
            kept.set(partition, isKept);
            if (isKept)
            {
                keptOfJobs.add((long)map.jobOf(partition).id() << Integer.SIZE | partition);
            }
            // nobody keeps a job that is not placed
            elsewhere.set(partition, isPlaced && isNewest && !isKept && Chain.NONE != chain.head() &&
                chain.isConfirmed() && !chain.isDegraded());
        }
        if (!keptOfJobs.equals(keptBefore) && isNewest)
        {
            host.onPlaces(map.version());
        }
        if (!isNewest)
        {
            host.onOlderMap(map.version());
        }
        isMapNew = true;
        openKept();
        partitions.all().forEach(this::tellJob);
        requests.onJobs(map.jobs(), nowNs);
        monitor.onMap(chainsHere(), nowNs);
    }

    /** Tell a copy what may have changed of its job. */
    private void tellJob(final HostedPartition copy)
    {
        final ClusterMap.Job job = map.job(copy.jobId());
        if (null != job)
        {
            copy.onConsistency(job.spec().consistency());
            // at least a byte: 0 would be no limit
            final long rowBytes = job.spec().limits().rowBytes();
            copy.partition().maxRowBytes(0 == rowBytes ? 0 : Math.max(1, rowBytes / job.spec().partitions()));
        }
    }

    private boolean isPlacedBy(final ClusterMap map)
    {
        final List<Long> incarnations = map.chains().incarnations();
        return map.assignment().stream().anyMatch((nodes) -> !nodes.isEmpty()) &&
            identity.nodeId() < incarnations.size() && identity.incarnation() == incarnations.get(identity.nodeId());
    }

    /** A head does not stop while it alone holds what a process has pushed that is no longer there. */
    private void checkHandOvers(final long nowNs)
    {
        final List<HostedPartition> all = partitions.all();
        for (int i = 0, size = all.size(); i < size; i++)
        {
            final HostedPartition copy = all.get(i);
            if (Chain.NONE != copy.replica().chain().transferee() && copy.isPrimary())
            {
                copy.replica().mayHandOver(copy.partition().isHeldBySenders((slot, incarnation) ->
                    connections.isHeard(copy.jobId(), slot, incarnation, SENDER_HEARD_NS, nowNs)));
            }
        }
    }

    private void checkAnswering(final long nowNs)
    {
        final List<HostedPartition> all = partitions.all();
        for (int i = 0, size = all.size(); i < size; i++)
        {
            checkAnswering(all.get(i), nowNs);
        }
    }

    private void checkAnswering(final HostedPartition copy, final long nowNs)
    {
        copy.mayAnswer(mayAnswer(copy, nowNs));
    }

    /** Another copy begins each time: those of one neighbour share a stream, and the first could take all its room. */
    private int partitionWork(final long nowNs)
    {
        int workCount = 0;
        final List<HostedPartition> all = partitions.all();
        final int size = all.size();
        turn = turn + 1 < size ? turn + 1 : 0;
        for (int n = 0, i = turn; n < size; n++, i = i + 1 < size ? i + 1 : 0)
        {
            workCount += all.get(i).doWork(nowNs);
            if (all.get(i).startSnapshotIfDue())
            {
                counters.increment(Counter.STARTED_SNAPSHOTS);
            }
        }

        return workCount;
    }
}
