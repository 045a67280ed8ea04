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

import io.gradstream.codecs.SlotRole;

/**
 * The identity of a worker.
 *
 * @param jobId       it works for.
 * @param slot        its place in the job, or {@link #OBSERVER}.
 * @param incarnation which process holds the slot; grows with each.
 * @param role        that it has in the slot.
 */
public record WorkerIdentity(int jobId, int slot, long incarnation, SlotRole role)
{
    /** Slot of one that only pulls. */
    public static final int OBSERVER = -1;

    private static final int REQUEST_BITS = 20;
    private static final long MAX_FIRST_REQUEST = (1L << 50) - 1;

    /** Of a worker that holds its slot alone. */
    public WorkerIdentity(final int jobId, final int slot, final long incarnation)
    {
        this(jobId, slot, incarnation, SlotRole.SOLE);
    }

    /**
     * Where a process begins to number its requests: answers to those of an earlier process of the slot may still come
     * in where this one listens, and must not be taken for answers to its own.
     *
     * @return a number of at most 50 bits, far from that of another incarnation.
     */
    public long firstRequest()
    {
        return incarnation << REQUEST_BITS & MAX_FIRST_REQUEST;
    }
}
