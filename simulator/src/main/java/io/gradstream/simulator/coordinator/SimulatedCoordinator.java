// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.aeron.Publication;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.coordinator.DefineJobEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The coordinators: one or three members that take one log of real commands, each at its own pace and with the
 * production service, behind sessions. A majority elects the one that appends and answers; what it had appended and a
 * majority had not may be lost with it.
 */
public final class SimulatedCoordinator
{
    /** Time of the coordinators for one millisecond of the nodes, whose times are a tenth of production's too. */
    public static final int TIME_SCALE = 10;

    /** Names the cluster. */
    public static final long CLUSTER_ID = 17;

    private static final long MS = 1_000_000;
    private static final Chain NOBODY = new Chain(0, 0, List.of(), Chain.NONE, 0);
    private static final long TIMER_CYCLE_NS = 10 * MS;
    private static final long RETRY_NS = 2 * MS;
    /** A leader that shows no life for so long is given up. */
    private static final long LEADER_TIMEOUT_NS = 15 * MS;

    /** An entry that the leader has appended, and when a majority has it. */
    private record Pending(CoordinatorEntry entry, long dueNs)
    {
    }

    private final World world;
    private final PlantedCoordinatorFaults lies;
    private final CoordinatorChecks checks;
    private final CoordinatorMember[] members;
    private final List<CoordinatorEntry> log = new ArrayList<>();
    private final Deque<Pending> tail = new ArrayDeque<>();
    /** Sessions that the leader knows. */
    private final Set<Long> open = new TreeSet<>();
    private final Map<Long, SimulatedSession> clients = new TreeMap<>();
    private final Map<Long, Long> state = new TreeMap<>();
    private final CoordinatorCuts cuts;
    private final BoundChanges bounds;
    private final Drains drains;
    private final JobChanges jobs;
    private CoordinatorMember leader;
    private long term = 1;
    /** Entries up to the one by which the leader leads, or more than there are. */
    private int leadsFrom = 1;
    private long lastSession;
    private boolean isCommitDue;
    private long timersLateUntilNs;
    private int elections;
    private int lostEntries;
    private int lostSessions;
    private int diedWithPrimary;
    private int restores;

    public SimulatedCoordinator(final World world)
    {
        this.world = world;
        lies = new PlantedCoordinatorFaults(world);
        checks = new CoordinatorChecks(world, lies);
        lies.slots().slots(checks.slots());
        cuts = new CoordinatorCuts(world);
        bounds = new BoundChanges(world);
        drains = new Drains(world);
        jobs = new JobChanges(world);
        members = new CoordinatorMember[0 == world.faults().draw(FaultClass.COORDINATOR_CRASH, 0, 2) ? 1 : 3];
        log.add(CoordinatorEntry.term(nowMs(), term, 0));
        log.add(CoordinatorEntry.message(nowMs(), 0, job()));
        for (int id = 0; id < members.length; id++)
        {
            members[id] = new CoordinatorMember(world, this, id);
        }
        leader = members[0];
        for (final CoordinatorMember member : members)
        {
            member.start();
            member.applyAll();
        }
        world.events().after(TIMER_CYCLE_NS, this::timerCycle);
    }

    private UnsafeBuffer job()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final DefineJobEncoder encoder = new DefineJobEncoder();
        ClusterMapCodec.encodeJob(
            world.config().job(), encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .clusterId(CLUSTER_ID).job());

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    /** Returns the newest map that was decided and that a majority knows. */
    public ChainMap map()
    {
        return checks.told();
    }

    /** The chain of a partition; nobody is in that of a partition that no job has. */
    public Chain chain(final int partition)
    {
        final List<Chain> chains = checks.told().chains();
        return partition < chains.size() ? chains.get(partition) : NOBODY;
    }

    /** Where the coordinators hear a node, or empty if they have not heard it. */
    public String endpoint(final int node)
    {
        return checks.endpoint(node);
    }

    /** Where the replicas of a partition belong. */
    public List<Integer> assignment(final int partition)
    {
        return checks.decided().assignment().get(partition);
    }

    public CoordinatorChecks checks()
    {
        return checks;
    }

    public PlantedCoordinatorFaults lies()
    {
        return lies;
    }

    int memberCount()
    {
        return members.length;
    }

    public CoordinatorTally tally()
    {
        return new CoordinatorTally(
            elections, lostEntries, lostSessions, diedWithPrimary, restores, checks.moves(), checks.leads().named(),
            checks.leads().claimed(), checks.leads().handedOver(), bounds.count(),
            checks.jobs().known().size());
    }

