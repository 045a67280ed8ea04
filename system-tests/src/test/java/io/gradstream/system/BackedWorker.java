// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.launcher.process.ParentLink;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;

import java.util.List;

/**
 * One process of a slot that is backed up: learns as {@link SequentialWorker} does, as far as its parent allows, and
 * continues after what the slot's other process has pushed.
 */
final class BackedWorker
{
    /** Followed by the iterations that it has ended itself, and those that it has left to the other process. */
    static final String CLOCK = "clock";
    /** All iterations are over. */
    static final String DONE = "done";
    static final String HOLDER = "holder";
    static final String BACKUP = "backup";

    private BackedWorker()
    {
    }

    /**
     * Run; each line of standard input is the number of iterations that it may go on to.
     *
     * @param arguments Aeron directory, coordinators, slot, {@link #HOLDER} or {@link #BACKUP}, iterations,
     *                  acknowledgement level.
     */
    public static void main(final String[] arguments)
    {
        final boolean isBackup = BACKUP.equals(arguments[3]);
        final int slot = Integer.parseInt(arguments[2]);
        final ClientContext context = new ClientContext()
            .aeronDirectoryName(arguments[0])
            .coordinators(List.of(arguments[1].split(",")))
            .slot(slot)
            .backup(isBackup)
            .backedUp(!isBackup)
            .partsPerClock(SequentialWorker.PUSHES)
            .audit(true)
            .ackLevel(AckLevel.valueOf(arguments[5]))
            .operationTimeoutNs(FaultCluster.OPERATION_TIMEOUT_NS);
        try (ParentLink parent = ParentLink.open(true);
            GradstreamClient client = GradstreamClient.connect(context))
        {
            learn(parent, client, slot, Long.parseLong(arguments[4]));
            System.out.println(DONE);
            while (!parent.isStopped())
            {
                client.poll();
            }
        }
        catch (final RuntimeException ex)
        {
            System.out.println("failed " + ex);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void learn(
        final ParentLink parent, final GradstreamClient client, final int slot, final long clocks)
    {
        final Table table = client.createTable(SequentialWorker.TABLE).pushEncoding(ValueEncoding.BFLOAT16);
        final long[] keys = SequentialWorker.keys();
        final float[] rows = new float[SequentialWorker.ROWS * SequentialWorker.DIM];
        long allowed = 0;
        long own = 0;
        long told = -1;
        while (client.skipToSlot() < clocks && !parent.isStopped())
        {
            if (client.clocksDone() > told)
            {
                told = client.clocksDone();
                System.out.println(CLOCK + ' ' + own + ' ' + (told - own));
            }
            final String command = parent.pollCommand();
            allowed = null == command ? allowed : Long.parseLong(command);
            if (client.clocksDone() >= allowed)
            {
                client.poll();
                continue;
            }
            client.await(table.pull(keys, keys.length, rows));
            for (int i = 0; i < SequentialWorker.PUSHES; i++)
            {
                SequentialWorker.push(table, slot, client.clocksDone(), i, keys, rows);
            }
            client.clock();
            own++;
        }
        client.awaitAll();
        System.out.println(CLOCK + ' ' + own + ' ' + (client.clocksDone() - own));
    }
}
