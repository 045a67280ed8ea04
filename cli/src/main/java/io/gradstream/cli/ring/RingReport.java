// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.ring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

import io.gradstream.codecs.Chain;
import io.gradstream.launcher.JsonText;
import io.gradstream.coordinator.state.Placement;
import io.gradstream.coordinator.state.Placement.Move;

/**
 * A placement in words, with what a change of the nodes would do to it.
 *
 * @param before       the placement.
 * @param virtualNodes points of each of its nodes.
 * @param after        the placement with one node more or fewer, or null if no change is asked for.
 */
record RingReport(Placement before, int virtualNodes, Placement after)
{
    private static final JsonText JSON = new JsonText(6);

    String text(final boolean isEachMove)
    {
        final StringBuilder text = new StringBuilder();
        line(text, "%d partitions, %d copies of each, on %d nodes of %d virtual nodes: %d places, at most %d a node",
            before.assignment().size(), before.copies(), before.nodes().size(), virtualNodes, before.places(),
            before.cap());
        if (null == after)
        {
            line(text, "%6s %7s %7s", "node", "places", "heads");
            for (final int node : before.nodes())
            {
                line(text, "%6d %7d %7d", node, before.placesOf(node), before.headsOf(node));
            }
            return text.toString();
        }

        change(text);
        if (isEachMove)
        {
            for (final Move move : Placement.moves(before, after))
            {
                line(text, "partition %d: %s -> %s", move.partition(), name(move.from()), name(move.to()));
            }
        }

        return text.toString();
    }

    String json(final boolean isEachMove)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("partitions", before.assignment().size());
        json.put("copies", before.copies());
        json.put("virtualNodes", virtualNodes);
        placement(json, before, "");
        if (null != after)
        {
            placement(json, after, "After");
            json.put("moved", moved());
            json.put("movedShare", share());
        }
        if (isEachMove)
        {
            final List<Move> moves = Placement.moves(before, after);
            json.put("movePartitions", moves.stream().map(Move::partition).toList());
            json.put("moveFrom", moves.stream().map(Move::from).toList());
            json.put("moveTo", moves.stream().map(Move::to).toList());
        }

        return JSON.of(json);
    }

    private void change(final StringBuilder text)
    {
        final boolean isJoin = after.nodes().size() > before.nodes().size();
        final TreeSet<Integer> one = new TreeSet<>(isJoin ? after.nodes() : before.nodes());
        one.removeAll(isJoin ? before.nodes() : after.nodes());
        line(text, "%s node %d: %d places move, %s %% of %d; at most %d a node", isJoin ? "with" : "without",
            one.first(), moved(), String.format(Locale.ROOT, "%.1f", 100 * share()),
            Math.max(before.places(), after.places()), after.cap());
        line(text, "%6s %7s -> %5s %7s -> %5s", "node", "places", "after", "heads", "after");
        final TreeSet<Integer> all = new TreeSet<>(before.nodes());
        all.addAll(after.nodes());
        for (final int node : all)
        {
            line(text, "%6d %7d -> %5d %7d -> %5d", node, before.placesOf(node), after.placesOf(node),
                before.headsOf(node), after.headsOf(node));
        }
        if (isJoin)
        {
            line(text, "a running cluster moves these places by itself, two at a time, and then hands leads " +
                "over until they are even");
        }
    }

    private int moved()
    {
        return Placement.moved(before, after);
    }

    private double share()
    {
        return (double)moved() / Math.max(before.places(), after.places());
    }

    private static void placement(final Map<String, Object> json, final Placement placement, final String suffix)
    {
        final List<Integer> nodes = placement.nodes();
        json.put("nodes" + suffix, nodes);
        json.put("places" + suffix, nodes.stream().map(placement::placesOf).toList());
        json.put("heads" + suffix, nodes.stream().map(placement::headsOf).toList());
        json.put("cap" + suffix, placement.cap());
    }

    private static String name(final int node)
    {
        return Chain.NONE == node ? "none" : "node " + node;
    }

    private static void line(final StringBuilder text, final String format, final Object... values)
    {
        text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }
}
