/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.server.node;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.WireFrames;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.DescribeDecoder;
import io.gradstream.codecs.wire.DisconnectDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.KeepAliveDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.SnapshotWantedDecoder;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.PartHeader;
import io.gradstream.server.partition.Partition;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntHashMap;

import java.util.List;

/**
 * Turns what workers send into calls, and outcomes into answers. A message that cannot be taken or answered now is
 * left with Aeron, which slows that worker down; anything that is not sound is counted and ignored.
 */
final class IngressAdapter implements ControlledFragmentHandler
{
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int ABSENT = -1;

    private final List<HostedPartition> hosted;
    private final Int2IntHashMap hostedIndexByPartition = new Int2IntHashMap(ABSENT);
    private final WorkerConnections connections;
    private final PendingPulls pulls;
    private final PendingDescriptions descriptions;
    private final EgressPublisher egress;
    private final NodeCounters counters;
    private final WireFrames frames = new WireFrames();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ConnectDecoder connect = new ConnectDecoder();
    private final HelloDecoder hello = new HelloDecoder();
    private final CreateTableDecoder createTable = new CreateTableDecoder();
    private final PushDecoder push = new PushDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final PullDecoder pull = new PullDecoder();
    private final KeepAliveDecoder keepAlive = new KeepAliveDecoder();
    private final SnapshotWantedDecoder snapshotWanted = new SnapshotWantedDecoder();
    private final DescribeDecoder describe = new DescribeDecoder();
    private final DisconnectDecoder disconnect = new DisconnectDecoder();
    private final PartHeader part = new PartHeader();
    private final Sections sections = new Sections();
    private long nowNs;
    private RuntimeException failure;

    IngressAdapter(
        final List<HostedPartition> hosted,
        final WorkerConnections connections,
        final PendingPulls pulls,
        final PendingDescriptions descriptions,
        final EgressPublisher egress,
        final NodeCounters counters)
    {
        this.hosted = hosted;
        this.connections = connections;
        this.pulls = pulls;
        this.descriptions = descriptions;
        this.egress = egress;
        this.counters = counters;
    }

    void nowNs(final long newNowNs)
    {
        nowNs = newNowNs;
    }

    /**
     * One more partition is kept here.
     *
     * @param index of it in the list of hosted partitions.
     */
    void onHosted(final int index)
    {
        hostedIndexByPartition.put(hosted.get(index).number(), index);
    }

    /**
     * What broke while a message was handled: Aeron would report an exception and go on, so it is kept for the agent.
     *
     * @return the failure, or null.
     */
    RuntimeException failure()
    {
        return failure;
    }

    @Override
    public Action onFragment(
        final DirectBuffer buffer, final int offset, final int length, final Header aeronHeader)
    {
        if (null != failure)
        {
            return Action.ABORT;
        }
        try
        {
            if (onMessage(buffer, offset, length, aeronHeader.sessionId()))
            {
                return Action.CONTINUE;
            }
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
            return Action.ABORT;
        }
        counters.increment(Counter.POSTPONED_MESSAGES);

        return Action.ABORT;
    }

    /**
     * Take a message.
     *
     * @param buffer    that holds it.
     * @param offset    of its message header.
     * @param length    bytes.
     * @param sessionId of the worker's publication.
     * @return false if it cannot be taken now and must come again.
     */
    boolean onMessage(final DirectBuffer buffer, final int offset, final int length, final int sessionId)
    {
        final Refusal problem = frames.checkFromWorker(buffer, offset, length);
        if (Refusal.NONE != problem && Refusal.TOO_LARGE != problem)
        {
            counters.increment(Counter.MALFORMED_FRAMES);
            return true;
        }
        final int templateId = WireFrames.templateId(buffer, offset);
        if (ConnectDecoder.TEMPLATE_ID == templateId)
        {
            return onConnect(buffer, offset, sessionId);
        }
        final WorkerConnection connection = connections.ofSession(sessionId);
        if (null == connection)
        {
            return drop();
        }
        connection.onHeard(nowNs);
        if (connection.isFenced() && DisconnectDecoder.TEMPLATE_ID != templateId)
        {
            return onFenced(connection, templateId, buffer, offset);
        }

        return switch (templateId)
        {
            case HelloDecoder.TEMPLATE_ID -> onHello(connection, buffer, offset);
            case CreateTableDecoder.TEMPLATE_ID -> onCreateTable(connection, buffer, offset);
            case PushDecoder.TEMPLATE_ID -> onPush(connection, buffer, offset, length);
            case ClockDoneDecoder.TEMPLATE_ID -> onClockDone(connection, buffer, offset);
            case PullDecoder.TEMPLATE_ID -> onPull(connection, problem, buffer, offset);
            case KeepAliveDecoder.TEMPLATE_ID -> onKeepAlive(connection, buffer, offset);
            case SnapshotWantedDecoder.TEMPLATE_ID -> onSnapshotWanted(connection, buffer, offset);
            case DescribeDecoder.TEMPLATE_ID -> onDescribe(connection, buffer, offset);
            case DisconnectDecoder.TEMPLATE_ID -> onDisconnect(connection, buffer, offset);
            default -> drop();
        };
    }

