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
package io.gradstream.server.coordinator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.aeron.Aeron;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.coordinator.AdmitEncoder;
import io.gradstream.codecs.coordinator.AliveEncoder;
import io.gradstream.codecs.coordinator.AskEncoder;
import io.gradstream.codecs.coordinator.ClaimEncoder;
import io.gradstream.codecs.coordinator.ClimbedEncoder;
import io.gradstream.codecs.coordinator.ConfirmEncoder;
import io.gradstream.codecs.coordinator.FollowEncoder;
import io.gradstream.codecs.coordinator.LeaveEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.RegisterEncoder;
import io.gradstream.codecs.coordinator.SuspectEncoder;
import io.gradstream.driver.cluster.ClusterSession;
import io.gradstream.server.coordinator.state.ReplicaPositions;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.ExpandableArrayBuffer;

/**
 * The coordinator behind a session with its cluster. Remembers what a node's replicas said last until a map shows that
 * it is settled, and repeats it with each sign of life. For the one thread of the node.
 */
public final class ClusterCoordinator implements CoordinatorPort
{
    /** A new session that has got no map yet asks so often. */
    static final long FOLLOW_RETRY_NS = 200_000_000;
    /** While the coordinators' answer is wanted they are asked so often. */
    static final long ASK_RETRY_NS = 10_000_000;

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final CoordinatorChannel session;
    private final ErrorHandler errorHandler;
    private final ClusterMapCodec codec = new ClusterMapCodec();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final FollowEncoder follow = new FollowEncoder();
    private final RegisterEncoder register = new RegisterEncoder();
    private final ClimbedEncoder climbed = new ClimbedEncoder();
    private final LeaveEncoder leave = new LeaveEncoder();
    private final ConfirmEncoder confirm = new ConfirmEncoder();
    private final SuspectEncoder suspect = new SuspectEncoder();
    private final ClaimEncoder claim = new ClaimEncoder();
    private final AdmitEncoder admit = new AdmitEncoder();
    private final AliveEncoder alive = new AliveEncoder();
    private final AskEncoder ask = new AskEncoder();
    private final Map<Integer, Said> said = new HashMap<>();
    private int nodeId = Chain.NONE;
    private long incarnation;
    private ClusterMap newest;
    private ClusterMap known;
    private long followedConnection;
    private long askedConnection;
    private long followNs;
    private long workedNs;
    private long aliveNs;
    private long askNs;
    private boolean hasAsked;
    private long answeredNs;
    private boolean isEverAnswered;

    /**
     * Not connected yet.
     *
     * @param aeron            client of the node.
     * @param endpoints        host:port of the coordinators by member id.
     * @param responseEndpoint host:port where answers come in; port 0 for any.
     * @param errorHandler     told what is wrong.
     */
    public ClusterCoordinator(
        final Aeron aeron,
        final List<String> endpoints,
        final String responseEndpoint,
        final ErrorHandler errorHandler)
    {
        this((listener) -> new SessionChannel(new ClusterSession(new ClusterSession.Context()
            .aeron(aeron)
            .endpoints(endpoints)
            .responseEndpoint(responseEndpoint)
            .listener(listener)
            .errorHandler(errorHandler))), errorHandler);
    }

    /**
     * Not connected yet, over any channel.
     *
     * @param connector    makes the channel, given who takes what comes from it.
     * @param errorHandler told what is wrong.
     */
    public ClusterCoordinator(
        final Function<ClusterSession.Listener, CoordinatorChannel> connector, final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
        session = connector.apply(this::onMessage);
    }

    @Override
    public int doWork(final long nowNs)
    {
        workedNs = nowNs;
        int workCount = session.poll(nowNs);
        final long connection = session.connection();
        final boolean isDue = connection != askedConnection || nowNs - followNs >= FOLLOW_RETRY_NS;
        if (0 != connection && connection != followedConnection && isDue)
        {
            follow.wrapAndApplyHeader(buffer, 0, header);
            if (session.offer(buffer, 0, HEADER_LENGTH + follow.encodedLength()))
            {
                askedConnection = connection;
                followNs = nowNs;
            }
            workCount++;
        }

        return workCount;
    }

    @Override
    public ClusterMap poll()
    {
        final ClusterMap map = newest;
        newest = null;
        if (null != map)
        {
            known = map;
            said.forEach((partition, last) -> last.onChain(map.chains().chains().get(partition), nodeId));
        }

        return map;
    }

    @Override
    public boolean register(final int id, final long newIncarnation, final String endpoint)
    {
        nodeId = id;
        incarnation = newIncarnation;
        register.wrapAndApplyHeader(buffer, 0, header).incarnation(incarnation).nodeId(id).endpoint(endpoint);

        return offer(register.encodedLength());
    }

    @Override
    public boolean climbed(final int partition, final long epoch, final long position)
    {
        final long chainVersion = known.chains().chains().get(partition).version();
        climbed.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .epoch(epoch)
            .position(position)
            .chainVersion(chainVersion)
            .nodeId(nodeId)
            .partition(partition);

        return offer(climbed.encodedLength()) &&
            said(partition).set(CoordinatorCommands.SAID_CLIMBED, chainVersion, epoch, position, Chain.NONE);
    }

