// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.simulator.network.ChainMessage;
import io.gradstream.simulator.network.SimulatedNetwork;
import io.gradstream.simulator.world.BufferArena;
import org.agrona.DirectBuffer;

import java.util.List;
import java.util.stream.IntStream;

/** Puts what one process of a node says to its neighbours into messages; the place for lies. */
final class SimulatedNodePort implements NodePort
{
    private final Cluster cluster;
    private final int queueLength;
    private final SimulatedNetwork network;
    private final PlantedNodeFaults lies;
    private final BitFlips bitFlips;
    private final SimulatedNode node;
    private final int nodeId;
    private final int seat;
    private final long incarnation;
    /** By node: where it listens, as far as this process was told. */
    private final int[] seatOf;

    SimulatedNodePort(final Cluster cluster, final SimulatedNode node, final long incarnation)
    {
        this.cluster = cluster;
        queueLength = cluster.bounds().queueLength();
        network = cluster.network();
        lies = cluster.lies();
        bitFlips = cluster.bitFlips();
        this.node = node;
        nodeId = node.id();
        seat = node.seat();
        seatOf = IntStream.range(0, cluster.nodeCount()).toArray();
        this.incarnation = incarnation;
    }

    void onEndpoints(final List<String> endpoints)
    {
        for (int other = 0; other < endpoints.size(); other++)
        {
            seatOf[other] = endpoints.get(other).isEmpty() ? seatOf[other] : cluster.seatAt(endpoints.get(other));
        }
    }

    @Override
    public int queueLength()
    {
        return queueLength;
    }

    @Override
    public boolean heartbeat(
        final int to, final long sentNs, final long heardNs, final long silentNs, final long mapVersion)
    {
        return network.offer(seat, seatOf[to], SimulatedNetwork.CONTROL, new ChainMessage.Heartbeat(
            nodeId, lies.heartbeat(new PeerHeartbeat(incarnation, sentNs, heardNs, silentNs, mapVersion)),
            lies.lease().grant(seat, to)));
    }

    @Override
    public boolean progress(
        final ChainLink link, final long applied, final long recorded, final long snapshotted, final long grantNs)
    {
        return network.offer(seat, seatOf[link.nodeId()], SimulatedNetwork.CONTROL, new ChainMessage.Progress(
            fromHere(link), lies.applied(link, applied),
            lies.recorded(applied, recorded, node.storage(link.partition())), snapshotted,
            lies.lease().grant(seat, link, grantNs)));
    }

    @Override
    public boolean attach(final ChainLink link, final EpochHistory history, final long position)
    {
        final EpochHistory copy = new EpochHistory();
        for (int i = 0; i < history.size(); i++)
        {
            copy.add(history.epoch(i), history.startPosition(i));
        }
        lies.onAttach(link, position);

        return network.offer(seat, seatOf[link.nodeId()], SimulatedNetwork.CONTROL,
            new ChainMessage.Attach(fromHere(link), copy, position));
    }

    @Override
    public boolean attachAnswer(final ChainLink link, final AttachAnswer answer, final long position)
    {
        return network.offer(seat, seatOf[link.nodeId()], SimulatedNetwork.RECORDS,
            new ChainMessage.Answer(fromHere(link), lies.answer(answer), lies.answerPosition(link, answer, position)));
    }

    @Override
    public boolean forward(
        final ChainLink link,
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        return network.offer(seat, seatOf[link.nodeId()], SimulatedNetwork.RECORDS, new ChainMessage.Forward(
            fromHere(link), previousPosition, endPosition,
            bitFlips.onTheWay(
            link.nodeId(), link.partition(), lies.record(BufferArena.copy(buffer, offset, length)))));
    }

    @Override
    public boolean snapshotFrame(
        final ChainLink link, final long index, final DirectBuffer buffer, final int offset, final int length)
    {
        return network.offer(seat, seatOf[link.nodeId()], SimulatedNetwork.RECORDS,
            new ChainMessage.Frame(fromHere(link), index, BufferArena.copy(buffer, offset, length)));
    }

    private ChainLink fromHere(final ChainLink link)
    {
        return new ChainLink(nodeId, link.partition(), link.attachment());
    }
}
