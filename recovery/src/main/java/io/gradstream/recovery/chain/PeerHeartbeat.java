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
 * What a node says of itself in a heartbeat.
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
