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
package io.gradstream.simulation;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The planted faults of the coordinator; without one it changes nothing.
 */
final class CoordinatorLies
{
    private final World world;
    private final List<ChainMap> told = new ArrayList<>();

    CoordinatorLies(final World world)
    {
        this.world = world;
    }

    ChainMap map(final ChainMap decided)
    {
        told.add(decided);
        return switch (world.planted)
        {
            case EPOCH_NOT_RAISED -> chains(decided, CoordinatorLies::withFirstEpoch);
            case JOINER_ADMITTED_EARLY -> chains(decided, CoordinatorLies::withJoinerIn);
            case JOINER_PROMOTED -> chains(decided, CoordinatorLies::withJoinerFirst);
            case STALE_MAP_APPLIED -> told.size() > 8 && 0 == told.size() % 4 ? stale(decided) : decided;
            default -> decided;
        };
    }

    private ChainMap stale(final ChainMap decided)
    {
        final ChainMap old = told.get(told.size() - 5);
        final List<Chain> chains = new ArrayList<>();
        for (int i = 0; i < old.chains().size(); i++)
        {
            final Chain chain = old.chains().get(i);
            chains.add(new Chain(chain.epoch(), decided.chains().get(i).version(), chain.members(), chain.joiner(),
                chain.wanted()));
        }

        return new ChainMap(decided.version(), decided.incarnations(), chains);
    }

    private static Chain withFirstEpoch(final Chain chain)
    {
        return new Chain(Math.min(1, chain.epoch()), chain.version(), chain.members(), chain.joiner(), chain.wanted());
    }

    private static Chain withJoinerIn(final Chain chain)
    {
        final List<Integer> members = new ArrayList<>(chain.members());
        if (Chain.NONE != chain.joiner())
        {
            members.add(chain.joiner());
        }

        return new Chain(chain.epoch(), chain.version(), members, Chain.NONE, chain.wanted());
    }

    private static Chain withJoinerFirst(final Chain chain)
    {
        return Chain.NONE == chain.joiner() || 0 != chain.version() % 3 ? chain :
            new Chain(chain.epoch() + 1, chain.version(), List.of(chain.joiner()), Chain.NONE, chain.wanted());
    }

    private static ChainMap chains(final ChainMap map, final UnaryOperator<Chain> change)
    {
        return new ChainMap(map.version(), map.incarnations(), map.chains().stream().map(change).toList());
    }
}
