// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.peers;

import java.util.Locale;

/**
 * What is asked of a peer.
 */
public enum PeerMeasure
{
    /** A vector there, applied, and a short answer back. */
    PUSH,
    /** A short question there, and the vector back. */
    PULL;

    /** As it is written in tables and in JSON. */
    public String id()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
