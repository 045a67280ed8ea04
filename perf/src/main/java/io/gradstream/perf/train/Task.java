// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

/**
 * The kinds of models that are trained.
 */
enum Task
{
    CLICKS("sparse logistic regression", ""),
    FACTORS("matrix factorisation rank " + FactorBatch.RANK, "matrix factorisation rank " + FactorBatch.RANK + ", ");

    private final String title;
    private final String prefix;

    Task(final String title, final String prefix)
    {
        this.title = title;
        this.prefix = prefix;
    }

    String title()
    {
        return title;
    }

    /** The beginning of each line of the target for this task. */
    String prefix()
    {
        return prefix;
    }
}
