// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/** The notice to a follower that its head has stopped under a version of the chain; repeated, since it may be lost. */
final class SealNotice
{
    /** The follower is told again after so long. */
    static final long RETRY_NS = 50_000_000;

    /** Version of the chain under which the head has stopped, 0 if it has not. */
    private long version;
    private boolean isTold;
    private long toldNs;

    /** The head has stopped. */
    void begin(final long newVersion)
    {
        version = newVersion;
        isTold = false;
    }

    /** There is another version of the chain. */
    void end()
    {
        version = 0;
    }

    long version()
    {
        return version;
    }

    /** True if the follower is to be told, for the first time or again. */
    boolean isDue(final long nowNs)
    {
        return 0 != version && (!isTold || nowNs - toldNs >= RETRY_NS);
    }

    void onTold(final long nowNs)
    {
        isTold = true;
        toldNs = nowNs;
    }
}
