// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import org.agrona.DirectBuffer;

import java.util.concurrent.TimeUnit;

/**
 * A process whose media driver ends while it reads a record that it replays, and whose Aeron client closes after that.
 * It exits with {@link #SURVIVED} if log and replay then say that they have ended, and is killed by SIGSEGV if anything
 * was read that had been taken away.
 */
final class UserOfClosedClient
{
    /** Exit code. */
    static final int SURVIVED = 42;

    private static final int RECORDS = 100;
    private static final int RECORD_LENGTH = 1024;
    /** Several times what passes until a client notices that its driver has ended. */
    private static final long READ_NS = TimeUnit.SECONDS.toNanos(3);

    private UserOfClosedClient()
    {
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        final boolean isSurvived;
        try (ArchiveNode node = new ArchiveNode())
        {
            final ArchiveReplicaStorage storage = node.storage(0);
            final Log log = Records.openLog(storage, 0);
            for (int i = 0; i < RECORDS; i++)
            {
                Records.append(log, Records.bytes(i, RECORD_LENGTH));
            }
            Records.awaitRecorded(log);
            isSurvived = isBrokenOff(node, storage.openReplay(0, ReplicaStorage.TO_RECORDED_END)) && isDead(log);
        }
        System.exit(isSurvived ? SURVIVED : 1);
    }

    private static boolean isBrokenOff(final ArchiveNode node, final Replay replay)
    {
        try
        {
            ArchiveNode.await("the end of the replay", () ->
            {
                replay.poll((buffer, offset, length, position) -> onRecord(node, buffer, offset, length), 1);
                return replay.isDone();
            });

            return false;
        }
        catch (final ReplayException expected)
        {
            return true;
        }
    }

    private static boolean isDead(final Log log)
    {
        return !log.isAlive() && !log.tryClaim(RECORD_LENGTH) && log.recordedPosition() > 0;
    }

    private static void onRecord(final ArchiveNode node, final DirectBuffer buffer, final int offset, final int length)
    {
        if (node.isDriverStopped())
        {
            return;
        }
        node.stopDriver();
        final long deadlineNs = System.nanoTime() + READ_NS;
        long sum = 0;
        while (System.nanoTime() - deadlineNs < 0)
        {
            for (int i = 0; i < length; i++)
            {
                sum += buffer.getByte(offset + i);
            }
        }
        System.out.println(sum);
    }
}