    void onRestored()
    {
        restores++;
    }

    List<CoordinatorEntry> log()
    {
        return log;
    }

    CoordinatorListener listener()
    {
        return checks;
    }

    /** A client's session, not connected yet. */
    public SimulatedSession connect(final int nodeId, final CoordinatorChannel.Listener listener)
    {
        return new SimulatedSession(world, this, nodeId, listener);
    }

    /** Returns the coordinators' time. */
    public long nowMs()
    {
        return 1_000_000 + world.events().nowNs() * TIME_SCALE / MS;
    }

    boolean isLeading(final CoordinatorMember member)
    {
        return leader == member && member.applied() >= leadsFrom;
    }

    // what clients say

    long ask(final SimulatedSession client)
    {
        final long session = ++lastSession;
        clients.put(session, client);
        world.events().after(saidDelayNs(client.nodeId()), () ->
        {
            if (null != leader && leader.isUp() && isLeading(leader))
            {
                propose(CoordinatorEntry.open(nowMs(), session));
            }
        });

        return session;
    }

    void said(final long session, final long ofTerm, final UnsafeBuffer message, final long dueNs)
    {
        final long delayNs = dueNs - world.events().nowNs();
        final boolean isDoubled = world.faults().strike(FaultClass.COORDINATOR_LAG, 0.05);
        world.events().after(delayNs, () -> arrive(session, ofTerm, message));
        if (isDoubled)
        {
            // behind what was said later, perhaps
            world.events().after(delayNs + delayNs(), () -> arrive(session, ofTerm, message));
        }
    }

    private void arrive(final long session, final long ofTerm, final UnsafeBuffer message)
    {
        if (null == leader || ofTerm != term || !open.contains(session))
        {
            world.journal().note("coordinator", "does not get what session", session, "said");
        }
        else if (!leader.isUp())
        {
            world.events().after(leader.pausedUntilNs() - world.events().nowNs(),
                () -> arrive(session, ofTerm, message));
        }
        else
        {
            propose(CoordinatorEntry.message(nowMs(), session, lies.arrived(message, checks.decided())));
            if (world.faults().strike(FaultClass.COORDINATOR_CRASH, 0.02))
            {
                crash(true, world.faults().draw(FaultClass.COORDINATOR_CRASH, 5 * MS, 100 * MS));
            }
        }
    }

    /** A client has gone, or opens another session: the leader finds out after a while. */
    void onClientGone(final long session)
    {
        if (null != clients.remove(session))
        {
            world.events().after(world.faults().draw(FaultClass.SESSION_LOSS, MS, 150 * MS), () -> expire(session));
        }
    }

    private void expire(final long session)
    {
        final boolean canAppend = null != leader && leader.isUp() && isLeading(leader);
        if (canAppend && open.contains(session))
        {
            propose(CoordinatorEntry.close(nowMs(), session));
        }
        else if (!canAppend)
        {
            world.events().after(LEADER_TIMEOUT_NS, () -> expire(session));
        }
    }

    /** A client's session is lost: by the client, or the leader closes it and the client hears that later. */
    public void loseSession(final int nodeId, final boolean isClosedFirst)
    {
        for (final Map.Entry<Long, SimulatedSession> entry : List.copyOf(clients.entrySet()))
        {
            final SimulatedSession client = entry.getValue();
            lostSessions += client.nodeId() == nodeId ? 1 : 0;
            if (client.nodeId() == nodeId && isClosedFirst)
            {
                expire(entry.getKey());
                world.events().after(delayNs() + MS, client::lose);
            }
            else if (client.nodeId() == nodeId)
            {
                client.lose();
            }
        }
    }

    // what the leader says

    long tell(final long session, final DirectBuffer buffer, final int offset, final int length)
    {
        if (world.faults().strike(FaultClass.COORDINATOR_LAG, 0.05))
        {
            return Publication.BACK_PRESSURED;
        }
        checks.onTold(buffer, offset, length);
        final SimulatedSession client = clients.get(session);
        if (null != client)
        {
            client.tell(session, term, CoordinatorEntry.copy(buffer, offset, length));
        }

        return 1;
    }

    void onOpened(final CoordinatorMember member, final long session)
    {
        if (isLeading(member) && clients.containsKey(session))
        {
            clients.get(session).tell(session, term, null);
        }
    }

