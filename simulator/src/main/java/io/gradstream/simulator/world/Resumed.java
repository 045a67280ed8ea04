// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

/**
 * The point at which a run goes on whose processes have all died before.
 *
 * @param clock iterations of every slot that are in the model.
 * @param rows  by partition and key what the rows of the model hold.
 */
public record Resumed(long clock, float[][] rows)
{
    /** Rows that are put in with one push. */
    public static final int ROWS_OF_PUSH = 4;
    /** Pushes with which the model is put in. */
    public static final int PUSHES = History.KEYS / ROWS_OF_PUSH;
}
