// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.codecs.Consistency;
import io.gradstream.worker.ClusterDescription;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.SlotDescription;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The slots for which the others wait, and for how long: those that have ended the fewest iterations, while a pull
 * waits for them or another slot is further ahead than the staleness bound lets it read.
 *
 * @param slots   that hold the others back, by number; empty if none does.
 * @param unseen  how many of them have not begun: no process ever held them.
 * @param heldNs  how long the oldest pull has waited, 0 if none does.
 * @param slowest iterations that the last of the slots have ended which have not finished; {@link #NONE} if all have.
 * @param fastest iterations that the first of them have.
 */
record HeldBack(List<Integer> slots, int unseen, long heldNs, long slowest, long fastest)
{
    /** Iterations if there is no such slot. */
    static final long NONE = -1;

    /** Most slots that fit the line; the JSON names all. */
    private static final int MOST_NAMED = 3;

    /**
     * Judge by what primaries answered.
     *
     * @param consistency bound of the job.
     * @param description of at least one partition; those that did not answer do not count.
     */
    static HeldBack of(final Consistency consistency, final ClusterDescription description)
    {
        final Map<Integer, Long> seen = description.slots().stream()
            .collect(Collectors.toMap(SlotDescription::slot, SlotDescription::ended));
        final List<Integer> last = new ArrayList<>();
        long slowest = Consistency.FINISHED;
        long fastest = NONE;
        for (int slot = 0; slot < consistency.slots(); slot++)
        {
            // a slot that was never seen holds the others back from the beginning on; a finished one no longer does
            final long ended = seen.getOrDefault(slot, 0L);
            if (Consistency.FINISHED != ended)
            {
                if (ended < slowest)
                {
                    last.clear();
                    slowest = ended;
                }
                if (ended == slowest)
                {
                    last.add(slot);
                }
                fastest = Math.max(fastest, ended);
            }
        }
        if (last.isEmpty())
        {
            return new HeldBack(List.of(), 0, 0, NONE, NONE);
        }
        final long heldNs = description.partitions().stream().mapToLong(PartitionDescription::heldNs).max().orElse(0);
        final boolean isHeld = heldNs > 0 || !consistency.allows(fastest, slowest);
        final int unseen = (int)last.stream().filter((slot) -> !seen.containsKey(slot)).count();

        return isHeld ? new HeldBack(List.copyOf(last), unseen, heldNs, slowest, fastest) :
            new HeldBack(List.of(), 0, 0, slowest, fastest);
    }

    String text()
    {
        if (slots.isEmpty())
        {
            return "nobody";
        }
        final boolean isOne = 1 == slots.size();
        final StringBuilder text = new StringBuilder("by ").append(isOne ? "slot " : "slots ")
            .append(slots.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", ")));
        if (slots.size() > MOST_NAMED)
        {
            text.append(" and ").append(slots.size() - MOST_NAMED).append(" more");
        }
        if (unseen == slots.size())
        {
            text.append(isOne ? ", which has not begun" : ", which have not begun");
        }
        else
        {
            text.append(", at iteration ").append(slowest)
                .append(0 == unseen ? "" : ", " + unseen + " not begun");
        }
        if (heldNs > 0)
        {
            text.append(String.format(Locale.ROOT, ", for %.1f s", heldNs / 1e9));
        }

        return text.append(" (").append(fastest > slowest ? "others up to " + fastest : "no other is ahead")
            .append(heldNs > 0 ? ")" : ", no pull waits)").toString();
    }

    /**
     * Add the figures to an object.
     *
     * @param heldBack to be told, or null if nothing is known.
     */
    static void append(final Map<String, Object> json, final HeldBack heldBack)
    {
        final boolean isKnown = null != heldBack;
        final boolean isAnyBound = isKnown && NONE != heldBack.slowest;
        json.put("heldBackBy", isKnown ? heldBack.slots : null);
        json.put("heldBackForMs", isKnown ? TimeUnit.NANOSECONDS.toMillis(heldBack.heldNs) : null);
        json.put("slowestClock", isAnyBound ? heldBack.slowest : null);
        json.put("fastestClock", isAnyBound ? heldBack.fastest : null);
    }
}
