// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.SnapshotChainDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainEncoder;

/**
 * One partition's chain as the coordinator decides it. Callers have checked that a report comes from the living
 * incarnation of its node.
 * <p>
 * Nodes whose logs may hold an acknowledgement that others lack are in {@code required}: the members always, and
 * removed nodes until a head has confirmed that it will acknowledge without them, which it does not do before. A
 * partition that lost all members opens again only when all required nodes have shown their logs. It opens with one of
 * these logs that can hold all that was acknowledged: one that is sound and does not end before the newest epoch that a
 * head confirmed. If no log can, and a user accepts the loss, it opens with the newest of all copies once all are
 * shown. A shown log no longer counts once the node gets a role, because the log then changes; a joiner whose log is
 * required gets no role before the head has confirmed. While there is no head, a shown log no longer counts once its
 * node was silent for long: the node may come back with another directory.
 * <p>
 * A place moves by a change of the assignment: a member that is not in it any more <i>leaves</i>. It keeps its role
 * until another node has come in its place, so that the chain is as long as it should be, or longer by one meanwhile. A
 * chain of the longest that there may be gets shorter by one instead, because leases are not proved for a longer one.
 * <p>
 * A head whose place stays hands the lead over and becomes the last member: it has stopped, and the members are alike.
 */
final class PartitionChain
{
    private final List<Integer> assignment = new ArrayList<>();
    private final List<Integer> members = new ArrayList<>();
    private final TreeSet<Integer> required = new TreeSet<>();
    private final TreeMap<Integer, LogEnd> reports = new TreeMap<>();
    /** Version by which a node lost its place in the chain: what it said before is not about its log of now. */
    private final TreeMap<Integer, Long> left = new TreeMap<>();
    private final TreeSet<Integer> deposed = new TreeSet<>();
    private final LeadTransfer lead = new LeadTransfer();
    private final AwaitedPlace place = new AwaitedPlace();
    private final int wanted;
    private int joiner = Chain.NONE;
    private long epoch;
    /** Newest epoch whose start a head has recorded; 0 where no log is kept. */
    private long confirmedEpoch;
    /** True if the coordinators know that the head of this epoch acknowledges without the nodes that were removed. */
    private boolean isConfirmed;
    private long version;
    private final long firstVersion;

    /** A partition that has no place yet, and should have so many copies. */
    PartitionChain(final int wanted)
    {
        this(wanted, 0, 0);
    }

    /** The same, in the place of a partition of another job, which had epochs and versions below these. */
    PartitionChain(final int wanted, final long epoch, final long firstVersion)
    {
        this.wanted = wanted;
        this.epoch = epoch;
        this.firstVersion = firstVersion;
        version = firstVersion;
    }

    /** The version with which it began: what is said of an older one is about a partition of another job. */
    long firstVersion()
    {
        return firstVersion;
    }

    /** Id of the first member, or NONE. */
    int head()
    {
        return members.isEmpty() ? Chain.NONE : members.get(0);
    }

    Chain chain()
    {
        return new Chain(
            epoch, version, members, joiner, wanted, lead.transferee(), staleReplicas(), requiredReplicas());
    }

    /** Version, which grows with every change. */
    long version()
    {
        return version;
    }

    /** True if its places are those of its members, and nothing is about to change. */
    boolean isSettled()
    {
        return mayMove() && members.containsAll(assignment);
    }

    /** Since when the head leads, who is to take the lead, and when somebody may be named for that. */
    LeadTransfer lead()
    {
        return lead;
    }

    /** The place whose node is awaited in sync. */
    AwaitedPlace place()
    {
        return place;
    }

    /** Give a partition that nobody has opened yet its first places, the preferred head first. */
    void place(final List<Integer> nodes)
    {
        assignment.addAll(nodes);
        required.addAll(nodes);
    }

    /** Where its replicas belong, the preferred head first. */
    List<Integer> assignment()
    {
        return assignment;
    }

    /**
     * True if this node's place may be given to another node: the node has no role, and what it holds cannot be needed.
     */
    boolean canLeave(final int node)
    {
        return !members.isEmpty() && joiner != node && !members.contains(node) && !required.contains(node);
    }

