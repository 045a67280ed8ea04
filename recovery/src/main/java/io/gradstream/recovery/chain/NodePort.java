// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.ChainPort;

/** Sends what a node says to a neighbour, for itself and for its replicas. */
public interface NodePort extends ChainPort
{
    /**
     * This node lives.
     *
     * @param nodeId     of the neighbour.
     * @param sentNs     now, by this node's clock.
     * @param heardNs    when the neighbour sent the newest heartbeat that this node has heard, by the neighbour's
     *                   clock; 0 if it has heard none.
     * @param silentNs   for how long this node has not heard the neighbour.
     * @param mapVersion newest map that this node has been told, 0 if none.
     * @return false if not now.
     */
    boolean heartbeat(int nodeId, long sentNs, long heardNs, long silentNs, long mapVersion);

    /**
     * Tell how far a replica of this node, and every replica in the acknowledgement set after it, has come.
     *
     * @param link        to the predecessor.
     * @param applied     position.
     * @param recorded    position.
     * @param snapshotted position of the older of two kept snapshots, 0 while there are not two.
     * @param grantNs     when the predecessor sent the newest heartbeat, by its clock, for which it is granted a lease;
     *                    0 if none.
     * @return false if not now.
     */
    boolean progress(ChainLink link, long applied, long recorded, long snapshotted, long grantNs);
}