    void onTerm(final CoordinatorMember member, final Set<Long> sessions)
    {
        if (isLeading(member))
        {
            for (final long session : sessions)
            {
                if (clients.containsKey(session))
                {
                    clients.get(session).tell(session, term, null);
                }
            }
        }
    }

    // the log

    private void propose(final CoordinatorEntry entry)
    {
        switch (entry.kind())
        {
            case OPEN -> open.add(entry.session());
            case CLOSE -> open.remove(entry.session());
            default ->
            {
                // nothing that the leader itself must know
            }
        }
        final long dueNs = world.events().nowNs() + delayNs() / 2;
        tail.add(new Pending(entry, tail.isEmpty() ? dueNs : Math.max(dueNs, tail.getLast().dueNs)));
        commitLater();
        if (world.isPlanted(PlantedFault.UNCOMMITTED_MAP_TOLD) && isLeading(leader) &&
            leader.applied() == log.size() + tail.size() - 1)
        {
            leader.apply(entry);
        }
    }

    private void commitLater()
    {
        if (!isCommitDue && !tail.isEmpty())
        {
            isCommitDue = true;
            world.events().after(Math.max(0, tail.peek().dueNs - world.events().nowNs()), this::commit);
        }
    }

    private void commit()
    {
        isCommitDue = false;
        if (null == leader || tail.isEmpty())
        {
            return;
        }
        if (!leader.isUp() || !hasQuorum())
        {
            isCommitDue = true;
            world.events().after(RETRY_NS, this::commit);
            return;
        }
        while (!tail.isEmpty() && tail.peek().dueNs <= world.events().nowNs())
        {
            append(tail.poll().entry);
        }
        applyLater();
        commitLater();
    }

    private void append(final CoordinatorEntry entry)
    {
        log.add(entry);
        if (CoordinatorEntry.Kind.TERM == entry.kind() && term == entry.number())
        {
            leadsFrom = log.size();
        }
    }

    private void applyLater()
    {
        for (final CoordinatorMember member : members)
        {
            member.applyLater();
        }
    }

    private boolean hasQuorum()
    {
        int up = 0;
        for (final CoordinatorMember member : members)
        {
            up += member.isUp() ? 1 : 0;
        }

        return up > members.length / 2;
    }

    private void timerCycle()
    {
        if (world.faults().strike(FaultClass.COORDINATOR_TIMER, 0.02))
        {
            timersLateUntilNs =
                world.events().nowNs() + world.faults().draw(FaultClass.COORDINATOR_TIMER, 10 * MS, 120 * MS);
        }
        if (null != leader && leader.isUp() && isLeading(leader) && world.events().nowNs() >= timersLateUntilNs)
        {
            for (final Map.Entry<Long, Long> timer : List.copyOf(leader.timers().entrySet()))
            {
                if (nowMs() >= timer.getValue() &&
                    !timer.getValue().equals(state.put(timer.getKey(), timer.getValue())))
                {
                    propose(CoordinatorEntry.timer(nowMs(), timer.getKey()));
                }
            }
        }
        ask(bounds.request(checks.decided()));
        ask(drains.request(checks.decided()));
        ask(jobs.request(checks.decided()));
        world.events().after(TIMER_CYCLE_NS, this::timerCycle);
    }

    private void ask(final UnsafeBuffer request)
    {
        if (null != request && null != leader && leader.isUp() && isLeading(leader) && leader.applied() >= log.size())
        {
            propose(CoordinatorEntry.message(nowMs(), 0, request));
        }
    }

    /** The jobs that come and go beside the first one. */
    public JobChanges jobs()
    {
        return jobs;
    }

    public BoundChanges bounds()
    {
        return bounds;
    }

    /** True if a leader leads that has taken everything, and needs nobody's log but those of the members. */
    public boolean isSettled()
    {
        return null != leader && leader.isUp() && isLeading(leader) && leader.applied() >= log.size() &&
            leader.isSettled();
    }

    /** True if every node that lives has a session with the leader. */
    public boolean isConnected(final long alive)
    {
        final long connected = clients.values().stream().filter(SimulatedSession::isOfNodeAndConnected).count();
        return connected >= alive;
    }

    // what goes wrong

