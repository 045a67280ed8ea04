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
package io.gradstream.worker;

import io.gradstream.codecs.Chain;
import io.gradstream.worker.client.PartitionAnswer;

import java.util.List;

/**
 * A partition, as its primary sees it.
 *
 * @param partition its number.
 * @param epoch     of its primary, 0 if nobody answered.
 * @param position  end of the primary's log, bytes: what is described is what was applied up to here.
 * @param chain     nodes in sync, the primary first; empty if nobody answered.
 * @param joiner    node that catches up behind them, or {@link Chain#NONE}.
 * @param wanted    nodes in sync that there should be.
 */
public record PartitionDescription(
    int partition, long epoch, long position, List<Integer> chain, int joiner, int wanted)
{
    /**
     * A copy that cannot change.
     */
    public PartitionDescription
    {
        chain = List.copyOf(chain);
    }

    /**
     * Did its primary answer?
     *
     * @return false if nothing is known of it.
     */
    public boolean isDescribed()
    {
        return !chain.isEmpty();
    }

    static PartitionDescription of(final PartitionAnswer answer)
    {
        return new PartitionDescription(answer.partition(), answer.epoch(), answer.position(), answer.chain(),
            answer.joiner(), answer.wanted());
    }
}
