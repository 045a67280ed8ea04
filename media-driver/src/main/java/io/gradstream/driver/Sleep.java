// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

/** A way for a thread to sleep. */
interface Sleep
{
    /** Called once by the thread that is to sleep, before anything else. */
    void prepare();

    /** Sleep for so long; the group does not wake it. */
    void nap(long ns);

    /** Sleep until woken, and at the longest for so long. It may end sooner for no reason. */
    void sleep(long maxNs);

    /** Say that it is about to sleep, or that it is awake. */
    void isAsleep(boolean isAsleep);

    /** True if the thread sleeps or is about to. False if it was roused since. */
    boolean isAsleep();

    /** True if the calling thread is the one that has to wake it. Then the sleeper no longer says that it sleeps. */
    boolean rouse();

    /** End the sleep; called by other threads. If it has not begun yet, it ends at once. */
    void wake();
}
