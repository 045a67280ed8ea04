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
package io.gradstream.launcher;

/**
 * Hears what of a local cluster is started again after it ended by itself, on the thread that polls.
 */
public interface RestartListener
{
    /** Nobody listens. */
    RestartListener NONE = new RestartListener()
    {
        @Override
        public void onRestart(final String text)
        {
        }

        @Override
        public void onWorkerRestarted(final int slot)
        {
        }
    };

    /**
     * Something has ended and is started again.
     *
     * @param text one line that says what, why, and how often that may be.
     */
    void onRestart(String text);

    /** The newest process of a worker has heard none of what its slot was sent before. */
    void onWorkerRestarted(int slot);
}
