// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.keys.WholeMessages;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.DescribeDecoder;
import io.gradstream.codecs.wire.DisconnectDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.KeepAliveDecoder;
import io.gradstream.codecs.wire.OutcomesKnownDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.SnapshotWantedDecoder;
import io.gradstream.codecs.wire.TakeModelDecoder;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.node.PendingDescriptions.PendingDescription;
import io.gradstream.server.node.PendingModels.PendingModel;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.PushPartHeader;
import io.gradstream.server.share.JobShare;
import io.gradstream.server.share.JobShares;
import org.agrona.DirectBuffer;

import java.util.List;
import java.util.function.Consumer;

/**
 * Hands each request of a worker to the partition that the request names, and tells workers the outcome.
 * <p>
 * Each request returns false if it cannot be taken or answered now: then nothing has happened, and Aeron delivers it
 * again, which slows that worker down. A request whose sender is not the process that it names is counted and ignored.
 */
final class WorkerRequests
{
    private final HostedPartitions partitions;
    private final WorkerConnections connections;
    private final EgressPublisher egress;
    private final WatermarksPublisher watermarks;
    private final PendingPulls pulls;
    private final PendingDescriptions descriptions;
    private final PendingModels models = new PendingModels();
    private final NodeCounters counters;
    private final long signOfLifeNs;
    private final Consumer<HostedPartition> answering;
    private final JobShares shares = new JobShares();
    private final PushPartHeader part = new PushPartHeader();
    private final Sections sections = new Sections();
    private final WholeMessages whole = new WholeMessages();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private long nowNs;

    WorkerRequests(
        final NodeIdentity identity,
        final HostedPartitions partitions,
        final WorkerConnections connections,
        final int maxResponseLength,
        final long signOfLifeNs,
        final Consumer<HostedPartition> answering,
        final NodeCounters counters)
    {
        this.partitions = partitions;
        this.connections = connections;
        this.signOfLifeNs = signOfLifeNs;
        this.answering = answering;
        this.counters = counters;
        egress = new EgressPublisher(identity.nodeId(), identity.incarnation(), maxResponseLength);
        watermarks = new WatermarksPublisher(
            identity.nodeId(), identity.incarnation(), partitions.all(), maxResponseLength);
        pulls = new PendingPulls(egress, counters);
        descriptions = new PendingDescriptions(new DescriptionPublisher(pulls));
    }

    /** A duty cycle begins to hear workers. */
    void nowNs(final long newNowNs)
    {
        nowNs = newNowNs;
        shares.startCycle(newNowNs);
    }

    /** The coordinators tell of the jobs, and what each may take. */
    void onJobs(final List<ClusterMap.Job> jobs, final long heardNs)
    {
        shares.onJobs(jobs, heardNs);
    }

    /** Answer the requests that could not be answered at once, and tell workers how far their parts have come. */
    int doWork()
    {
        int workCount = pulls.doWork(nowNs) + descriptions.doWork() +
            models.doWork(nowNs, connections::hasWorker);
        final List<WorkerConnection> all = connections.all();
        for (int i = 0, size = all.size(); i < size; i++)
        {
            workCount += all.get(i).responses().isConnected() && tell(all.get(i)) ? 1 : 0;
        }
        final List<WorkerConnection> refused = connections.refused();
        for (int i = 0, size = refused.size(); i < size; i++)
        {
            workCount += tellRefused(refused.get(i)) ? 1 : 0;
        }

        return workCount;
    }

    /** True if a worker waited in the last duty cycle until more is recorded. */
    boolean takeRecordingAwaited()
    {
        return watermarks.takeRecordingAwaited();
    }

    boolean onMalformed(final boolean isOtherVersion)
    {
        counters.increment(Counter.MALFORMED_FRAMES);
        if (isOtherVersion)
        {
            counters.increment(Counter.OTHER_VERSION_MESSAGES);
        }

        return true;
    }

    boolean onConnect(final int sessionId, final ConnectDecoder connect)
    {
        final SlotRole role = SlotRole.ofWire(connect.role(), connect.partsPerClock());
        final WorkerConnections.ConnectRequest request = new WorkerConnections.ConnectRequest(
            connect.correlationId(), connect.incarnation(), connect.jobId(), connect.slot(), role,
            connect.responseStreamId(), connect.responseChannel());

        return null != role && connections.onConnect(sessionId, request, nowNs) || drop();
    }

