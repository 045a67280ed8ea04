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
package io.gradstream.coordinator.client;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

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
import io.gradstream.coordinator.state.ReplicaPositions;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.ExpandableArrayBuffer;

/**
 * A node's conversation with the coordinators. It remembers what the node's replicas said last until a map shows that
 * it is settled, and repeats it with each sign of life. Calls never wait: one that returns false has not been taken and
 * is made again. For the one thread of the node.
 */
public class ClusterCoordinator implements AutoCloseable
{
    /** {@link AliveEncoder.ReplicasEncoder#said(short)}: nothing. */
    public static final short SAID_NOTHING = 0;
    /** It waits for a role. */
    public static final short SAID_CLIMBED = 1;
    /** It acts by a membership. */
    public static final short SAID_CONFIRM = 2;
    /** It acts by a membership, and counts a joiner. */
    public static final short SAID_ADMIT = 3;

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
     * @param connector    makes the channel, given who takes what comes from it.
     * @param errorHandler told what is wrong.
     */
    public ClusterCoordinator(
        final Function<CoordinatorChannel.Listener, CoordinatorChannel> connector, final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
        session = connector.apply(this::onMessage);
    }

    /**
     * One duty cycle of the way to the coordinators.
     *
     * @param nowNs now.
     * @return how much was done.
     */
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

    /**
     * The newest map, if it has changed since the last call.
     *
     * @return map or null.
     */
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

    /**
     * This process is the node from now on, and no earlier process is.
     *
     * @param id             of the node.
     * @param newIncarnation of the process, grows with each.
     * @param endpoint       host:port on which it listens.
     * @return false if not now.
     */
    public boolean register(final int id, final long newIncarnation, final String endpoint)
    {
        nodeId = id;
        incarnation = newIncarnation;
        register.wrapAndApplyHeader(buffer, 0, header).incarnation(incarnation).nodeId(id).endpoint(endpoint);

        return offer(register.encodedLength());
    }

    /**
     * A replica has climbed to the end of its own log and wants a role.
     *
     * @param partition its number.
     * @param epoch     of the last record in its log, 0 if there is none, or {@link Chain#DAMAGED}.
     * @param position  where its log ends.
     * @return false if not now.
     */
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
            said(partition).set(SAID_CLIMBED, chainVersion, epoch, position, Chain.NONE);
    }

    /**
     * A joiner gives up its place.
     *
     * @param partition its number.
     * @param version   of the chain in which it is the joiner.
     * @return false if not now.
     */
    public boolean leave(final int partition, final long version)
    {
        leave.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition);

        return offer(leave.encodedLength());
    }

    /**
     * The head acts under this version of the chain.
     *
     * @param partition its number.
     * @param version   of the chain.
     * @return false if not now.
     */
    public boolean confirm(final int partition, final long version)
    {
        confirm.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition);

        return offer(confirm.encodedLength()) &&
            (said(partition).isAdmitting(version) ||
            said(partition).set(SAID_CONFIRM, version, 0, 0, Chain.NONE));
    }

    /**
     * Have the coordinators been heard lately? If not they are asked for a sign of life at once.
     *
     * @param sinceNs as late as that, or later, by this node's clock.
     * @return true if so.
     */
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

    /**
     * The link to a neighbour in the chain has not worked for the suspicion time.
     *
     * @param partition  its number.
     * @param version    of the chain under which it is a neighbour.
     * @param suspected  node that is suspected.
     * @param isAnswered have the coordinators answered this node since the link failed?
     * @return false if not now.
     */
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

    /**
     * This node is the heir of a chain: nobody before it answers workers any more.
     *
     * @param partition its number.
     * @param version   of the chain that names it.
     * @return false if not now.
     */
    public boolean claim(final int partition, final long version)
    {
        claim.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition);

        return offer(claim.encodedLength());
    }

    /**
     * The joiner has everything that was acknowledged and is counted.
     *
     * @param partition its number.
     * @param version   of the chain under which it joins.
     * @param joiner    node to be taken into the in-sync set.
     * @return false if not now.
     */
    public boolean admit(final int partition, final long version, final int joiner)
    {
        admit.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .chainVersion(version)
            .nodeId(nodeId)
            .partition(partition)
            .joiner(joiner);

        return offer(admit.encodedLength()) &&
            said(partition).set(SAID_ADMIT, version, 0, 0, joiner);
    }

    /**
     * This process lives.
     *
     * @param replicas how far its replicas are, by partition.
     * @return false if not now.
     */
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
        private short what = SAID_NOTHING;
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
            return SAID_ADMIT == what && chainVersion == version;
        }

        void onChain(final Chain chain, final int nodeId)
        {
            final boolean isSettled = SAID_CLIMBED == what ?
                chain.holds(nodeId) : chain.version() != chainVersion;
            what = isSettled ? SAID_NOTHING : what;
        }
    }
}