    /**
     * True if a copy is missing that one of these nodes is to have, and can get now. A partition that waits for a lost
     * member must not keep other partitions from being repaired.
     */
    boolean isUnderRepair(final Set<Integer> living)
    {
        return !members.isEmpty() && living.containsAll(members) &&
            assignment.stream().anyMatch((node) -> !members.contains(node) && living.contains(node));
    }

    /**
     * Give places to others: the nodes keep the partition from now on. A member that is not one of them leaves, see
     * {@link #goOn}.
     */
    void move(final List<Integer> nodes)
    {
        assignment.clear();
        assignment.addAll(nodes);
        reports.keySet().removeIf((node) -> !mayHavePlace(node));
    }

    /** True if a place of a living member may be given to another node now: the chain is whole, and nobody joins. */
    boolean mayMove()
    {
        return members.size() == wanted && isConfirmed && Chain.NONE == joiner && Chain.NONE == lead.transferee() &&
            Chain.NONE == leaving();
    }

    /** True if a place was given to another node, and is not that node's yet. */
    boolean isMoving()
    {
        return Chain.NONE != leaving() || !members.isEmpty() && !members.containsAll(assignment);
    }

    /** True if a place moves, and the chain has all its copies meanwhile. */
    boolean isMovingWhole()
    {
        return Chain.NONE != leaving() && members.size() >= wanted;
    }

    /** The first member whose place has been given to another node, or NONE. */
    int leaving()
    {
        return members.stream().filter((node) -> !assignment.contains(node)).findFirst().orElse(Chain.NONE);
    }

    /**
     * Go on with a move: let the member that leaves go once another node is in sync in its place, or is ready to join
     * where the chain must not get longer. All that stay must be heard. A head hands the lead over first.
     *
     * @param isHeard true for a node that the coordinators hear.
     * @param nowMs   time.
     * @return true if the chain has changed.
     */
    boolean goOn(final IntPredicate isHeard, final long nowMs)
    {
        final int leaving = leaving();
        final boolean isNewcomerReady = JobSpec.MAX_COPIES == wanted && isAnyWaiting(isHeard);
        final boolean isReplaced =
            members.size() > wanted || Chain.NONE == joiner && isNewcomerReady && members.size() == wanted;
        final boolean areOthersHeard = members.stream().allMatch((node) -> node == leaving || isHeard.test(node));
        if (Chain.NONE == leaving || !isReplaced || !isConfirmed || Chain.NONE != lead.transferee() || !areOthersHeard)
        {
            return false;
        }
        if (leaving != head())
        {
            remove(leaving);
            return true;
        }
        final boolean isDue = lead.mayHandOver(nowMs);
        if (isDue)
        {
            // the next one: who is behind others would lead without them
            lead.start(members.get(1), !lead.isAskedAgain(nowMs), nowMs);
            version++;
        }

        return isDue;
    }

    /** True if a node that has a place, and for which this holds, waits to join. */
    boolean isAnyWaiting(final IntPredicate isHeard)
    {
        return assignment.stream().anyMatch((node) -> reports.containsKey(node) && isHeard.test(node));
    }

    /** True if its log counts: its place is here, or it is needed to open the partition again. */
    private boolean mayHavePlace(final int node)
    {
        return assignment.contains(node) || required.contains(node);
    }

    /** Nodes whose logs must be seen before the partition is opened again. */
    Set<Integer> required()
    {
        return Set.copyOf(required);
    }

    /** The process of a node is dead. True if another node has taken the leadership from it. */
    boolean onDead(final int node)
    {
        final List<Integer> staleBefore = staleReplicas();
        reports.remove(node);
        final boolean isDeposed = (joiner == node || members.contains(node)) && remove(node);
        deposed.remove(node);
        version += staleBefore.equals(staleReplicas()) ? 0 : 1;

        return isDeposed;
    }

    /**
     * True if this process has lost the leadership to another, and has not been seen alive since. The call marks it as
     * seen: a second call returns false.
     */
    boolean onSeenAlive(final int node)
    {
        return deposed.remove(node);
    }

    /**
     * A replica waits for a role.
     *
     * @param knownVersion newest version of the chain that its node knew when it said so.
     * @return true if the chain has changed.
     */
    boolean onRecovered(final int node, final long knownVersion, final LogEnd report)
    {
        if (!mayHavePlace(node) || joiner == node || members.contains(node) ||
            knownVersion < left.getOrDefault(node, 0L))
        {
            return false;
        }

        final List<Integer> staleBefore = staleReplicas();
        reports.put(node, report);
        if (fill())
        {
            return true;
        }
        final boolean isChanged = !staleBefore.equals(staleReplicas());
        version += isChanged ? 1 : 0;

        return isChanged;
    }

