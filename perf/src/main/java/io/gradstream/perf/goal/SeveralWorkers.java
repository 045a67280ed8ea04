// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.measure.Transceiver;

import java.util.List;

/** The loads of several workers as one: each starts a transfer in its turn. */
final class SeveralWorkers implements Transceiver
{
    private final List<? extends Transceiver> workers;
    private int next;

    /** All with transfers of the same length. */
    SeveralWorkers(final List<? extends Transceiver> workers)
    {
        this.workers = List.copyOf(workers);
    }

    @Override
    public boolean tryStart()
    {
        final boolean isStarted = workers.get(next).tryStart();
        next = isStarted ? (next + 1) % workers.size() : next;

        return isStarted;
    }

    @Override
    public int poll()
    {
        int workCount = 0;
        for (int i = 0; i < workers.size(); i++)
        {
            workCount += workers.get(i).poll();
        }

        return workCount;
    }

    @Override
    public long completed()
    {
        long completed = 0;
        for (int i = 0; i < workers.size(); i++)
        {
            completed += workers.get(i).completed();
        }

        return completed;
    }

    @Override
    public long transferBytes()
    {
        return workers.get(0).transferBytes();
    }
}
