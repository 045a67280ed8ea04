// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/** Told how long each ticket took. It must not call the client. */
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
