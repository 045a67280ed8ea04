// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gradstream.launcher.process.ParentLink;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamException;
import io.gradstream.worker.SlotFencedException;
import io.gradstream.worker.session.AckLevel;

/**
 * A process that holds a slot and pushes flat out until it is killed. It tells its parent how far it is, by lines
 * {@code counts PUSHED ACKNOWLEDGED}. On standard input, {@code slow} and {@code flat-out} let it push slowly and flat
 * out again, and {@code drain} lets it stop pushing and say {@code drained} when all is acknowledged. At its end it
 * says {@code fenced} or {@code failed REASON}.
 */
final class PushingWorker
{
    static final String COUNTS = "counts";
    static final String FENCED = "fenced";
    static final String FAILED = "failed";
    static final String SLOW = "slow";
    static final String FLAT_OUT = "flat-out";
    static final String DRAIN = "drain";
    static final String DRAINED = "drained";

    private static final long REPORT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private PushingWorker()
    {
    }

    /**
     * Run.
     *
     * @param arguments Aeron directory, coordinators, slot, life, acknowledgement level, most pushes in
     *                  flight.
     */
    public static void main(final String[] arguments)
    {
        final int slot = Integer.parseInt(arguments[2]);
        final int life = Integer.parseInt(arguments[3]);
        final ClientContext context = new ClientContext()
            .aeronDirectoryName(arguments[0])
            .coordinators(List.of(arguments[1].split(",")))
            .ackLevel(AckLevel.valueOf(arguments[4]))
            .maxInFlight(Integer.parseInt(arguments[5]))
            .operationTimeoutNs(FaultCluster.OPERATION_TIMEOUT_NS);
        try (ParentLink parent = ParentLink.open(true);
            LoadClient client = new LoadClient(context, slot, life))
        {
            push(parent, client);
        }
        catch (final SlotFencedException ex)
        {
            System.out.println(FENCED);
        }
        catch (final GradstreamException ex)
        {
            System.out.println(FAILED + ' ' + ex.getMessage());
        }
        System.out.flush();
        // the Aeron client of a dead driver leaves threads behind that would keep this process
        Runtime.getRuntime().halt(0);
    }

    private static void push(final ParentLink parent, final LoadClient client)
    {
        final PushLoop loop = client.loop();
        long reportedNs = System.nanoTime();
        String command = parent.pollCommand();
        while (!parent.isStopped() && !DRAIN.equals(command))
        {
            if (SLOW.equals(command) || FLAT_OUT.equals(command))
            {
                loop.slow(SLOW.equals(command));
            }
            client.push();
            final long nowNs = System.nanoTime();
            if (nowNs - reportedNs >= REPORT_NS)
            {
                reportedNs = nowNs;
                report(loop);
            }
            command = parent.pollCommand();
        }
        if (!parent.isStopped())
        {
            client.drain();
            client.sent();
            report(loop);
            System.out.println(DRAINED);
        }
        while (!parent.isStopped())
        {
            client.poll();
        }
    }

    private static void report(final PushLoop loop)
    {
        System.out.println(COUNTS + ' ' + loop.pushed() + ' ' + loop.acknowledged());
    }
}
