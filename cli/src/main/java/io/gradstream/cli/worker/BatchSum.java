// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.training.DivergedException;

/** The sum of what a worker has computed of the batches of one push, before it is pushed. */
interface BatchSum
{
    /** Add the gradient of a batch, which may have no rows. The arrays are not to change before the push. */
    void add(long[] keys, int count, float[] gradient);

    /** True if no float that would be pushed is infinite or not a number. */
    boolean isFinite();

    /**
     * Push what was added, if it has any row, and clear it.
     *
     * @throws DivergedException if it is not finite, although each gradient was.
     */
    void push();

    /** Forget what was added. */
    void clear();
}