    private boolean onConnect(final DirectBuffer buffer, final int offset, final int sessionId)
    {
        connect.wrapAndApplyHeader(buffer, offset, header);
        final WorkerConnections.ConnectRequest request = new WorkerConnections.ConnectRequest(
            connect.correlationId(), connect.incarnation(), connect.jobId(), connect.slot(),
            connect.responseStreamId(), connect.responseChannel());

        return connections.onConnect(sessionId, request, nowNs) || drop();
    }

    private boolean onHello(final WorkerConnection connection, final DirectBuffer buffer, final int offset)
    {
        hello.wrapAndApplyHeader(buffer, offset, header);
        if (!isFrom(connection, hello.slot(), hello.incarnation()))
        {
            return drop();
        }
        final int index = hostedIndexByPartition.get(hello.partition());
        final HostedPartition host = ABSENT == index ? null : hosted.get(index);
        final Refusal refusal =
            null == host ? Refusal.NOT_PRIMARY :
            host.onHello(hello.slot(), hello.incarnation(), hello.oldestKept(), hello.clock());
        if (Refusal.NONE != refusal)
        {
            return refused(egress.partRefused(
                connection, hello.helloId(), epochOf(host), hello.partition(), 0, 0, refusal));
        }
        if (!egress.welcome(connection, host, hello.helloId()))
        {
            return false;
        }
        connection.onWelcomed(index, hello.helloId());

        return true;
    }

    private boolean onFenced(
        final WorkerConnection connection, final int templateId, final DirectBuffer buffer, final int offset)
    {
        if (HelloDecoder.TEMPLATE_ID != templateId)
        {
            return drop();
        }
        hello.wrapAndApplyHeader(buffer, offset, header);

        return refused(egress.partRefused(
            connection, hello.helloId(), epochOf(host(hello.partition())), hello.partition(), 0, 0, Refusal.FENCED));
    }

    private boolean onCreateTable(final WorkerConnection connection, final DirectBuffer buffer, final int offset)
    {
        createTable.wrapAndApplyHeader(buffer, offset, header);
        if (createTable.slot() != connection.slot())
        {
            return drop();
        }
        final HostedPartition host = host(createTable.partition());
        if (null == host)
        {
            return refused(egress.requestRefused(
                connection, 0, createTable.partition(), createTable.requestId(), Refusal.NOT_PRIMARY));
        }
        final long requestId = createTable.requestId();
        final long epoch = createTable.epoch();
        final TableSpec spec = tableSpec();

        return switch (host.partition().onCreateTable(spec, epoch))
        {
            case APPENDED, DUPLICATE ->
                egress.tableCreated(connection, host.partition(), requestId, spec.tableId());
            case REFUSED -> refused(egress.tableRefused(connection, host.partition(), requestId));
            case NOT_NOW -> false;
        };
    }

    private TableSpec tableSpec()
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

    private boolean onPush(
        final WorkerConnection connection, final DirectBuffer buffer, final int offset, final int length)
    {
        push.wrapAndApplyHeader(buffer, offset, header);
        if (!isFrom(connection, push.slot(), push.incarnation()))
        {
            return drop();
        }
        part.set(push.slot(), push.incarnation(), push.epoch(), push.sequence(), push.floor(), push.clock());
        final HostedPartition host = host(push.partition());
        if (null == host)
        {
            return refused(egress.partRefused(
                connection, 0, 0, push.partition(), push.sequence(), 0, Refusal.NOT_PRIMARY));
        }
        final int sectionsOffset = offset + HEADER_LENGTH + PushDecoder.BLOCK_LENGTH;
        final Outcome outcome = !host.hasRoom() ? Outcome.NOT_NOW : host.partition().onPush(
            part, sections, buffer, sectionsOffset, offset + length - sectionsOffset);

        return onOutcome(connection, host, push.sequence(), outcome);
    }

    private boolean onClockDone(final WorkerConnection connection, final DirectBuffer buffer, final int offset)
    {
        clockDone.wrapAndApplyHeader(buffer, offset, header);
        if (!isFrom(connection, clockDone.slot(), clockDone.incarnation()))
        {
            return drop();
        }
        part.set(
            clockDone.slot(), clockDone.incarnation(), clockDone.epoch(), clockDone.sequence(), clockDone.floor(),
            clockDone.clock());
        final HostedPartition host = host(clockDone.partition());
        if (null == host)
        {
            return refused(egress.partRefused(
                connection, 0, 0, clockDone.partition(), clockDone.sequence(), 0, Refusal.NOT_PRIMARY));
        }

        return onOutcome(connection, host, clockDone.sequence(), host.partition().onClockDone(part));
    }