    /**
     * While there is no head, forget what those nodes have shown that have been silent for long.
     *
     * @param living nodes that were heard.
     * @return true if the chain has changed.
     */
    boolean retainShown(final Set<Integer> living)
    {
        final List<Integer> staleBefore = staleReplicas();
        final boolean isChanged = members.isEmpty() && reports.keySet().retainAll(living) &&
            !staleBefore.equals(staleReplicas());
        version += isChanged ? 1 : 0;

        return isChanged;
    }

    /**
     * The head is about to acknowledge by the membership of this version: nodes removed before are no longer needed.
     *
     * @param keepsLog true if the start of its epoch is recorded.
     * @return true if the chain has changed: the head may acknowledge now. Its version stays.
     */
    boolean onConfirm(final int node, final long confirmedVersion, final boolean keepsLog)
    {
        final boolean isAllowed = version == confirmedVersion && head() == node;
        final boolean isChanged = isAllowed && !isConfirmed;
        if (isAllowed)
        {
            required.clear();
            required.addAll(members);
            reports.keySet().removeIf((other) -> !mayHavePlace(other));
            confirmedEpoch = keepsLog ? epoch : 0;
            isConfirmed = true;
        }

        return isChanged;
    }

    /**
     * True if this neighbour's suspicion may remove a node. A joiner cannot take the place of a sole head, nor does a
     * sole head lose its own.
     */
    boolean canSuspect(final int reporter, final long suspectedVersion, final int suspected)
    {
        final Chain chain = chain();
        if (version != suspectedVersion || reporter == suspected || !chain.holds(reporter) || !chain.holds(suspected))
        {
            return false;
        }

        final boolean isNeighbour =
            chain.predecessorOf(reporter) == suspected || chain.successorOf(reporter) == suspected;
        return isNeighbour && !(1 == members.size() && members.get(0) == suspected);
    }

    /** Remove a node that {@link #canSuspect} allowed to. True if another node has taken the leadership from it. */
    boolean onSuspected(final int suspected)
    {
        return remove(suspected);
    }

    /** The last member says that the joiner has everything. True if the chain has changed. */
    boolean onAdmit(final int reporter, final long admittedVersion, final int admitted)
    {
        final boolean isAllowed = version == admittedVersion && Chain.NONE != admitted && joiner == admitted &&
            members.get(members.size() - 1) == reporter;
        if (isAllowed)
        {
            members.add(joiner);
            required.add(joiner);
            joiner = Chain.NONE;
            lead.end();
            version++;
            chooseJoiner();
        }

        return isAllowed;
    }

    /**
     * The joiner gives up its place, and waits for that before it deletes its log: an admission that is under way is of
     * an older version then.
     *
     * @return true if the chain has changed.
     */
    boolean onLeave(final int node, final long leftVersion)
    {
        final boolean isAllowed = version == leftVersion && joiner == node;
        if (isAllowed)
        {
            remove(node);
        }

        return isAllowed;
    }

    /** Ask a member in sync to take the lead. The head goes on until that member has made sure that it does not. */
    void startTransfer(final int member, final long nowMs)
    {
        lead.start(member, false, nowMs);
        version++;
    }

    /** Ask the head, which serves well, to stop and hand the lead to the member after it. */
    void startHandOver(final long nowMs)
    {
        lead.start(members.get(1), true, nowMs);
        version++;
    }

    /** Workers reach the head after all; a claim that is under way comes too late. */
    void dismissTransferee(final long nowMs)
    {
        lead.dismiss(nowMs);
        version++;
    }

    /** The transferee has not taken the lead; a claim that is under way comes too late. */
    void giveUpTransfer(final long nowMs)
    {
        lead.giveUp(leaving() == head(), nowMs);
        version++;
    }

    /** The new leader's clock may show less than the last one's. */
    void onNewLeader(final long nowMs)
    {
        lead.onNewLeader(nowMs);
        place.onNewLeader(nowMs);
    }

