// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Resumed;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the model of an earlier run into the cluster before any slot begins its first iteration, by the process of one
 * slot. A process that takes that slot over before all rows are acknowledged begins anew.
 */
final class ModelLoad
{
    private final World world;
    private final Histories histories;
    private final Checker checker;
    private final int slot;
    private final Client core;
    private final GradstreamClient client;
    private final PushRequest push;
    private final UnsafeBuffer rows = new UnsafeBuffer(new byte[Resumed.ROWS_OF_PUSH * Float.BYTES]);
    private final long[] keys = new long[Resumed.ROWS_OF_PUSH];
    private final List<Long> outstanding = new ArrayList<>();
    private int pushed;

    ModelLoad(
        final World world,
        final Histories histories,
        final Checker checker,
        final WorkerIdentity identity,
        final Client core,
        final GradstreamClient client)
    {
        this.world = world;
        this.histories = histories;
        this.checker = checker;
        slot = identity.slot();
        this.core = core;
        this.client = client;
        push = new PushRequest(core.partitions());
    }

    /** Goes on with the load, if it is not over; false if it is, or nobody waits for it. */
    boolean doWork()
    {
        if (histories.isLoaded())
        {
            return false;
        }
        final boolean isLoader = slot == world.config().iterations().loader();
        if (isLoader && pushed < Resumed.PUSHES * core.partitions())
        {
            push();
        }
        else if (isLoader && outstanding.isEmpty())
        {
            onDone();
        }

        return isLoader || !world.isPlanted(PlantedFault.RESUMED_BEFORE_LOADED);
    }

    /** Looks which pushes are done. */
    void poll()
    {
        for (int i = outstanding.size() - 1; i >= 0; i--)
        {
            if (client.isDone(outstanding.get(i)))
            {
                Violation.check(Refusal.NONE == core.tickets().refusal(outstanding.remove(i)),
                    Violation.Kind.WRONG_OUTCOME, "rows of a model were refused: slot", slot);
            }
        }
    }

    private void push()
    {
        final int partition = pushed / Resumed.PUSHES;
        final int first = pushed % Resumed.PUSHES * Resumed.ROWS_OF_PUSH;
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = world.config().firstKey(partition) + first + i;
            rows.putFloat(
                i * Float.BYTES, world.config().resumed().rows()[partition][first + i], ByteOrder.LITTLE_ENDIAN);
        }
        push.of(Workload.COUNTS, keys, 0, keys.length).wholeRows(rows, 0, Float.BYTES);
        final long ticket = core.requests().tryPush(push, world.events().nowNs());
        if (GradstreamClient.NOT_NOW != ticket)
        {
            outstanding.add(ticket);
            pushed++;
        }
    }

    /** All slots begin now: the model must be safe at each partition. */
    private void onDone()
    {
        for (int i = 0; i < core.partitions(); i++)
        {
            checker.checkSafe(slot, i, core.session(i).lastSequence());
        }
        histories.onLoaded();
        world.journal().note("slot-" + slot, "has put in the model after iterations", world.config().resumed().clock());
    }
}
