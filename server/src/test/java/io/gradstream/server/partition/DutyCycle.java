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
package io.gradstream.server.partition;

/**
 * What ends the duty cycle of a partition, for tests of other packages that have no replica.
 */
public final class DutyCycle
{
    private DutyCycle()
    {
    }

    /** Log the sum of what it has brought, and those of clocks that all slots have ended; returns the records. */
    public static int end(final Partition partition)
    {
        return partition.endCycle() + partition.doClockWork(0);
    }
}
