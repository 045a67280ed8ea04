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

import java.util.ArrayList;
import java.util.List;

/**
 * What the workers of each slot have pushed, and what it must add up to: an independent model of the partition.
 */
final class History
{
    /** Keys of the table of counts. */
    static final int KEYS = 16;

    /** One part: key and value of each row; none for a clock. */
    record Part(int[] keys, int[] values, boolean isRefused, long clock)
    {
        boolean isClock()
        {
            return 0 == keys.length;
        }
    }

    private final List<List<Part>> parts = new ArrayList<>();
    /** For each slot and sequence, what the audit row must hold: count, sum and sum of squares. */
    private final List<List<long[]>> audits = new ArrayList<>();

    History(final int slots)
    {
        for (int slot = 0; slot < slots; slot++)
        {
            parts.add(new ArrayList<>());
            audits.add(new ArrayList<>(List.of(new long[3])));
        }
    }

    void add(final int slot, final Part part)
    {
        parts.get(slot).add(part);
        final long sequence = parts.get(slot).size();
        final long[] audit = audits.get(slot).get((int)sequence - 1).clone();
        if (!part.isClock() && !part.isRefused)
        {
            audit[0] += 1;
            audit[1] += sequence;
            audit[2] += sequence * sequence;
        }
        audits.get(slot).add(audit);
    }

    /** A new incarnation goes on behind this sequence: what came later has never been. */
    void truncate(final int slot, final long last)
    {
        parts.get(slot).subList((int)last, parts.get(slot).size()).clear();
        audits.get(slot).subList((int)last + 1, audits.get(slot).size()).clear();
    }

    long last(final int slot)
    {
        return parts.get(slot).size();
    }

    Part part(final int slot, final long sequence)
    {
        return parts.get(slot).get((int)sequence - 1);
    }

    long[] audit(final int slot, final long last)
    {
        return audits.get(slot).get((int)last);
    }

    float[] fold()
    {
        final float[] sums = new float[KEYS];
        for (final List<Part> ofSlot : parts)
        {
            for (final Part part : ofSlot)
            {
                for (int i = 0; i < part.keys.length && !part.isRefused; i++)
                {
                    sums[part.keys[i]] += part.values[i];
                }
            }
        }

        return sums;
    }
}