    private boolean onOutcome(
        final WorkerConnection connection, final HostedPartition host, final long sequence, final Outcome outcome)
    {
        final Partition partition = host.partition();

        return switch (outcome)
        {
            case APPENDED ->
            {
                counters.increment(Counter.APPENDED_PUSHES);
                yield true;
            }
            case DUPLICATE ->
            {
                connection.attach(hostedIndexByPartition.get(host.number()));
                yield true;
            }
            case REFUSED -> refused(egress.partRefused(
                connection, connection.helloId(hostedIndexByPartition.get(host.number())), partition.epoch(),
                host.number(), sequence,
                partition.lastSequence(connection.slot()) + 1, partition.refusal()));
            case NOT_NOW -> false;
        };
    }

    private boolean onPull(
        final WorkerConnection connection, final Refusal problem, final DirectBuffer buffer, final int offset)
    {
        pull.wrapAndApplyHeader(buffer, offset, header);
        if (!isFrom(connection, pull.slot(), pull.incarnation()))
        {
            return drop();
        }
        final HostedPartition host = host(pull.partition());
        final Refusal refusal = Refusal.NONE != problem ? problem : takePull(connection, host, buffer, offset);

        return Refusal.NONE == refusal || refused(egress.requestRefused(
            connection, epochOf(host), pull.partition(), pull.requestId(), refusal));
    }

    private Refusal takePull(
        final WorkerConnection connection, final HostedPartition host, final DirectBuffer buffer, final int offset)
    {
        final Refusal refusal = checkReader(host, pull.epoch());
        if (Refusal.NONE != refusal)
        {
            return refusal;
        }
        final int keysOffset = offset + HEADER_LENGTH + PullDecoder.BLOCK_LENGTH + PullDecoder.bodyHeaderLength();

        return pulls.onPull(connection, host, pull, buffer, keysOffset);
    }

    private boolean onDescribe(final WorkerConnection connection, final DirectBuffer buffer, final int offset)
    {
        describe.wrapAndApplyHeader(buffer, offset, header);
        if (!isFrom(connection, describe.slot(), describe.incarnation()))
        {
            return drop();
        }
        final HostedPartition host = host(describe.partition());
        final Refusal problem = checkReader(host, describe.epoch());
        final Refusal refusal = Refusal.NONE != problem ? problem : descriptions.onDescribe(new PendingDescription(
            connection, host, describe.epoch(), describe.requestId(), describe.firstTable(), describe.firstSlot()));

        return Refusal.NONE == refusal || refused(egress.requestRefused(
            connection, epochOf(host), describe.partition(), describe.requestId(), refusal));
    }

    private static Refusal checkReader(final HostedPartition host, final long epoch)
    {
        if (null == host || !host.isPrimary())
        {
            return Refusal.NOT_PRIMARY;
        }

        return epoch == host.partition().epoch() ? Refusal.NONE : Refusal.FENCED;
    }

    private boolean onKeepAlive(final WorkerConnection connection, final DirectBuffer buffer, final int offset)
    {
        keepAlive.wrapAndApplyHeader(buffer, offset, header);

        return isFrom(connection, keepAlive.slot(), keepAlive.incarnation()) || drop();
    }

    private boolean onSnapshotWanted(
        final WorkerConnection connection, final DirectBuffer buffer, final int offset)
    {
        snapshotWanted.wrapAndApplyHeader(buffer, offset, header);
        final HostedPartition host = host(snapshotWanted.partition());
        if (null == host || !isFrom(connection, snapshotWanted.slot(), snapshotWanted.incarnation()))
        {
            return drop();
        }
        host.onSnapshotWanted();

        return true;
    }

    private boolean onDisconnect(final WorkerConnection connection, final DirectBuffer buffer, final int offset)
    {
        disconnect.wrapAndApplyHeader(buffer, offset, header);
        if (!isFrom(connection, disconnect.slot(), disconnect.incarnation()))
        {
            return drop();
        }
        connections.remove(connection);

        return true;
    }

    private HostedPartition host(final int partition)
    {
        final int index = hostedIndexByPartition.get(partition);
        return ABSENT == index ? null : hosted.get(index);
    }

    private static long epochOf(final HostedPartition host)
    {
        return null == host ? 0 : host.partition().epoch();
    }

    private static boolean isFrom(final WorkerConnection connection, final int slot, final long incarnation)
    {
        return slot == connection.slot() && incarnation == connection.incarnation();
    }

    private boolean refused(final boolean isSent)
    {
        if (isSent)
        {
            counters.increment(Counter.REFUSED_MESSAGES);
        }

        return isSent;
    }

    private boolean drop()
    {
        counters.increment(Counter.DROPPED_MESSAGES);
        return true;
    }
}