    /**
     * The transferee says that no member before it answers any longer: these members lose their places, and join after
     * it.
     *
     * @return true if the chain has changed.
     */
    boolean onClaim(final int claimant, final long claimedVersion, final long nowMs)
    {
        final boolean isAllowed = mayTakeLead(claimant, claimedVersion);
        if (isAllowed && lead.isHandingOver())
        {
            // the head has not stopped: it serves on, and nothing is lost that it alone has
            giveUpTransfer(nowMs);
        }
        else if (isAllowed)
        {
            promote(claimant);
        }

        return isAllowed;
    }

    private boolean mayTakeLead(final int claimant, final long claimedVersion)
    {
        return version == claimedVersion && Chain.NONE != claimant && lead.transferee() == claimant;
    }

    private void promote(final int claimant)
    {
        final List<Integer> before = List.copyOf(members.subList(0, members.indexOf(claimant)));
        members.removeAll(before);
        raiseEpoch();
        before.forEach((node) -> left.put(node, version));
        fill();
    }

    /**
     * The transferee says that the head has stopped, and that every member holds what the head had. A head of two
     * members that serves well becomes the last one; any other head loses its place in sync.
     *
     * @return true if the chain has changed.
     */
    boolean onTakeOver(final int claimant, final long claimedVersion)
    {
        final boolean isAllowed = mayTakeLead(claimant, claimedVersion);
        if (isAllowed && lead.isHandingOver() && leaving() != head() && 2 == members.size())
        {
            Collections.reverse(members);
            raiseEpoch();
        }
        else if (isAllowed)
        {
            // a head that leaves, or that workers miss, has no place in sync: it may not hear that it has another one
            promote(claimant);
        }

        return isAllowed;
    }

    private void raiseEpoch()
    {
        isConfirmed = false;
        lead.onMoved();
        epoch++;
        version++;
    }

    /** Give the place of a node that is no member to another one. */
    void replace(final int node, final int other)
    {
        final List<Integer> nodes = new ArrayList<>(assignment);
        nodes.set(nodes.indexOf(node), other);
        move(nodes);
        if (joiner == node)
        {
            remove(node);
        }
    }

    /** Write it into a message whose partition is set. */
    void encode(final SnapshotChainEncoder encoder)
    {
        encoder.epoch(epoch).version(version).joiner(joiner).wanted(wanted)
            .confirmedEpoch(confirmedEpoch).isConfirmed((short)(isConfirmed ? 1 : 0))
            .firstVersion(firstVersion);
        lead.encode(encoder);
        place.encode(encoder);
        final SnapshotChainEncoder.AssignmentEncoder assigned = encoder.assignmentCount(assignment.size());
        assignment.forEach((node) -> assigned.next().nodeId(node));
        final SnapshotChainEncoder.MembersEncoder membersEncoder = encoder.membersCount(members.size());
        members.forEach((node) -> membersEncoder.next().nodeId(node));
        final SnapshotChainEncoder.RequiredEncoder requiredEncoder = encoder.requiredCount(required.size());
        required.forEach((node) -> requiredEncoder.next().nodeId(node));
        final SnapshotChainEncoder.DeposedEncoder deposedEncoder = encoder.deposedCount(deposed.size());
        deposed.forEach((node) -> deposedEncoder.next().nodeId(node));
        final SnapshotChainEncoder.ReportsEncoder reportsEncoder = encoder.reportsCount(reports.size());
        reports.forEach((node, report) ->
            reportsEncoder.next().epoch(report.epoch()).position(report.position()).nodeId(node)
                .isLossAccepted((short)(report.isLossAccepted() ? 1 : 0)));
        final SnapshotChainEncoder.LeftEncoder leftEncoder = encoder.leftCount(left.size());
        left.forEach((node, leftVersion) -> leftEncoder.next().version(leftVersion).nodeId(node));
    }

