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
package io.gradstream.recovery.archive.client;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The duty cycles of the thread that reads and writes what the archive agent's client has mapped. A client that closes,
 * for its driver is silent or itself stood still, takes its memory away only when that thread has ended its cycle: in
 * the next one every stream says that it is closed. To read memory that is gone would end the process with SIGSEGV.
 */
public final class ReaderCycle
{
    private static final long PARK_NS = 100_000;

    /** Odd within a cycle. Only the reader writes it. */
    private final AtomicLong boundaries = new AtomicLong();

    /**
     * From the reader: from here on it may touch what is mapped.
     */
    public void begin()
    {
        // ordered before each look at whether a stream is closed
        boundaries.set(boundaries.getPlain() + 1);
    }

    /**
     * From the reader: it holds on to nothing of what it touched.
     */
    public void end()
    {
        boundaries.setRelease(boundaries.getPlain() + 1);
    }

    /**
     * From who closed the streams: wait for the end of the cycle that may have begun before. There is no limit, since
     * to give up would be to crash; a reader that never ends its cycle is lost whatever is done here.
     */
    public void awaitEnd()
    {
        final long seen = boundaries.get();
        boolean isInterrupted = false;
        while (0 != (seen & 1) && seen == boundaries.get())
        {
            LockSupport.parkNanos(PARK_NS);
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