    @Override
    public boolean leave(final int partition, final long version)
    {
        leave.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition);

        return offer(leave.encodedLength());
    }

    @Override
    public boolean confirm(final int partition, final long version)
    {
        confirm.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition);

        return offer(confirm.encodedLength()) &&
            (said(partition).isAdmitting(version) ||
            said(partition).set(CoordinatorCommands.SAID_CONFIRM, version, 0, 0, Chain.NONE));
    }

    @Override
    public boolean isAnswered(final long sinceNs)
    {
        final boolean isAnswered = isEverAnswered && answeredNs - sinceNs >= 0;
        if (!isAnswered && (!hasAsked || workedNs - askNs >= ASK_RETRY_NS))
        {
            ask.wrapAndApplyHeader(buffer, 0, header);
            hasAsked = offer(ask.encodedLength());
            askNs = workedNs;
        }

        return isAnswered;
    }

    @Override
    public boolean suspect(
        final int partition, final long version, final int suspected, final boolean isAnswered)
    {
        suspect.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition)
            .suspected(suspected)
            .isAnswered(flag(isAnswered));

        return offer(suspect.encodedLength());
    }

    @Override
    public boolean claim(final int partition, final long version)
    {
        claim.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition);

        return offer(claim.encodedLength());
    }

    @Override
    public boolean admit(final int partition, final long version, final int joiner)
    {
        admit.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition)
            .joiner(joiner);

        return offer(admit.encodedLength()) &&
            said(partition).set(CoordinatorCommands.SAID_ADMIT, version, 0, 0, joiner);
    }

    @Override
    public boolean alive(final Map<Integer, ReplicaPositions> replicas)
    {
        alive.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .nodeId(nodeId)
            .isAnswered(flag(isEverAnswered && answeredNs - aliveNs >= 0));
        final AliveEncoder.ReplicasEncoder encoder = alive.replicasCount(replicas.size());
        replicas.forEach((partition, positions) ->
        {
            final Said last = said(partition);
            encoder.next()
                .applied(positions.applied())
                .replicated(positions.replicated())
                .recorded(positions.recorded())
                .chainVersion(last.chainVersion)
                .epoch(last.epoch)
                .position(last.position)
                .partition(partition)
                .joiner(last.joiner)
                .said(last.what);
        });
        if (!offer(alive.encodedLength()))
        {
            return false;
        }
        aliveNs = workedNs;

        return true;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(session);
    }

    @Override
    public String toString()
    {
        return session.describe();
    }

    private static short flag(final boolean value)
    {
        return (short)(value ? 1 : 0);
    }

    private boolean offer(final int bodyLength)
    {
        return session.offer(buffer, 0, HEADER_LENGTH + bodyLength);
    }

    private Said said(final int partition)
    {
        return said.computeIfAbsent(partition, (number) -> new Said());
    }

    private void onMessage(final DirectBuffer message, final int offset, final int length)
    {
        // a leader without a majority tells nothing: what comes from the log is known to one
        answeredNs = workedNs;
        isEverAnswered = true;
        if (!codec.isMap(message, offset, length))
        {
            return;
        }
        try
        {
            final ClusterMap map = codec.decode(message, offset, length);
            followedConnection = session.connection();
            if (null == known || map.version() > known.version())
            {
                newest = null == newest || map.version() > newest.version() ? map : newest;
            }
        }
        catch (final IllegalArgumentException ex)
        {
            errorHandler.onError(ex);
        }
    }

    /**
     * What was said last about one partition.
     */
    private static final class Said
    {
        private short what = CoordinatorCommands.SAID_NOTHING;
        private long chainVersion;
        private long epoch;
        private long position;
        private int joiner = Chain.NONE;

        boolean set(
            final short newWhat,
            final long newVersion,
            final long newEpoch,
            final long newPosition,
            final int newJoiner)
        {
            what = newWhat;
            chainVersion = newVersion;
            epoch = newEpoch;
            position = newPosition;
            joiner = newJoiner;

            return true;
        }

        boolean isAdmitting(final long version)
        {
            return CoordinatorCommands.SAID_ADMIT == what && chainVersion == version;
        }

        void onChain(final Chain chain, final int nodeId)
        {
            final boolean isSettled = CoordinatorCommands.SAID_CLIMBED == what ?
                chain.holds(nodeId) : chain.version() != chainVersion;
            what = isSettled ? CoordinatorCommands.SAID_NOTHING : what;
        }
    }

    /**
     * A session with the cluster.
     */
    private record SessionChannel(ClusterSession session) implements CoordinatorChannel
    {
        @Override
        public int poll(final long nowNs)
        {
            return session.poll(nowNs);
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return session.offer(buffer, offset, length);
        }

        @Override
        public long connection()
        {
            return session.connection();
        }

        @Override
        public String describe()
        {
            return session.describe();
        }

        @Override
        public void close()
        {
            session.close();
        }
    }
}
