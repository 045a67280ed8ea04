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

import java.util.List;

/**
 * A slot of which a part was ever taken.
 *
 * @param slot          its number.
 * @param incarnation   newest process of which a part was taken.
 * @param clock         iterations that it has finished at every partition that answered: the least of their counts.
 * @param lastSequences for each partition the last sequence that is applied, pushes and clocks alike; 0 where none was
 *                      taken or nobody answered.
 */
public record SlotDescription(int slot, long incarnation, long clock, List<Long> lastSequences)
{
    /**
     * A copy that cannot change.
     */
    public SlotDescription
    {
        lastSequences = List.copyOf(lastSequences);
    }

    /**
     * Parts of the slot that are applied, pushes and clocks alike.
     *
     * @return the sum over the partitions that answered.
     */
    public long parts()
    {
        return lastSequences.stream().mapToLong(Long::longValue).sum();
    }
}
