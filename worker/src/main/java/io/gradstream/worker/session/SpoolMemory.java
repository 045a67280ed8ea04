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
package io.gradstream.worker.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The bytes that the spools of one client take together. Each may always take its first {@link Spool#STEP}; what they
 * take beyond that has one limit. A spool that finds no memory makes the others give back what they do not use.
 */
public final class SpoolMemory
{
    /** No round is under way. */
    static final long NO_ROUND = 0;

    private final List<Spool> spools = new ArrayList<>();
    private final long totalBytes;
    private final long limit;
    // 0 <= used <= limit
    private long used;
    private boolean isShort;
    private long rounds;
    private long round = NO_ROUND;

    /**
     * Memory of which nothing is taken.
     *
     * @param totalBytes of all spools together.
     * @param count      of the spools.
     */
    public SpoolMemory(final long totalBytes, final int count)
    {
        this.totalBytes = totalBytes;
        limit = Math.max(0, totalBytes - (long)count * Spool.STEP);
    }

    /** Bytes of all spools together. */
    public long totalBytes()
    {
        return totalBytes;
    }

    /** What is found to have room from here on keeps it until the round ends, whatever other spools lack. */
    public void beginRound()
    {
        round = ++rounds;
    }

    /** End the round. */
    public void endRound()
    {
        round = NO_ROUND;
    }

    long round()
    {
        return round;
    }

    /** True if a spool has found no memory, and none has found any since. */
    boolean isShort()
    {
        return isShort;
    }

    /** Bytes that spools have taken beyond their first steps. */
    long used()
    {
        return used;
    }

    void add(final Spool spool)
    {
        spools.add(spool);
    }

    boolean reserve(final Spool asker, final int bytes)
    {
        for (int i = 0; used + bytes > limit && i < spools.size(); i++)
        {
            if (spools.get(i) != asker)
            {
                spools.get(i).shrink();
            }
        }
        isShort = used + bytes > limit;
        used += isShort ? 0 : bytes;

        return !isShort;
    }

    void giveBack(final int bytes)
    {
        used -= bytes;
    }
}
