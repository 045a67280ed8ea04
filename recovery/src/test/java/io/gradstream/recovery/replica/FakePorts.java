// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.recovery.chain.ChainMonitor;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.EpochHistory;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * Remembers what is said to neighbours and to the coordinator, and refuses it when told to.
 */
public final class FakePorts implements NodePort
{
    final List<String> said = new ArrayList<>();
    final List<Long> forwarded = new ArrayList<>();
    final List<Long> grants = new ArrayList<>();
    /** What heartbeats said has been heard of their receivers. */
    public final List<Long> heard = new ArrayList<>();
    int queueLength = Downstream.QUEUE_LENGTH;
    MoveBandwidth moveBandwidth = MoveBandwidth.UNLIMITED;
    boolean isBlocked;
    public boolean isUnanswered;
    private long reportedChanges;
    private List<String> reported = List.of();

    public int count(final String what)
    {
        return (int)said.stream().filter((each) -> each.startsWith(what)).count();
    }

    public String last()
    {
        return said.isEmpty() ? "" : said.get(said.size() - 1);
    }

    private boolean say(final String what)
    {
        if (!isBlocked)
        {
            said.add(what);
        }

        return !isBlocked;
    }

    @Override
    public boolean heartbeat(
        final int nodeId, final long sentNs, final long heardNs, final long silentNs, final long mapVersion)
    {
        heard.add(heardNs);
        return say("heartbeat " + nodeId);
    }

    @Override
    public boolean progress(
        final ChainLink link, final long applied, final long recorded, final long snapshotted, final long grantNs)
    {
        grants.add(grantNs);
        return say("progress " + applied + " " + recorded + " " + snapshotted);
    }

    @Override
    public boolean attach(final ChainLink link, final EpochHistory history, final long position)
    {
        return say("attach " + position);
    }

    @Override
    public boolean attachAnswer(final ChainLink link, final AttachAnswer answer, final long position)
    {
        return say("answer " + answer + " " + position);
    }

    @Override
    public int queueLength()
    {
        return queueLength;
    }

    @Override
    public MoveBandwidth moveBandwidth()
    {
        return moveBandwidth;
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
        if (!isBlocked)
        {
            forwarded.add(endPosition);
        }

        return say("forward " + previousPosition + ".." + endPosition);
    }

    @Override
    public boolean snapshotFrame(
        final ChainLink link, final long index, final DirectBuffer buffer, final int offset, final int length)
    {
        return say("frame " + index);
    }

    /** Have the coordinators answered? */
    public boolean isAnswered(final long sinceNs)
    {
        return !isUnanswered;
    }

    /** As a node does that reports each change of what it suspects in its first chain. */
    public void report(final ChainMonitor monitor, final long version, final long nowNs)
    {
        if (reportedChanges != monitor.changes())
        {
            reportedChanges = monitor.changes();
            final List<String> suspected = new ArrayList<>();
            monitor.forEachSuspicion(0, (nodeId, isAnswered) ->
                suspected.add("suspect " + version + " " + nodeId + (isAnswered ? "" : " unanswered")));
            suspected.stream().filter((each) -> !reported.contains(each)).forEach(this::say);
            reported = suspected;
            monitor.onReported(nowNs);
        }
    }
}
