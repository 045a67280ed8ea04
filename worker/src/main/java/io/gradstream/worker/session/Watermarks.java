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
 * The watermarks of a slot at one partition, as its current primary told them. They never go back under one epoch.
 */
public final class Watermarks
{
    private long applied;
    private long replicated;
    private long recorded;
    private long snapshotted;

    void startAt(final long sequence)
    {
        applied = sequence;
        replicated = sequence;
        recorded = sequence;
        snapshotted = sequence;
    }

    void advance(
        final long newApplied, final long newReplicated, final long newRecorded, final long newSnapshotted)
    {
        applied = Math.max(applied, newApplied);
        replicated = Math.max(replicated, newReplicated);
        recorded = Math.max(recorded, newRecorded);
        snapshotted = Math.max(snapshotted, newSnapshotted);
    }

    public long of(final AckLevel level)
    {
        return switch (level)
        {
            case APPLIED -> applied;
            case REPLICATED -> replicated;
            case RECORDED -> recorded;
            case SNAPSHOTTED -> snapshotted;
        };
    }
}
