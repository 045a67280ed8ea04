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
package io.gradstream.driver;

/**
 * The waits of a media driver that decide how soon a silent peer is given up; all in nanoseconds.
 *
 * @param timerIntervalNs         how often the driver looks at its timeouts.
 * @param statusMessageNs         how often a receiver reports; adds five of these to the time of noticing a loss.
 * @param imageLivenessNs         silence after which an image is gone.
 * @param publicationConnectionNs silence of all receivers after which a publication is not connected.
 * @param receiverNs              silence after which flow control forgets a receiver.
 * @param clientLivenessNs        silence after which the driver closes what a client owned. A long pause of a client
 *                                must stay below it, or the client is closed when it wakes.
 * @param publicationUnblockNs    age at which an unfinished claim in a log is skipped; above clientLivenessNs.
 */
public record DriverTimeouts(
    long timerIntervalNs,
    long statusMessageNs,
    long imageLivenessNs,
    long publicationConnectionNs,
    long receiverNs,
    long clientLivenessNs,
    long publicationUnblockNs)
{
}
