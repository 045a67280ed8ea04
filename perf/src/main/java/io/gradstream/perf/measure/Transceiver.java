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
package io.gradstream.perf.measure;

/**
 * One system under load: starts transfers and tells how many have come to their end, in order.
 */
public interface Transceiver
{
    /**
     * Start one more transfer, or go on starting the last one.
     *
     * @return false if there is no room now, though a part of it may be on its way: poll, and call again until it is
     * true.
     */
    boolean tryStart();

    /**
     * One duty cycle.
     *
     * @return how much was done; 0 lets the loop idle.
     */
    int poll();

    /**
     * Transfers that came to their end since this was made.
     */
    long completed();

    /**
     * Payload bytes of one transfer.
     */
    long transferBytes();
}
