// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.recovery.chain.NodePort;
import io.gradstream.server.node.IngressAdapter;
import io.gradstream.server.node.NeighbourMessages;
import io.gradstream.server.node.NodeTransport;
import io.gradstream.server.node.ResponseStream;
import io.gradstream.simulator.network.ChainMessage;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;

import java.util.List;

/** The streams of one process of a node. A pause of the process may fall before each of them is read. */
public final class SimulatedTransport implements NodeTransport
{
    /** Port of the first worker; the others have the next ones. */
    public static final int FIRST_PORT = 40_000;
    /** There is room for all processes of workers. */
    private static final int MAX_CONNECTIONS = 1024;

    private final World world;
    private final Cluster cluster;
    private final SimulatedProcess process;
    private final SimulatedNode node;
    private final PlantedIngressFaults ingressFaults;
    private final SimulatedNodePort port;

    SimulatedTransport(
        final World world, final Cluster cluster, final SimulatedProcess process, final SimulatedNode node)
    {
        this.world = world;
        this.cluster = cluster;
        this.process = process;
        this.node = node;
        ingressFaults = new PlantedIngressFaults(world);
        port = new SimulatedNodePort(cluster, node, node.incarnation());
    }

    @Override
    public NodePort neighbours()
    {
        return port;
    }

    @Override
    public void onEndpoints(final List<String> endpoints)
    {
        port.onEndpoints(endpoints);
    }

    @Override
    public int pollNeighbours(final NeighbourMessages receiver)
    {
        node.pauseWithin(cluster, process);

        return cluster.network().poll(node.seat(), (message) -> onMessage(receiver, message));
    }

    @Override
    public int pollWorkers(final IngressAdapter receiver)
    {
        node.pauseWithin(cluster, process);
        process.isPollingWorkers(true);
        final WorkerLink.RequestReceiver watched =
            (sessionId, message) -> ingressFaults.onMessage(receiver, sessionId, message);
        int workCount = 0;
        for (int client = 0; client < world.config().allClients(); client++)
        {
            workCount += cluster.link(client, node.seat()).pollAtNode(watched);
        }
        process.isPollingWorkers(false);

        return workCount;
    }

    @Override
    public int maxResponseLength()
    {
        return world.config().bounds().responseLength();
    }

    @Override
    public int maxConnections()
    {
        return MAX_CONNECTIONS;
    }

    @Override
    public long maxKeyListBytes()
    {
        return world.config().keyListBytes();
    }

    @Override
    public ResponseStream open(final String channel, final int streamId)
    {
        final int client = Integer.parseInt(channel.substring(channel.lastIndexOf(':') + 1)) - FIRST_PORT;

        final int jobId = world.config().jobOfClient(client);
        final ResponseStream stream = cluster.link(client, node.seat()).openResponses(maxResponseLength());

        return ScenarioConfig.JOB_ID == jobId ? new ResponseChecker(world, cluster, process, client, stream) :
            new OtherJobResponses(cluster, node.seat(), jobId, stream);
    }

    private boolean onMessage(final NeighbourMessages receiver, final ChainMessage message)
    {
        if (message instanceof ChainMessage.Heartbeat heartbeat)
        {
            cluster.lies().lease().onHeartbeat(node.seat(), heartbeat);
            receiver.onHeartbeat(ScenarioConfig.JOB_ID, heartbeat.from(), heartbeat.peer());
        }
        else if (message instanceof ChainMessage.Progress progress)
        {
            receiver.onProgress(progress.link(), progress.applied(), progress.recorded(), progress.snapshotted(),
                cluster.lies().lease().granted(progress.grantNs(), node.nowNs()));
        }
        else if (message instanceof ChainMessage.Attach attach)
        {
            note(attach, "is asked to be followed", attach.position());
            receiver.onAttach(attach.link(), attach.history(), attach.position());
        }
        else if (message instanceof ChainMessage.Answer answer)
        {
            note(answer, "is answered", answer.answer(), answer.position());
            receiver.onAttachAnswer(
                answer.link().partition(), answer.link().attachment(), answer.answer(), answer.position());
        }
        else if (message instanceof ChainMessage.Frame frame)
        {
            receiver.onSnapshotFrame(frame.link().partition(), frame.link().attachment(), frame.index(),
                frame.bytes(), 0, frame.bytes().capacity());
        }
        else if (message instanceof ChainMessage.Forward forward)
        {
            return receiver.onForward(forward.link().partition(), forward.link().attachment(),
                forward.previousPosition(), forward.endPosition(), forward.bytes(), 0, forward.bytes().capacity());
        }

        return true;
    }

    private void note(final ChainMessage message, final String what, final Object... values)
    {
        world.journal().note("node-" + node.id() + "/" + message.link().partition(), what, values);
    }
}
