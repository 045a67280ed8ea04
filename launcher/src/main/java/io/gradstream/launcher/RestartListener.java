// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

/** Hears, on the thread that polls, of each part of a local cluster that ended by itself and is started again. */
public interface RestartListener
{
    /** A listener that does nothing. */
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
     * Called when a part has ended and is started again.
     *
     * @param text one line that names the part, the reason, and how often a restart is allowed.
     */
    void onRestart(String text);

    /** Called when a worker was started again: its newest process has heard nothing that its slot was sent before. */
    void onWorkerRestarted(int slot);
}
