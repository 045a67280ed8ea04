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
package io.gradstream.recovery.recording;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.log.LogCursor;
import org.agrona.DirectBuffer;

/**
 * Checks the records of a log one after the other: checksum, number, chain hash, and an epoch that never goes back.
 * <p>
 * The first record of a log whose beginning was purged is checked by itself: what came before it is not known.
 */
public final class LogCheck
{
    private final LogCursor cursor = new LogCursor();
    private boolean isAnchored;

    /**
     * Check a log from where a reader stands.
     *
     * @param fromPosition of the first record; 0 for the beginning of the log.
     */
    public LogCheck(final long fromPosition)
    {
        isAnchored = 0 == fromPosition;
        cursor.set(fromPosition, cursor.index(), cursor.epoch(), cursor.chainHash());
    }

    /**
     * Check the next record and, if it is sound, step over it.
     *
     * @param buffer that holds it, off heap.
     * @return null if it is sound, else one line that says what is wrong.
     */
    public String check(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        final String problem = isAnchored ?
            LogRecords.verify(buffer, offset, length, cursor.index() + 1, cursor.chainHash()) :
            LogRecords.verifyAlone(buffer, offset, length);
        if (null != problem)
        {
            return problem;
        }
        final long epoch = LogRecords.epoch(buffer, offset);
        if (epoch < cursor.epoch())
        {
            return "epoch=" + epoch + " after=" + cursor.epoch();
        }
        isAnchored = true;
        cursor.set(position, LogRecords.index(buffer, offset), epoch, LogRecords.chainHash(buffer, offset));

        return null;
    }

    /**
     * Where the check stands: behind the last sound record.
     */
    public LogCursor cursor()
    {
        return cursor;
    }
}
