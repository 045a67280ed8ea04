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
package io.gradstream.console;

/**
 * Something that happened once: a mark on the axis of time.
 *
 * @param timeMs when, ms since 1970 UTC.
 * @param kind   of event.
 * @param text   for readers, as {@code "kill -9 of server 1"}.
 */
public record ProgressEvent(long timeMs, Kind kind, String text)
{
    /**
     * What can happen.
     */
    public enum Kind
    {
        /** The first batch was pushed. */
        BEGIN,
        /** A process was killed. */
        KILL,
        /** A killed process was started again. */
        RESTART,
        /** All partitions that a kill took away are served again. */
        SERVICE_BACK,
        /** Another server leads a partition. */
        FAILOVER,
        /** Another coordinator leads. */
        ELECTION,
        /** Training ended before all batches were pushed, because the metric did not get better. */
        STOPPED_EARLY,
        /** The last batch was pushed. */
        END
    }
}
