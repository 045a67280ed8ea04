// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

/** The programs that workers run. */
public enum Program
{
    /** Workers push parts by the session of each partition, each for itself. */
    PARTS,
    /** Workers go through a table, one iteration after the other, as a training does. */
    ITERATIONS;

    private static final int OF_SEEDS = 4;
    private static final int REST = 2;

    /** The program of one of many seeds: iterations in one of four. */
    public static Program of(final long seed)
    {
        return REST == Math.floorMod(seed, OF_SEEDS) ? ITERATIONS : PARTS;
    }
}
