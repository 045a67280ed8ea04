// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.NodeEndpoint;
import io.gradstream.codecs.keys.ShortMessages;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.session.PartitionSession;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * The connection that leads to each partition: that of its chain's head by the newest map. A partition without a head
 * has none. What is sent there names lists of keys that the server has.
 */
final class RoutingTable
{
    private static final long NO_MAP = -1;

    private final List<ServerConnection> connections = new ArrayList<>();
    private final PartitionSession[] sessions;
    private final ServerConnection[] byPartition;
    private final ShortMessages[] shortened;
    private final ServerConnection.Opener opener;
    private long version = NO_MAP;

    RoutingTable(final PartitionSession[] sessions, final ServerConnection.Opener opener)
    {
        this.sessions = sessions;
        this.opener = opener;
        byPartition = new ServerConnection[sessions.length];
        shortened = new ShortMessages[sessions.length];
        final ExpandableArrayBuffer copy = new ExpandableArrayBuffer();
        for (int i = 0; i < shortened.length; i++)
        {
            shortened[i] = new ShortMessages(copy);
        }
    }

    /** Send a message to the head of a partition; false if it was not taken. */
    boolean offer(final int partition, final DirectBuffer buffer, final int offset, final int length)
    {
        final ServerConnection connection = byPartition[partition];
        if (null == connection)
        {
            return false;
        }
        final ShortMessages message = shortened[partition];
        message.wrap(buffer, offset, length);
        final boolean isSent = connection.offer(message.buffer(), message.offset(), message.length());
        if (isSent)
        {
            message.onSent();
        }

        return isSent;
    }

    /** The messages to a partition that name lists of keys. */
    ShortMessages shortened(final int partition)
    {
        return shortened[partition];
    }

    /** Bytes of keys that were not sent, because the servers had them. */
    long keyBytesSaved()
    {
        long bytes = 0;
        for (final ShortMessages ofPartition : shortened)
        {
            bytes += ofPartition.bytesSaved();
        }

        return bytes;
    }

    /** The connection that leads to a partition, or null if nobody is its head. */
    ServerConnection of(final int partition)
    {
        return byPartition[partition];
    }

    /** The connection to a node, or null if the node has not registered. */
    ServerConnection ofNode(final int nodeId)
    {
        for (final ServerConnection connection : connections)
        {
            if (connection.nodeId() == nodeId)
            {
                return connection;
            }
        }

        return null;
    }

    /** Every connection: a standby's too, so that a failover needs no connect. */
    List<ServerConnection> all()
    {
        return connections;
    }

    int doWork(final long nowNs)
    {
        int workCount = 0;
        for (final ServerConnection connection : connections)
        {
            workCount += connection.doWork(nowNs);
        }

        return workCount;
    }

    String describe(final long nowNs)
    {
        final StringBuilder text = new StringBuilder();
        for (final ServerConnection connection : connections)
        {
            if (ServerConnection.State.CONNECTED != connection.state())
            {
                text.append("; ").append(connection.describe(nowNs));
            }
        }

        return text.toString();
    }

    /**
     * Follow the coordinator's decisions, and nodes that are new or have moved.
     *
     * @throws IllegalArgumentException if the map does not fit the job.
     */
    void onMap(final ClusterMap map, final long nowNs)
    {
        if (map.version() <= version)
        {
            return;
        }
        CoordinatorLink.nodesOf(map).forEach((node) -> reach(node, nowNs));
        final ChainMap chains = map.chains();
        check(chains);
        version = map.version();
        for (int nodeId = 0; nodeId < chains.incarnations().size(); nodeId++)
        {
            final ServerConnection connection = ofNode(nodeId);
            if (null != connection)
            {
                connection.onRegistered(chains.incarnations().get(nodeId), nowNs);
            }
        }
        for (int i = 0; i < byPartition.length; i++)
        {
            follow(i, chains.chains().get(i), nowNs);
        }
    }

    private void reach(final NodeEndpoint node, final long nowNs)
    {
        final ServerConnection old = ofNode(node.nodeId());
        if (null != old && old.endpoint().equals(node.endpoint()))
        {
            return;
        }
        final ServerConnection connection = opener.open(node);
        connections.add(connection);
        if (null != old)
        {
            connections.remove(old);
            for (int i = 0; i < byPartition.length; i++)
            {
                if (byPartition[i] == old)
                {
                    old.remove(sessions[i], nowNs);
                    byPartition[i] = connection;
                    connection.add(sessions[i]);
                }
            }
            old.close();
        }
    }

    private void follow(final int partition, final Chain chain, final long nowNs)
    {
        final ServerConnection old = byPartition[partition];
        final ServerConnection head = Chain.NONE == chain.head() ? null : ofNode(chain.head());
        sessions[partition].onEpochGranted(chain.epoch(), nowNs);
        if (head == old)
        {
            return;
        }
        if (null != old)
        {
            old.remove(sessions[partition], nowNs);
        }
        byPartition[partition] = head;
        if (null != head)
        {
            head.add(sessions[partition]);
        }
    }

    private void check(final ChainMap map)
    {
        if (map.chains().size() != sessions.length)
        {
            throw new IllegalArgumentException("invalid chain map version=" + map.version() + ": has " +
                map.chains().size() + " chains, but the job has " + sessions.length + " partitions");
        }
        for (final Chain chain : map.chains())
        {
            if (Chain.NONE != chain.head() && null == ofNode(chain.head()))
            {
                throw new IllegalArgumentException("invalid chain map version=" + map.version() + ": node=" +
                    chain.head() + " is head of a chain and has not registered");
            }
        }
    }
}