    boolean onHello(final int sessionId, final HelloDecoder hello)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, hello.slot(), hello.incarnation(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), hello.partition());
        if (null != copy)
        {
            // whether it may answer was asked before this message came, and a pause may have fallen in between
            answering.accept(copy);
        }
        final Refusal refusal =
            null == copy ? Refusal.NOT_PRIMARY :
            copy.onHello(hello.slot(), hello.incarnation(), connection.role(), hello.oldestKept(), hello.clock());
        if (Refusal.NONE != refusal)
        {
            final long newest = Refusal.FENCED == refusal ? copy.newestIncarnation(hello.slot()) : 0;
            return refused(egress.partRefused(
                connection, hello.helloId(), epochOf(copy), hello.partition(), 0, newest, refusal));
        }
        connections.onTaken(connection);
        if (!egress.welcome(connection, copy, hello.helloId()))
        {
            return postponed();
        }
        connection.onWelcomed(hello.partition(), hello.helloId(), hello.awaited());
        connections.onKeyLists();
        onOutcomesKnown(connection, copy, hello.oldestKept() > 0 ? hello.oldestKept() - 1 :
            copy.lastOfOthers(hello.slot(), hello.incarnation(), connection.role()));

        return true;
    }

    boolean onCreateTable(final int sessionId, final CreateTableDecoder createTable)
    {
        final WorkerConnection connection = connections.sender(sessionId, createTable.slot(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), createTable.partition());
        final long requestId = createTable.requestId();
        if (null == copy || copy.replica().isSealed())
        {
            return refused(egress.requestRefused(
                connection, 0, createTable.partition(), requestId, Refusal.NOT_PRIMARY));
        }
        final long epoch = createTable.epoch();
        final TableSpec spec = tableSpec(createTable);

        return switch (copy.partition().onCreateTable(spec, epoch))
        {
            case APPENDED, DUPLICATE ->
                egress.tableCreated(connection, copy.partition(), requestId, spec.tableId()) || postponed();
            case REFUSED -> refused(egress.tableRefused(connection, copy.partition(), requestId));
            case NOT_NOW -> postponed();
        };
    }

    /** Take a push, whose sections go from the end of its block to {@code limit}. */
    boolean onPush(final int sessionId, final PushDecoder push, final int limit)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, push.slot(), push.incarnation(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final JobShare share = shares.of(connection.jobId());
        if (!share.mayTake())
        {
            return postponed();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), push.partition());
        if (null == copy)
        {
            return notHosted(connection, push.partition(), push.sequence());
        }
        part.set(
            push.slot(), push.incarnation(), push.epoch(), push.sequence(), push.acknowledgedThrough(), push.clock());
        onOutcomesKnown(connection, copy, push.acknowledgedThrough());
        final long sequence = push.sequence();
        final int begin = push.offset() - MessageHeaderDecoder.ENCODED_LENGTH;
        final boolean isWhole =
            isWhole(connection, copy, push.epoch(), push.keyList(), push.buffer(), begin, limit - begin);
        final int front = MessageHeaderDecoder.ENCODED_LENGTH + PushDecoder.BLOCK_LENGTH;

        // a part that was taken before needs no keys, and one that is not to be taken is refused for that
        final Outcome outcome = isWhole ?
            copy.onPush(part, sections, whole.buffer(), whole.offset() + front, whole.length() - front) :
            copy.judge(part);
        if (null == outcome)
        {
            return refused(egress.partRefused(connection, connection.helloId(push.partition()), epochOf(copy),
                push.partition(), sequence, push.keyList(), Refusal.KEYS_UNKNOWN));
        }
        if (Outcome.NOT_NOW != outcome)
        {
            share.onTaken(whole.length() - MessageHeaderDecoder.ENCODED_LENGTH);
        }

        return onOutcome(connection, copy, sequence, outcome);
    }

    boolean onClockDone(final int sessionId, final ClockDoneDecoder clockDone)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, clockDone.slot(), clockDone.incarnation(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), clockDone.partition());
        if (null == copy)
        {
            return notHosted(connection, clockDone.partition(), clockDone.sequence());
        }
        part.set(
            clockDone.slot(), clockDone.incarnation(), clockDone.epoch(), clockDone.sequence(),
            clockDone.acknowledgedThrough(), clockDone.clock()).adopted(clockDone.adopted());
        onOutcomesKnown(connection, copy, clockDone.acknowledgedThrough());

        return onOutcome(connection, copy, clockDone.sequence(), copy.onClockDone(part));
    }

    /**
     * Put the keys of a push or pull in the place of the number of their list, and keep those that are to be a list.
     * That is the first thing that happens to it: the log, replicas and pulls that wait know nothing of lists. Lists
     * are kept only where the message may be answered: by the primary of its epoch.
     *
     * @return false if the worker has to send the keys.
     */
    private boolean isWhole(
        final WorkerConnection connection,
        final HostedPartition copy,
        final long epoch,
        final long keyList,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        return keyList > 0 && Refusal.NONE == checkReader(copy, epoch) ?
            connections.makeWhole(connection, copy.numberInJob(), whole, buffer, offset, length) :
            whole.wrap(null, buffer, offset, length);
    }

    /** Give back the memory of lists of keys at partitions that this node leads no longer. */
    void closeKeyLists()
    {
        final List<WorkerConnection> all = connections.all();
        for (int i = 0, size = all.size(); i < size; i++)
        {
            if (all.get(i).hasKeyLists())
            {
                closeKeyLists(all.get(i));
            }
        }
    }

    private void closeKeyLists(final WorkerConnection connection)
    {
        connection.closeKeyLists((partition) ->
        {
            final HostedPartition copy = partitions.of(connection.jobId(), partition);
            return null != copy && copy.isPrimary();
        });
        connections.onKeyLists();
    }

    /** Take a pull, which ends at {@code limit}; {@code problem} is why it cannot be answered as it is, or NONE. */
    boolean onPull(final int sessionId, final PullDecoder pull, final int limit, final Refusal problem)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, pull.slot(), pull.incarnation(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), pull.partition());
        final int begin = pull.offset() - MessageHeaderDecoder.ENCODED_LENGTH;
        final Refusal doubt = Refusal.NONE != problem ? problem : checkReader(copy, pull.epoch());
        if (Refusal.NONE == doubt &&
            !isWhole(connection, copy, pull.epoch(), pull.keyList(), pull.buffer(), begin, limit - begin))
        {
            return refused(egress.requestRefused(connection, epochOf(copy), pull.partition(), pull.requestId(),
                pull.keyList(), Refusal.KEYS_UNKNOWN));
        }
        final Refusal refusal = Refusal.NONE != doubt ? doubt : onWholePull(connection, copy, pull);

        return Refusal.NONE == refusal || refused(egress.requestRefused(
            connection, epochOf(copy), pull.partition(), pull.requestId(), refusal));
    }

    private Refusal onWholePull(
        final WorkerConnection connection, final HostedPartition copy, final PullDecoder pull)
    {
        pull.wrapAndApplyHeader(whole.buffer(), whole.offset(), header);

        return pulls.onPull(connection, copy, pull, pull.buffer(),
            pull.offset() + PullDecoder.BLOCK_LENGTH + PullDecoder.bodyHeaderLength());
    }

    boolean onDescribe(final int sessionId, final DescribeDecoder describe)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, describe.slot(), describe.incarnation(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), describe.partition());
        final Refusal doubt = checkReader(copy, describe.epoch());
        final Refusal refusal = Refusal.NONE != doubt ? doubt : descriptions.onDescribe(new PendingDescription(
            connection, copy, describe.epoch(), describe.requestId(), describe.firstTable(), describe.firstSlot()));

        return Refusal.NONE == refusal || refused(egress.requestRefused(
            connection, epochOf(copy), describe.partition(), describe.requestId(), refusal));
    }

    boolean onTakeModel(final int sessionId, final TakeModelDecoder takeModel)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, takeModel.slot(), takeModel.incarnation(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), takeModel.partition());
        final Refusal doubt = checkReader(copy, takeModel.epoch());
        final Refusal refusal = Refusal.NONE != doubt ? doubt : models.onTakeModel(
            new PendingModel(connection, copy, takeModel.epoch(), takeModel.requestId()), takeModel.clock(), nowNs);

        return Refusal.NONE == refusal || refused(egress.requestRefused(
            connection, epochOf(copy), takeModel.partition(), takeModel.requestId(), refusal));
    }

    boolean onKeepAlive(final int sessionId, final KeepAliveDecoder keepAlive)
    {
        return null != connections.sender(sessionId, keepAlive.slot(), keepAlive.incarnation(), nowNs) || drop();
    }

    boolean onSnapshotWanted(final int sessionId, final SnapshotWantedDecoder wanted)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, wanted.slot(), wanted.incarnation(), nowNs);
        final HostedPartition copy =
            null == connection ? null : partitions.of(connection.jobId(), wanted.partition());
        if (null == copy)
        {
            return drop();
        }
        copy.onSnapshotWanted();

        return true;
    }

    boolean onOutcomesKnown(final int sessionId, final OutcomesKnownDecoder known)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, known.slot(), known.incarnation(), nowNs);
        if (null == connection)
        {
            return drop();
        }
        final HostedPartition copy = partitions.of(connection.jobId(), known.partition());
        if (null != copy)
        {
            onOutcomesKnown(connection, copy, known.acknowledgedThrough());
        }

        return true;
    }

    private static void onOutcomesKnown(
        final WorkerConnection connection, final HostedPartition copy, final long sequence)
    {
        if (copy.onOutcomesKnown(connection.slot(), connection.incarnation(), sequence))
        {
            connection.onMoreKnown(copy.numberInJob());
        }
    }

    boolean onDisconnect(final int sessionId, final DisconnectDecoder disconnect)
    {
        final WorkerConnection connection =
            connections.sender(sessionId, disconnect.slot(), disconnect.incarnation(), nowNs);
        connections.remove(connection);

        return null != connection || drop();
    }

    PendingPulls pulls()
    {
        return pulls;
    }

    PendingDescriptions descriptions()
    {
        return descriptions;
    }

    private boolean tellRefused(final WorkerConnection connection)
    {
        final boolean isTold = connection.isConnectedDue() && connection.responses().isConnected() &&
            egress.connectRefused(connection, connection.refusal());
        if (isTold)
        {
            connection.onConnectedSent();
        }

        return isTold;
    }

    private boolean tell(final WorkerConnection connection)
    {
        if (connection.isConnectedDue())
        {
            if (!egress.connected(connection))
            {
                return false;
            }
            connection.onConnectedSent();
        }
        final boolean isSignOfLife = connection.startSignOfLife(nowNs, signOfLifeNs);
        final boolean isSent = watermarks.publish(connection, isSignOfLife);
        if (isSent && isSignOfLife)
        {
            connection.onSignOfLife(nowNs);
        }

        return isSent;
    }

    private boolean onOutcome(
        final WorkerConnection connection, final HostedPartition copy, final long sequence, final Outcome outcome)
    {
        return switch (outcome)
        {
            case APPENDED ->
            {
                counters.increment(Counter.APPENDED_PUSHES);
                yield true;
            }
            case DUPLICATE ->
            {
                connection.attach(copy.numberInJob());
                yield true;
            }
            case REFUSED -> refused(egress.partRefused(
                connection, connection.helloId(copy.numberInJob()), epochOf(copy), copy.numberInJob(), sequence,
                copy.partition().nextSequence(connection.slot()), copy.refusal()));
            case NOT_NOW -> postponed();
        };
    }

    private boolean notHosted(final WorkerConnection connection, final int partition, final long sequence)
    {
        return refused(egress.partRefused(connection, 0, 0, partition, sequence, 0, Refusal.NOT_PRIMARY));
    }

    private static Refusal checkReader(final HostedPartition copy, final long epoch)
    {
        if (null == copy || !copy.isPrimary())
        {
            return Refusal.NOT_PRIMARY;
        }

        return epoch == copy.partition().epoch() ? Refusal.NONE : Refusal.FENCED;
    }

    private static long epochOf(final HostedPartition copy)
    {
        return null == copy ? 0 : copy.partition().epoch();
    }

    private static TableSpec tableSpec(final CreateTableDecoder createTable)
    {
        return new TableSpec(
            createTable.tableId(),
            createTable.name(),
            createTable.dim(),
            ElementType.of(createTable.elementType()),
            createTable.rows(),
            createTable.initialiser(),
            createTable.initialiserSeed(),
            createTable.initialiserScale(),
            createTable.function());
    }

    private boolean refused(final boolean isSent)
    {
        counters.increment(isSent ? Counter.REFUSED_MESSAGES : Counter.POSTPONED_MESSAGES);

        return isSent;
    }

    private boolean postponed()
    {
        counters.increment(Counter.POSTPONED_MESSAGES);
        return false;
    }

    private boolean drop()
    {
        counters.increment(Counter.DROPPED_MESSAGES);
        return true;
    }
}