    /** The leader, or a member drawn, dies and starts again after a while. */
    public void crash(final boolean isLeader, final long awayNs)
    {
        final CoordinatorMember member = choose(isLeader);
        if (member.isAlive())
        {
            world.journal().note("member-" + member.id(), "dies", leader == member ? "as leader" : "");
            member.crash();
            world.events().after(awayNs, member::start);
            if (leader == member)
            {
                onLeaderGone();
            }
        }
    }

    /** A primary dies just now. */
    public void crashWithPrimary(final long awayNs)
    {
        diedWithPrimary += null == leader ? 0 : 1;
        crash(true, awayNs);
    }

    public void pause(final boolean isLeader, final long durationNs)
    {
        final CoordinatorMember member = choose(isLeader);
        if (member.isAlive())
        {
            world.journal().note("member-" + member.id(), "is paused for ms", durationNs / MS,
                leader == member ? "as leader" : "");
            member.pause(durationNs);
            world.events().after(LEADER_TIMEOUT_NS, () ->
            {
                if (leader == member && !member.isUp())
                {
                    onLeaderGone();
                }
            });
        }
    }

    public void takeSnapshot()
    {
        final CoordinatorMember member = choose(false);
        if (member.isUp())
        {
            member.takeSnapshot();
        }
    }

    private CoordinatorMember choose(final boolean isLeader)
    {
        final int drawn = (int)world.faults().draw(FaultClass.COORDINATOR_CRASH, 0, members.length - 1);
        return isLeader && null != leader ? leader : members[drawn];
    }

    private void onLeaderGone()
    {
        leader = null;
        leadsFrom = Integer.MAX_VALUE;
        final long goneTerm = term;
        for (final SimulatedSession client : clients.values())
        {
            world.events().after(world.faults().draw(FaultClass.COORDINATOR_CRASH, MS, 20 * MS),
                () -> client.onLeaderGone(goneTerm));
        }
        world.events().after(world.faults().draw(FaultClass.COORDINATOR_CRASH, 15 * MS, 120 * MS), this::elect);
    }

    private void elect()
    {
        if (!hasQuorum())
        {
            world.events().after(TIMER_CYCLE_NS, this::elect);
            return;
        }
        CoordinatorMember candidate = choose(false);
        while (!candidate.isUp())
        {
            candidate = members[(candidate.id() + 1) % members.length];
        }
        // what a majority did not have may have come to the new leader all the same: some of it, in order
        for (long kept = world.faults().draw(FaultClass.COORDINATOR_CRASH, 0, tail.size()); kept > 0; kept--)
        {
            append(tail.poll().entry);
        }
        world.journal().note("member-" + candidate.id(), "is elected, lost entries", tail.size());
        lostEntries += tail.size();
        tail.forEach((lost) -> undo(lost.entry));
        tail.clear();
        state.clear();
        elections++;
        term++;
        leader = candidate;
        propose(CoordinatorEntry.term(nowMs(), term, candidate.id()));
        applyLater();
    }

    private void undo(final CoordinatorEntry lost)
    {
        switch (lost.kind())
        {
            case OPEN -> open.remove(lost.session());
            case CLOSE -> open.add(lost.session());
            default ->
            {
                // the leader's own knowledge does not depend on it
            }
        }
    }

    /** On which ways between them and nodes nothing gets through. */
    public CoordinatorCuts cuts()
    {
        return cuts;
    }

    /** How long what a node, or a worker, says now takes to them. */
    long saidDelayNs(final int nodeId)
    {
        return cuts.fromNs(nodeId) + delayNs();
    }

    /** How long what is said now takes to a node, or to a worker. */
    long delayNs(final int nodeId)
    {
        return cuts.toNs(nodeId) + delayNs();
    }

    long delayNs()
    {
        return world.faults().draw(FaultClass.COORDINATOR_LAG, 50_000, 600_000) *
            (world.faults().strike(FaultClass.COORDINATOR_LAG, 0.03) ?
            world.faults().draw(FaultClass.COORDINATOR_LAG, 5, 100) : 1);
    }

    /** How long a member takes to look at what is new. */
    long applyDelayNs(final CoordinatorMember member)
    {
        final long mostNs = leader == member ? 200_000 : 2 * MS;
        final long delayNs = world.faults().draw(FaultClass.COORDINATOR_LAG, 20_000, mostNs) *
            (world.faults().strike(FaultClass.COORDINATOR_LAG, 0.03) ?
            world.faults().draw(FaultClass.COORDINATOR_LAG, 5, 30) : 1);

        return Math.max(0, member.pausedUntilNs() - world.events().nowNs()) + delayNs;
    }
}
