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
 * Told how long each ticket took. It must not call the client.
 */
public interface LatencyListener
{
    /** Listens to nothing. */
    LatencyListener NONE = new LatencyListener()
    {
        public void onPush(final long durationNs)
        {
        }

        public void onPull(final long durationNs)
        {
        }
    };

    /**
     * A push, or a clock, is acknowledged at the chosen level by every partition it touched.
     *
     * @param durationNs since the call.
     */
    void onPush(long durationNs);

    /**
     * A pull has all its rows.
     *
     * @param durationNs since the call.
     */
    void onPull(long durationNs);
}
