// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainDecoder;
import io.gradstream.coordinator.service.CoordinatorService;
import io.gradstream.coordinator.state.CoordinatorSnapshot;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * One coordinator over all its lives: its newest snapshot, and the production service if it is alive, which is given
 * the entries of the cluster's log at the member's own pace.
 */
final class CoordinatorMember
{
    /** Everything one member knew at a place of the log. */
    private record Snapshot(int index, List<UnsafeBuffer> messages, Set<Long> sessions, Map<Long, Long> timers)
    {
    }

    private final World world;
    private final SimulatedCoordinator cluster;
    private final int id;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SnapshotChainDecoder chain = new SnapshotChainDecoder();
    private Snapshot snapshot;
    private CoordinatorService service;
    private MemberView view;
    private int applied;
    private long pausedUntilNs;
    private boolean isApplyDue;

    CoordinatorMember(final World world, final SimulatedCoordinator cluster, final int id)
    {
        this.world = world;
        this.cluster = cluster;
        this.id = id;
    }

    int id()
    {
        return id;
    }

    /** How many entries of the log it has taken. */
    int applied()
    {
        return applied;
    }

    boolean isAlive()
    {
        return null != service;
    }

    boolean isUp()
    {
        return isAlive() && world.events().nowNs() >= pausedUntilNs;
    }

    /** True if this member's answers are sent. */
    boolean isLeading()
    {
        return cluster.isLeading(this);
    }

    long pausedUntilNs()
    {
        return pausedUntilNs;
    }

    Map<Long, Long> timers()
    {
        return view.timers();
    }

    void pause(final long durationNs)
    {
        pausedUntilNs = Math.max(pausedUntilNs, world.events().nowNs() + durationNs);
    }

    void crash()
    {
        service = null;
        view = null;
        isApplyDue = false;
    }

    void start()
    {
        pausedUntilNs = 0;
        view = new MemberView(this, cluster);
        service = new CoordinatorService(cluster.listener());
        applied = 0;
        CoordinatorState state = new CoordinatorState();
        if (null != snapshot)
        {
            cluster.onRestored();
            applied = snapshot.index;
            snapshot.sessions.forEach(view::open);
            view.timers().putAll(snapshot.timers);
            state = load(snapshot.messages);
            if (world.isPlanted(PlantedFault.COMMAND_APPLIED_TWICE))
            {
                applied = Math.max(0, applied - 8);
            }
        }
        world.journal().note("member-" + id, "starts, has taken", applied, "of", cluster.log().size());
        service.start(view, state);
        applyLater();
    }

    private CoordinatorState load(final List<UnsafeBuffer> messages)
    {
        final CoordinatorSnapshot reader = new CoordinatorSnapshot();
        for (final UnsafeBuffer message : messages)
        {
            final UnsafeBuffer read = cluster.lies().snapshotMessage(message);
            reader.onMessage(read, 0, read.capacity());
        }

        return reader.state();
    }

    /** Write a snapshot, which must be read back as what was written. */
    void takeSnapshot()
    {
        final List<UnsafeBuffer> messages = new ArrayList<>();
        service.snapshot((buffer, offset, length) -> messages.add(CoordinatorEntry.copy(buffer, offset, length)));
        snapshot = new Snapshot(
            applied, messages, new TreeSet<>(view.sessionIds()), new TreeMap<>(view.timers()));
        final long[] again = new long[1];
        CoordinatorSnapshot.write(
            load(messages), (buffer, offset, length) -> again[0] = hash(again[0], buffer, offset, length));
        Violation.check(again[0] == stateHash(), Violation.Kind.COORDINATORS_DIFFER,
            "a snapshot is not read as it was written, member, taken", id, applied);
        world.journal().note("member-" + id, "takes a snapshot at", applied);
    }

    /** Go on with a state in which a mistake was made, as every other member does, if that is the planted fault. */
    private void changeState(final boolean isChanged)
    {
        if (!isChanged)
        {
            return;
        }
        final List<UnsafeBuffer> messages = new ArrayList<>();
        service.snapshot((buffer, offset, length) -> messages.add(CoordinatorEntry.copy(buffer, offset, length)));
        if (messages.stream().noneMatch(cluster.lies()::isReady))
        {
            return;
        }
        final CoordinatorSnapshot reader = new CoordinatorSnapshot();
        for (final UnsafeBuffer message : messages)
        {
            final UnsafeBuffer changed = cluster.lies().changedState(message);
            reader.onMessage(changed, 0, changed.capacity());
        }
        service = new CoordinatorService(cluster.listener());
        service.start(view, reader.state());
        view.sessionIds().forEach((id) -> service.onSessionOpen(view.getClientSession(id), 0));
    }

