// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

/** The programs that workers run. */
public enum Program
{
    /** Workers push parts by the session of each partition, each for itself. */
    PARTS,
    /** Workers go through a table, one iteration after the other, as a training does. */
    ITERATIONS,
    /** Workers come and go, are given slots, and share units of work. */
    UNITS;

    private static final int OF_SEEDS = 8;

    /** The program of one of many seeds: iterations in one of four, units in one of eight. */
    public static Program of(final long seed)
    {
        return switch (Math.floorMod(seed, OF_SEEDS))
        {
            case 2, 6 -> ITERATIONS;
            case 5 -> UNITS;
            default -> PARTS;
        };
    }
}
