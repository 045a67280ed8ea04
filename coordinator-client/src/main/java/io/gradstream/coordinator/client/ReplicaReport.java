// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import java.util.List;

/**
 * The report of a node about one of its replicas. What the node asks of the coordinators counts only while the chain is
 * of the version under which it asks. Two things count whatever the version: that the replica is
 * {@link Status#RECOVERED}, unless the node has lost a place in the chain since that version; and that the coordinators
 * have answered ({@link Suspicion#isAnswered()}).
 *
 * @param partition    its number.
 * @param status       of the replica, on which the coordinators have to act.
 * @param chainVersion newest version of the chain that the replica was told, 0 if it knows none; it acts on that before
 *                     it reports.
 * @param logEnd       of a replica that is {@link Status#RECOVERED}.
 * @param joiner       node that it asks to be admitted, because that node lacks nothing that was acknowledged; or
 *                     {@link io.gradstream.codecs.Chain#NONE}.
 * @param suspicions   of its neighbours.
 * @param positions    how far it is.
 */
public record ReplicaReport(
    int partition,
    Status status,
    long chainVersion,
    LogEnd logEnd,
    int joiner,
    List<Suspicion> suspicions,
    ReplicaPositions positions)
{
    /** A replica has two neighbours. */
    static final int MAX_SUSPICIONS = 2;

    /** The state of the replica on which the coordinators have to act. A message holds the ordinal. */
    public enum Status
    {
        /** Nothing: it recovers, or follows. */
        NONE,
        /** It is at the end of its own log and waits for a role. */
        RECOVERED,
        /**
         * It is the head. It has on record what it had when it heard of the chain's version, and acknowledges, or is
         * about to, by the members of that version.
         */
        LEADS,
        /** It is the transferee, and no replica before it answers workers any longer. */
        CLAIMS,
        /** It is the joiner and gives up its place before it deletes its log. */
        LEAVES,
        /** It is the transferee, the head before it has stopped, and every member holds what the head had. */
        TAKES_OVER
    }

    /** Copies the list. */
    public ReplicaReport
    {
        suspicions = List.copyOf(suspicions);
    }
}
