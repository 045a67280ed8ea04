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
package io.gradstream.recovery.chain;

/**
 * When a replica complains of the link to one neighbour in its chain. Whoever complains is believed, so it must not be
 * the one that is deaf: it waits until the coordinator has answered it since the link failed, and a head that hears
 * nobody of two lets those speak first who may hear each other.
 */
final class LinkComplaint
{
    private final ChainTiming timing;
    /** Version of the chain under which the link failed, or 0 while it works. */
    private long failedVersion;
    private long failedSinceNs;
    /** Version of the chain under which the coordinator was told last, or 0 if the link has worked since. */
    private long toldVersion;
    private long toldNs;
    private boolean wasAnswered;

    LinkComplaint(final ChainTiming timing)
    {
        this.timing = timing;
    }

    /** A complaint that the coordinator has not answered by a new chain is told again after so long. */
    static long retryNs(final ChainTiming timing)
    {
        return timing.suspicionNs() / 2;
    }

    /** The link fails, or works. */
    void isFailing(final boolean isFailing, final long version, final long nowNs)
    {
        if (!isFailing)
        {
            failedVersion = 0;
            // when it fails again it is told again at once
            toldVersion = 0;
        }
        else if (failedVersion != version)
        {
            failedSinceNs = 0 == failedVersion ? nowNs : failedSinceNs;
            failedVersion = version;
        }
    }

    boolean isFailing()
    {
        return 0 != failedVersion;
    }

    /**
     * Is it time to tell the coordinator?
     *
     * @param isAnswered   has the coordinator answered lately?
     * @param isAlone      does a head hear nobody of several?
     * @param isHeirBehind is there somebody else to promote, if this node cannot be?
     * @param version      of the chain.
     * @param nowNs        now.
     */
    boolean isDue(
        final boolean isAnswered,
        final boolean isAlone,
        final boolean isHeirBehind,
        final long version,
        final long nowNs)
    {
        final long failedForNs = nowNs - failedSinceNs;
        final boolean hasWaited = isAnswered ?
            !isAlone || failedForNs >= timing.leaseNs() + 2 * timing.heartbeatNs() :
            isHeirBehind && failedForNs >= timing.leaseNs();
        return hasWaited &&
            (toldVersion < version || isAnswered && !wasAnswered || nowNs - toldNs >= retryNs(timing));
    }

    void onTold(final boolean isAnswered, final long version, final long nowNs)
    {
        toldVersion = version;
        toldNs = nowNs;
        wasAnswered = isAnswered;
    }
}
