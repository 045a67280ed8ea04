// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.ArrayList;
import java.util.List;

/**
 * All chains of a job at one version of the coordinator's decisions, and which process of each node they speak of.
 * A node acts on a map only if it names its own incarnation: an older map may still speak of its last life.
 *
 * @param version      grows with every change.
 * @param incarnations of the nodes by id, 0 for one that has not registered.
 * @param chains       by partition.
 */
public record ChainMap(long version, List<Long> incarnations, List<Chain> chains)
{
    /** Copies the lists. */
    public ChainMap
    {
        incarnations = List.copyOf(incarnations);
        chains = List.copyOf(chains);
    }

    /**
     * Write it without spaces: {@code version;incarnation,...;epoch:version:members:joiner:wanted;...} with members
     * joined by {@code +}.
     *
     * @return text that {@link #parse(String)} reads.
     */
    public String format()
    {
        final StringBuilder text = new StringBuilder().append(version).append(';');
        for (int i = 0; i < incarnations.size(); i++)
        {
            text.append(0 == i ? "" : ",").append(incarnations.get(i));
        }
        for (final Chain chain : chains)
        {
            text.append(';').append(chain.epoch()).append(':').append(chain.version()).append(':');
            for (int i = 0; i < chain.members().size(); i++)
            {
                text.append(0 == i ? "" : "+").append(chain.members().get(i));
            }
            text.append(':').append(chain.joiner()).append(':').append(chain.wanted());
        }

        return text.toString();
    }

    /** Read what {@link #format()} wrote. */
    public static ChainMap parse(final String text)
    {
        final String[] parts = text.split(";", -1);
        if (parts.length < 2)
        {
            throw new IllegalArgumentException("not a chain map: " + text);
        }
        final List<Long> incarnations = new ArrayList<>();
        for (final String incarnation : parts[1].isEmpty() ? new String[0] : parts[1].split(","))
        {
            incarnations.add(Long.parseLong(incarnation));
        }
        final List<Chain> chains = new ArrayList<>();
        for (int i = 2; i < parts.length; i++)
        {
            chains.add(parseChain(parts[i]));
        }

        return new ChainMap(Long.parseLong(parts[0]), incarnations, chains);
    }

    private static Chain parseChain(final String text)
    {
        final String[] fields = text.split(":", -1);
        if (5 != fields.length)
        {
            throw new IllegalArgumentException("not a chain: " + text);
        }
        final List<Integer> members = new ArrayList<>();
        for (final String member : fields[2].isEmpty() ? new String[0] : fields[2].split("\\+"))
        {
            members.add(Integer.parseInt(member));
        }

        return new Chain(
            Long.parseLong(fields[0]), Long.parseLong(fields[1]), members, Integer.parseInt(fields[3]),
            Integer.parseInt(fields[4]));
    }
}
