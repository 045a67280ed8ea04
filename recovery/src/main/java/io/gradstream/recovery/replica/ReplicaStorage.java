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
package io.gradstream.recovery.replica;

/**
 * What one replica keeps on disk: its log and its snapshots. Implemented over Aeron Archive, and in memory by the
 * simulator.
 */
public interface ReplicaStorage extends AutoCloseable
{
    /**
     * Verified snapshots there are.
     *
     * @return 0 to 2.
     */
    int snapshotCount();

    /**
     * Read a snapshot.
     *
     * @param age 0 for the newest, 1 for the one before.
     * @return its frames.
     */
    Replay openSnapshot(int age);

    /**
     * Read the log from a position on.
     *
     * @param fromPosition where a record begins.
     * @return records up to the end of what was recorded.
     * @throws ReplayException if the log no longer (or not yet) holds the position.
     */
    Replay openReplay(long fromPosition);

    /**
     * Open the log to append at its end.
     *
     * @param position where the log must end.
     * @return the log, or null if it is not open yet: ask again.
     */
    Log openLog(long position);

    /**
     * Begin a new snapshot.
     *
     * @param position it stands for.
     * @return where its frames go, or null if one is still under way: ask again.
     */
    SnapshotSink openSnapshotSink(long position);

    @Override
    void close();
}
