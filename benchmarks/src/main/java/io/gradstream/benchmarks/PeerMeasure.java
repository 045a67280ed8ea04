// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import java.util.Locale;

/** The transfers that a peer is asked for. */
public enum PeerMeasure
{
    /** A vector there, applied, and a short answer back. */
    PUSH,
    /** A short question there, and the vector back. */
    PULL;

    /** The measure's name in tables and in JSON. */
    public String id()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
