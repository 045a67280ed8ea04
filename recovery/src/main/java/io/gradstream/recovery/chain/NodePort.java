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

import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.ChainPort;

/**
 * What a node says to a neighbour, for itself and for its replicas.
 */
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
     * How far a replica of this node, and everybody in the acknowledgement set behind it, has come.
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
