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
package io.gradstream.coordinator.state;

import io.gradstream.codecs.Chain;


/**
 * What a replica says of its log when it waits for a role.
 *
 * @param epoch    of the last record, 0 if there is none, {@link Chain#DAMAGED} if the log is damaged.
 * @param position where the log ends.
 */
public record ClimbedReport(long epoch, long position)
{
    /**
     * Can its node head the chain?
     *
     * @return false if the log lacks what was in it.
     */
    boolean isSound()
    {
        return Chain.DAMAGED != epoch;
    }

    /**
     * Has this log more than another? The later epoch decides, then the length.
     *
     * @param other report.
     * @return true if so; false if they are equal.
     */
    boolean isAheadOf(final ClimbedReport other)
    {
        return epoch != other.epoch ? epoch > other.epoch : position > other.position;
    }
}