    /** Read what {@link #encode} wrote. */
    static PartitionChain decode(final SnapshotChainDecoder decoder)
    {
        final PartitionChain chain = new PartitionChain(decoder.wanted(), decoder.epoch(), decoder.firstVersion());
        chain.version = decoder.version();
        chain.joiner = decoder.joiner();
        chain.confirmedEpoch = decoder.confirmedEpoch();
        chain.isConfirmed = 0 != decoder.isConfirmed();
        chain.lead.decode(decoder);
        chain.place.decode(decoder);
        decoder.assignment().forEach((node) -> chain.assignment.add(node.nodeId()));
        decoder.members().forEach((member) -> chain.members.add(member.nodeId()));
        decoder.required().forEach((node) -> chain.required.add(node.nodeId()));
        decoder.deposed().forEach((node) -> chain.deposed.add(node.nodeId()));
        decoder.reports().forEach((report) -> chain.reports.put(report.nodeId(),
            new LogEnd(report.epoch(), report.position(), 0 != report.isLossAccepted())));
        decoder.left().forEach((node) -> chain.left.put(node.nodeId(), node.version()));

        return chain;
    }

    private boolean remove(final int node)
    {
        final boolean wasHead = !members.isEmpty() && members.get(0) == node;
        final boolean hasTransferee = wasHead && members.size() > 1;
        if (members.remove((Integer)node))
        {
            isConfirmed = false;
        }
        // a joiner without members loses its role too
        final int dropped = joiner == node || members.isEmpty() ? joiner : Chain.NONE;
        joiner = Chain.NONE != dropped ? Chain.NONE : joiner;
        lead.end();
        if (hasTransferee)
        {
            epoch++;
            lead.onMoved();
            deposed.add(node);
        }
        version++;
        left.put(node, version);
        if (Chain.NONE != dropped)
        {
            left.put(dropped, version);
        }
        fill();

        return hasTransferee;
    }

    private boolean fill()
    {
        final boolean isOpened = members.isEmpty() && reports.keySet().containsAll(required) && chooseHead();
        final boolean isJoined = chooseJoiner();
        if (isOpened || isJoined)
        {
            lead.end();
            version++;
        }

        return isOpened || isJoined;
    }

    private boolean chooseHead()
    {
        final int complete = newest(this::mayHoldAllAcknowledged);
        final int best = Chain.NONE != complete || !isLossAccepted() ? complete :
            newest((node) -> reports.get(node).isSound());
        if (Chain.NONE == best)
        {
            return false;
        }

        for (final LogEnd report : reports.values())
        {
            epoch = Math.max(epoch, report.epoch());
        }
        epoch++;
        lead.onMoved();
        isConfirmed = false;
        members.add(best);
        required.add(best);
        reports.remove(best);

        return true;
    }

    /** Nodes that keep a partition without a head closed, though they have shown their logs. */
    private List<Integer> staleReplicas()
    {
        return members.isEmpty() ? reports.keySet().stream()
            .filter((node) -> required.contains(node) && !mayHoldAllAcknowledged(node)).toList() : List.of();
    }

    /** Nodes whose logs have to be seen again if the head does not get to confirm. */
    private List<Integer> requiredReplicas()
    {
        return isConfirmed ? List.of() : List.copyOf(required);
    }

    /** True if a node's log, as the node showed it, can hold all that was acknowledged. */
    private boolean mayHoldAllAcknowledged(final int node)
    {
        final LogEnd report = reports.get(node);
        return required.contains(node) && report.isSound() && report.epoch() >= confirmedEpoch;
    }

    /** True if the copies are all there is, and the user takes the newest of them for all there was. */
    private boolean isLossAccepted()
    {
        return reports.keySet().containsAll(assignment) &&
            reports.values().stream().anyMatch(LogEnd::isLossAccepted);
    }

    /** The node whose log has more than those of the others for which a condition holds, or NONE. */
    private int newest(final IntPredicate isCandidate)
    {
        int newest = Chain.NONE;
        // the preferred head is the first of those that have as much
        final Set<Integer> candidates = new LinkedHashSet<>(assignment);
        candidates.addAll(required);
        for (final int node : candidates)
        {
            if (reports.containsKey(node) && isCandidate.test(node) &&
                (Chain.NONE == newest || reports.get(node).isAheadOf(reports.get(newest))))
            {
                newest = node;
            }
        }

        return newest;
    }

    private boolean chooseJoiner()
    {
        final int most = wanted + (JobSpec.MAX_COPIES == wanted || Chain.NONE == leaving() ? 0 : 1);
        if (members.isEmpty() || Chain.NONE != joiner || members.size() >= most)
        {
            return false;
        }
        for (final int node : assignment)
        {
            if (null != reports.remove(node))
            {
                joiner = node;
                return true;
            }
        }

        return false;
    }
}