    /** True if all heads have confirmed, so that only members in sync are needed to open a partition again. */
    boolean isSettled()
    {
        final boolean[] isSettled = {true};
        service.snapshot((buffer, offset, length) ->
            isSettled[0] &= SnapshotChainDecoder.TEMPLATE_ID != header.wrap(buffer, offset).templateId() ||
                isSettled(chain.wrapAndApplyHeader(buffer, offset, header)));

        return isSettled[0];
    }

    private static boolean isSettled(final SnapshotChainDecoder chain)
    {
        final Set<Integer> members = new TreeSet<>();
        chain.assignment().forEach((node) -> node.nodeId());
        chain.members().forEach((member) -> members.add(member.nodeId()));
        boolean isSettled = true;
        for (final SnapshotChainDecoder.RequiredDecoder node : chain.required())
        {
            isSettled &= members.contains(node.nodeId());
        }

        return isSettled;
    }

    /** Of everything it would write into a snapshot. */
    private long stateHash()
    {
        final long[] hash = new long[1];
        service.snapshot((buffer, offset, length) -> hash[0] = hash(hash[0], buffer, offset, length));
        return hash[0];
    }

    private static long hash(final long before, final DirectBuffer buffer, final int offset, final int length)
    {
        long hash = before;
        for (int i = 0; i < length; i += Long.BYTES)
        {
            final long next = length - i >= Long.BYTES ?
                buffer.getLong(offset + i) : tail(buffer, offset + i, length - i);
            hash = hash * 0x9E3779B97F4A7C15L ^ next;
        }

        return PartitionFunction.mix(hash ^ length);
    }

    private static long tail(final DirectBuffer buffer, final int offset, final int length)
    {
        long value = 0;
        for (int i = 0; i < length; i++)
        {
            value = value << Byte.SIZE | buffer.getByte(offset + i) & 0xFF;
        }

        return value;
    }

    /** There may be something new in the log. */
    void applyLater()
    {
        if (!isAlive() || isApplyDue || applied >= cluster.log().size())
        {
            return;
        }
        isApplyDue = true;
        final CoordinatorService life = service;
        world.events().after(cluster.applyDelayNs(this), () ->
        {
            if (life == service)
            {
                isApplyDue = false;
                applyAll();
            }
        });
    }

    void applyAll()
    {
        if (isUp())
        {
            while (applied < cluster.log().size())
            {
                apply(cluster.log().get(applied));
            }
        }
        else
        {
            applyLater();
        }
    }

    /** Take one entry as soon as it is there; all members that have taken as much are alike. */
    void apply(final CoordinatorEntry entry)
    {
        applied++;
        cluster.checks().beforeApplied(applied, entry);
        view.time(entry.timestampMs());
        switch (entry.kind())
        {
            case TERM ->
            {
                cluster.onTerm(this, view.sessionIds());
                service.onNewLeadershipTermEvent(
                    entry.number(), applied, cluster.lies().termTime(entry.timestampMs()), 0, entry.leader(), 0,
                    TimeUnit.MILLISECONDS, 0);
            }
            case OPEN ->
            {
                cluster.onOpened(this, entry.session());
                service.onSessionOpen(view.open(entry.session()), entry.timestampMs());
            }
            case CLOSE ->
            {
                final ClientSession closed = view.close(entry.session());
                if (null != closed)
                {
                    service.onSessionClose(closed, entry.timestampMs(), CloseReason.TIMEOUT);
                }
            }
            case MESSAGE ->
            {
                changeState(cluster.lies().jobs().isStateChangedFor(entry.bytes()));
                final UnsafeBuffer taken = cluster.lies().taken(entry.bytes());
                service.onSessionMessage(view.getClientSession(entry.session()), entry.timestampMs(), taken, 0,
                    taken.capacity(), null);
            }
            case TIMER ->
            {
                view.cancelTimer(entry.number());
                changeState(cluster.lies().isStateChanged(entry.kind()));
                service.onTimerEvent(entry.number(), entry.timestampMs());
            }
        }
        changeState(cluster.lies().isStateChanged(entry.kind()));
        final SlotChecks slots = cluster.checks().slots();
        if (null != slots && cluster.checks().isFirst(applied))
        {
            service.snapshot(slots::onState);
            slots.after();
        }
        cluster.checks().onApplied(id, applied, stateHash());
    }
}
