// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.codecs.ChainMap;
import io.gradstream.worker.session.OutageListener;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Notes when each partition of a killed server was suspected, decided upon, confirmed and acknowledged. Told by the
 * threads that read the servers' pipes and by the worker's; all times are of one clock.
 */
final class FailoverWatch implements OutageListener
{
    private static final String REPORT = "type=report";
    private static final String SUSPECTS = "suspects=";
    private static final String LEADS = "leads=";
    private static final String MAP = "map ";
    private static final int NOBODY = -1;

    private final BitSet affected = new BitSet();
    private final BitSet isBack = new BitSet();
    private final long[] suspectedNs;
    private final long[] decidedNs;
    private final long[] promotedNs;
    private final long[] ackNs;
    private int victim = NOBODY;
    private boolean isMissed;

    FailoverWatch(final int partitions)
    {
        suspectedNs = new long[partitions];
        decidedNs = new long[partitions];
        promotedNs = new long[partitions];
        ackNs = new long[partitions];
    }

    synchronized void begin(final int newVictim, final BitSet headed)
    {
        victim = newVictim;
        isMissed = false;
        affected.clear();
        affected.or(headed);
        isBack.clear();
        Arrays.fill(suspectedNs, 0);
        Arrays.fill(decidedNs, 0);
        Arrays.fill(promotedNs, 0);
        Arrays.fill(ackNs, 0);
    }

    /** The coordinator has taken a line or decided a map. */
    synchronized void onCoordinator(final String text, final long nowNs)
    {
        if (NOBODY == victim)
        {
            return;
        }
        if (text.startsWith(MAP))
        {
            onMap(ChainMap.parse(text.substring(MAP.length())), nowNs);
        }
        else if (text.contains(REPORT) && !text.contains(" node=" + victim + ' '))
        {
            for (final String word : text.split(" "))
            {
                for (final String thing : word.substring(word.indexOf('=') + 1).split(","))
                {
                    onReported(word, thing.split("/"), nowNs);
                }
            }
        }
    }

    @Override
    public synchronized void onServiceBack(
        final int partition, final long epoch, final int outstanding, final long lostNs, final long nowNs)
    {
        if (NOBODY != victim && affected.get(partition) && !isBack.get(partition))
        {
            isBack.set(partition);
            isMissed |= 0 == outstanding;
            ackNs[partition] = nowNs;
        }
    }

    synchronized boolean isOver()
    {
        for (int p = affected.nextSetBit(0); p >= 0; p = affected.nextSetBit(p + 1))
        {
            if (!isBack.get(p) || 0 == promotedNs[p])
            {
                return false;
            }
        }

        return true;
    }

    /**
     * The kill is over, or given up.
     *
     * @return times of the partition that came back last, or null if a partition had no push outstanding. Of no meaning
     * if it was given up.
     */
    synchronized Failover end(final long killedNs)
    {
        victim = NOBODY;
        int last = affected.nextSetBit(0);
        for (int p = last; p >= 0; p = affected.nextSetBit(p + 1))
        {
            last = ackNs[p] > ackNs[last] ? p : last;
        }

        return isMissed ? null : new Failover(
            suspectedNs[last] - killedNs, decidedNs[last] - killedNs, promotedNs[last] - killedNs,
            ackNs[last] - killedNs);
    }

    synchronized String describe()
    {
        final BitSet missing = new BitSet();
        missing.or(affected);
        missing.andNot(isBack);

        return "victim=" + victim + " partitions=" + affected + " notAcknowledged=" + missing +
            " suspectedNs=" + Arrays.toString(suspectedNs) + " promotedNs=" + Arrays.toString(promotedNs);
    }

    /** One thing that a node has said: of which partition, under which version, and of whom. */
    private void onReported(final String word, final String[] values, final long nowNs)
    {
        if (word.startsWith(SUSPECTS) && victim == Integer.parseInt(values[2]))
        {
            note(suspectedNs, Integer.parseInt(values[0]), nowNs);
        }
        else if (word.startsWith(LEADS) && 0 != decidedNs[Integer.parseInt(values[0])])
        {
            note(promotedNs, Integer.parseInt(values[0]), nowNs);
        }
    }

    private void onMap(final ChainMap map, final long nowNs)
    {
        for (int p = affected.nextSetBit(0); p >= 0; p = affected.nextSetBit(p + 1))
        {
            final int head = map.chains().get(p).head();
            if (head >= 0 && head != victim)
            {
                note(decidedNs, p, nowNs);
            }
        }
    }

    private static void note(final long[] times, final int partition, final long nowNs)
    {
        times[partition] = 0 == times[partition] ? nowNs : times[partition];
    }
}
