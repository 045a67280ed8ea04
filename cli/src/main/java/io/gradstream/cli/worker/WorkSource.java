// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.launcher.process.StatusLine;

/** Tells a training loop which batches to do, in their order. */
interface WorkSource
{
    /**
     * Consecutive batches of one pass.
     *
     * @param first index in the pass.
     * @param end   index after the last one.
     */
    record Stretch(int pass, int first, int end)
    {
    }

    /** The next batches; null if there are none now, or no more, as {@link #isOver()} says. */
    Stretch next();

    /** True if any slot has done a batch. */
    boolean hasBegun();

    /** True if no more batches come. */
    boolean isOver();

    /**
     * The batch at which to go on.
     *
     * @param stretch under way.
     * @param batch   of it that would be next.
     * @return a later one, up to the end, if another process of the slot has ended those between.
     */
    int skip(Stretch stretch, int batch);

    /**
     * The pushes that are left, that of this batch included: of the slot's share, or of the whole work where slots
     * divide it as they go.
     *
     * @param stretch under way.
     * @param batch   of it.
     */
    long left(Stretch stretch, int batch);

    /** Batches that this slot is to do in all; a share if slots divide the work between them as they go. */
    long planned();

    /** Go on where the slot stands; returns the batches of the slot that are done before. */
    long begin();

    /** The slot does no more: it finishes, or is left to the next process. */
    void end();

    /** Add to a line about progress how far all slots are, where they divide the work as they go. */
    default StatusLine describe(final StatusLine line)
    {
        return line;
    }
}
