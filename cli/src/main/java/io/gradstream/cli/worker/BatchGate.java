// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.launcher.process.ParentLink;

/**
 * Holds back a worker's last batches until its parent says {@code release}; each {@code step} lets one of them go, and
 * {@code finish} says that no more batches are wanted.
 */
public final class BatchGate
{
    public static final String RELEASE = "release";
    public static final String STEP = "step";
    public static final String FINISH = "finish";

    private final ParentLink parent;
    private final int holdBatches;
    private boolean isReleased;
    private boolean isFinished;
    private long steps;

    BatchGate(final ParentLink parent, final int holdBatches)
    {
        this.parent = parent;
        this.holdBatches = holdBatches;
        isReleased = 0 == holdBatches;
    }

    boolean isStopped()
    {
        return parent.isStopped();
    }

    /** True if no more batches are wanted. */
    boolean isFinished()
    {
        return isFinished;
    }

    /**
     * True if a batch may go; if it is one of those held back, it uses up a step.
     *
     * @param left the batches that are left, this one included.
     */
    boolean tryPass(final long left)
    {
        poll();
        if (isReleased || left > holdBatches)
        {
            return true;
        }
        if (steps > 0)
        {
            steps--;
            return true;
        }

        return false;
    }

    /** True if batches are held back, or will be. */
    boolean isHolding()
    {
        return !isReleased;
    }

    /** Take the commands that have come. */
    void poll()
    {
        String command = parent.pollCommand();
        while (null != command)
        {
            isReleased |= RELEASE.equals(command);
            isFinished |= FINISH.equals(command);
            steps += STEP.equals(command) ? 1 : 0;
            command = parent.pollCommand();
        }
    }
}
