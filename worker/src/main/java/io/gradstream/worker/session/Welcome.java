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

/**
 * What a primary says to a slot that attaches.
 *
 * @param incarnation     of the process whose hello is answered.
 * @param helloId         of the hello that is answered.
 * @param epoch           of the primary.
 * @param lastSequence    of the slot that it has.
 * @param lastIncarnation process whose part that is.
 * @param heldParts       of the slot, behind what it has.
 */
public record Welcome(
    long incarnation, long helloId, long epoch, long lastSequence, long lastIncarnation, HeldParts heldParts)
{
    /** Of a partition that holds nothing. */
    Welcome(
        final long incarnation,
        final long helloId,
        final long epoch,
        final long lastSequence,
        final long lastIncarnation)
    {
        this(incarnation, helloId, epoch, lastSequence, lastIncarnation, HeldParts.NONE);
    }

    /**
     * What a partition holds of a slot until all slots have ended the clock, as it says in a welcome.
     *
     * @param clock        iterations that the slot has finished there.
     * @param sequence     last part that is held, or the last that is applied.
     * @param isSequential whether what the slot pushes is held.
     */
    public record HeldParts(long clock, long sequence, boolean isSequential)
    {
        /** Of a partition that holds nothing, or does not say. */
        public static final HeldParts NONE = new HeldParts(0, 0, false);
    }
}
