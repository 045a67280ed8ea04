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

import io.gradstream.codecs.Chain;

/**
 * What replicas tell the coordinator. Calls never wait; one that returns false has not been taken and is made again.
 */
public interface ReplicaReports
{
    /** Epoch reported by a replica whose own log is damaged: it may join a chain but must never head one. */
    long DAMAGED = Chain.DAMAGED;

    /**
     * A replica has climbed to the end of its own log and wants a role; told again until it has one.
     *
     * @param partition its number.
     * @param epoch     of the last record in its log, 0 if there is none, or {@link #DAMAGED}.
     * @param position  where its log ends.
     * @return false if not now.
     */
    boolean climbed(int partition, long epoch, long position);

    /**
     * A joiner gives up its place before it deletes what it has: an admission by what it has may be under way. Told
     * again until the chain is without it.
     *
     * @param partition its number.
     * @param version   of the chain in which it is the joiner.
     * @return false if not now.
     */
    boolean leave(int partition, long version);

    /**
     * The head acts under this version of the chain: it is in office, and acknowledges by this membership.
     *
     * @param partition its number.
     * @param version   of the chain.
     * @return false if not now.
     */
    boolean confirm(int partition, long version);

    /**
     * The joiner has everything that was acknowledged and is counted: take it into the in-sync set.
     *
     * @param partition its number.
     * @param version   of the chain under which it joins.
     * @param nodeId    of the joiner.
     * @return false if not now.
     */
    boolean admit(int partition, long version, int nodeId);

    /**
     * This node is the heir of a chain: nobody before it answers workers any more.
     *
     * @param partition its number.
     * @param version   of the chain that names it.
     * @return false if not now.
     */
    boolean claim(int partition, long version);

    /**
     * The link to a neighbour in the chain has not worked for the suspicion time, one way or both.
     *
     * @param partition  its number.
     * @param version    of the chain under which it is a neighbour.
     * @param nodeId     of the suspected.
     * @param isAnswered has the coordinator answered this node since the link failed? If not it may be this node that
     *                   hears nobody.
     * @return false if not now.
     */
    boolean suspect(int partition, long version, int nodeId, boolean isAnswered);

    /**
     * Has the coordinator been heard lately? If not it is asked for a sign of life at once.
     *
     * @param sinceNs as late as that, or later, by this node's clock.
     * @return true if so.
     */
    boolean isAnswered(long sinceNs);
}
