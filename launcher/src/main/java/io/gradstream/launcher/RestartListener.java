// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
