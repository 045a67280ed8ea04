// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

/**
 * The content of a heartbeat: the sender's facts about itself.
 *
 * @param incarnation of its process.
 * @param sentNs      when it was sent, by the sender's clock.
 * @param heardNs     when the receiver sent the newest heartbeat that the sender has heard, by the receiver's clock; 0
 *                    if it has heard none.
 * @param silentNs    for how long the sender has not heard the receiver, by the sender's clock: other than by
 *                    {@code heardNs} it does not count how long what is said takes.
 * @param mapVersion  newest map that the sender has been told, 0 if none.
 */
public record PeerHeartbeat(long incarnation, long sentNs, long heardNs, long silentNs, long mapVersion)
{
}
