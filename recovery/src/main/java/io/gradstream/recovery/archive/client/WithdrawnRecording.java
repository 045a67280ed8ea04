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

import io.aeron.archive.client.AeronArchive;
import org.agrona.collections.MutableLong;

import java.nio.ByteOrder;

/**
 * A recording that the Archive no longer offers because it is damaged. To its clients it looks as if it had never been;
 * the counter by which the host's media driver announces it tells the two apart.
 */
public final class WithdrawnRecording
{
    /** Type of the counter, of which the key is the recording id. */
    public static final int COUNTER_TYPE_ID = 8021;
    /** Below every recording id. */
    public static final long NONE = -1;

    private static final String ALIAS = " alias=";

    private WithdrawnRecording()
    {
    }

    /** Id of the newest recording of a stream that was withdrawn, or {@link #NONE}. */
    public static long find(final AeronArchive archive, final String alias)
    {
        final String end = ALIAS + alias;
        final MutableLong newest = new MutableLong(NONE);
        archive.context().aeron().countersReader().forEach((counterId, typeId, key, label) ->
        {
            if (COUNTER_TYPE_ID == typeId && label.endsWith(end))
            {
                newest.set(Math.max(newest.get(), key.getLong(0, ByteOrder.LITTLE_ENDIAN)));
            }
        });

        return newest.get();
    }
}
