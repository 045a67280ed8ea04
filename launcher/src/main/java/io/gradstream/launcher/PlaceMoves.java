// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;

/**
 * Counts the places that have moved to another server, and the leads that have moved with them, by the maps that the
 * coordinators decide. Only chains that have exactly the members wanted are compared: a server that was lost and comes
 * back to its places moves none.
 */
final class PlaceMoves
{
    private final List<Chain> settled = new ArrayList<>();
    private final BitSet partitions = new BitSet();
    private final List<Lead> leads = new ArrayList<>();
    private int places;

    /**
     * A lead that has moved because the place of the former head has.
     *
     * @param partition its number.
     * @param epoch     of the new head.
     */
    public record Lead(int partition, long epoch)
    {
    }

    void onMap(final ChainMap map)
    {
        for (int partition = 0; partition < map.chains().size(); partition++)
        {
            final Chain chain = map.chains().get(partition);
            if (partition == settled.size())
            {
                settled.add(null);
            }
            if (isSettled(chain))
            {
                final Chain before = settled.set(partition, chain);
                if (null != before)
                {
                    compare(partition, before, chain);
                }
            }
        }
    }

    private void compare(final int partition, final Chain before, final Chain now)
    {
        final int taken = (int)now.members().stream().filter((node) -> !before.holds(node)).count();
        places += taken;
        partitions.set(partition, partitions.get(partition) || taken > 0);
        if (!now.holds(before.head()))
        {
            leads.add(new Lead(partition, now.epoch()));
        }
    }

    /** True if a chain has exactly the members wanted, and nobody is to join it. */
    static boolean isSettled(final Chain chain)
    {
        return chain.wanted() == chain.members().size() && Chain.NONE == chain.joiner();
    }

    /** True if all chains are settled, and no server of these has two places more than another one. */
    static boolean isEven(final ChainMap map, final List<Integer> nodes)
    {
        final int[] counts = nodes.stream().mapToInt((node) -> placesOf(map, node)).toArray();
        return map.chains().stream().allMatch(PlaceMoves::isSettled) &&
            IntStream.of(counts).max().orElse(0) - IntStream.of(counts).min().orElse(0) < 2;
    }

    /** The number of chains in which a server has a place. */
    static int placesOf(final ChainMap map, final int node)
    {
        return (int)map.chains().stream().filter((chain) -> chain.holds(node)).count();
    }

    int places()
    {
        return places;
    }

    int partitions()
    {
        return partitions.cardinality();
    }

    List<Lead> leads()
    {
        return List.copyOf(leads);
    }
}
