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
package io.gradstream.recovery.log;

/**
 * Where the frames of a snapshot go while it is taken.
 */
public interface SnapshotSink extends FrameSink
{
    /** All frames are written: record the rest, read it back, verify it, and only then let it count. */
    void complete();

    /**
     * Did something go wrong (the recording died, verification failed)? The snapshot is then given up and does not
     * count.
     *
     * @return true if so.
     */
    boolean hasFailed();

    /** Has the completed snapshot been read back and verified? */
    boolean isVerified();

    /**
     * Bytes read back so far, of this snapshot and of those before it that are verified with it.
     *
     * @return a count, 0 where nothing is read.
     */
    default long readBytes()
    {
        return 0;
    }

    /**
     * Read nothing back now, since other work goes first: for much less time than that after which a replay without
     * progress is given up. A sink that need not read back need not heed it.
     *
     * @param isHeld false to go on.
     */
    default void holdReading(final boolean isHeld)
    {
    }

    /**
     * Position of the sound snapshot that is kept beside this one, once this one is verified: if this one is found
     * broken, what the other holds is still there.
     *
     * @return position, 0 if there is no other.
     */
    long olderPosition();
}
