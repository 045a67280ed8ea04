// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

/** One system under load: starts transfers and tells how many have come to their end, in order. */
public interface Transceiver
{
    /**
     * Start one more transfer, or go on starting the last one.
     *
     * @return false if there is no room now, though a part of it may be on its way: poll, and call again until it is
     * true.
     */
    boolean tryStart();

    /** One duty cycle, which returns how much was done; 0 lets the loop idle. */
    int poll();

    /** Transfers that came to their end since this was made. */
    long completed();

    /** Payload bytes of one transfer. */
    long transferBytes();
}
