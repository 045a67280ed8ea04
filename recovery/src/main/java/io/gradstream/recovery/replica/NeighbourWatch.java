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
package io.gradstream.recovery.replica;

/**
 * Judges by heartbeats whether one neighbour still lives. Pure: all times are arguments of this node's clock.
 */
public final class NeighbourWatch
{
    /** A neighbour never heard of since it became one has so many suspicion times to connect. */
    public static final int CONNECT_PATIENCE = 25;

    private static final long NEVER = Long.MIN_VALUE;

    private final ChainTiming timing;
    private long neighbourSinceNs;
    private long heardNs = NEVER;
    private long peerSentNs;
    private long incarnation;

    /**
     * Watch a node from now on.
     *
     * @param timing of suspicion.
     * @param nowNs  now.
     */
    public NeighbourWatch(final ChainTiming timing, final long nowNs)
    {
        this.timing = timing;
        neighbourSinceNs = nowNs;
    }

    /**
     * A heartbeat came.
     *
     * @param peerIncarnation of the process that sent it.
     * @param sentNs          by the neighbour's clock.
     * @param nowNs           now.
     */
    public void onHeartbeat(final long peerIncarnation, final long sentNs, final long nowNs)
    {
        if (peerIncarnation < incarnation)
        {
            return;
        }
        if (peerIncarnation > incarnation)
        {
            incarnation = peerIncarnation;
            peerSentNs = sentNs;
        }
        peerSentNs = Math.max(peerSentNs, sentNs);
        heardNs = nowNs;
    }

    /**
     * It came into a chain together with this node: if it has been silent it gets time to connect.
     *
     * @param nowNs now.
     */
    public void onNeighbour(final long nowNs)
    {
        if (NEVER == heardNs || nowNs - heardNs >= timing.suspicionNs())
        {
            neighbourSinceNs = nowNs;
        }
    }

    /**
     * This node itself was away (paused, or its core taken): the neighbour's silence in that time says nothing.
     *
     * @param nowNs now.
     */
    public void onSelfAway(final long nowNs)
    {
        if (NEVER == heardNs || heardNs - neighbourSinceNs < 0)
        {
            neighbourSinceNs = nowNs;
        }
        else
        {
            heardNs = nowNs;
        }
    }

    /**
     * When the neighbour sent the newest heartbeat heard.
     *
     * @return time by the neighbour's clock; 0 if none was heard.
     */
    public long peerSentNs()
    {
        return peerSentNs;
    }

    /**
     * Has it been silent for the suspicion time?
     *
     * @param nowNs now.
     * @return true if so.
     */
    public boolean isSuspect(final long nowNs)
    {
        final boolean isHeardSince = NEVER != heardNs && heardNs - neighbourSinceNs >= 0;
        return isHeardSince ? nowNs - heardNs >= timing.suspicionNs() :
            nowNs - neighbourSinceNs >= CONNECT_PATIENCE * timing.suspicionNs();
    }
}
