// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import java.util.function.BooleanSupplier;

/** Lets a blocking request wait while it cannot go on. */
@FunctionalInterface
public interface Wait
{
    /**
     * Poll until a condition holds.
     *
     * @param what      the request waits for, for the error.
     * @param condition that must hold.
     * @throws RuntimeException if it does not hold in time.
     */
    void until(String what, BooleanSupplier condition);
}
