// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.worker.session.AckLevel;

/**
 * How a cluster under faults keeps its state, and when its workers call a push acknowledged.
 *
 * @param mode             as {@code --mode} names it.
 * @param standbys         of each partition.
 * @param ack              when a push is acknowledged.
 * @param isDriverExternal does each server have its media driver in a process of its own?
 * @param servers          that keep partitions.
 * @param coordinators     that decide which server keeps which partition; 1 or 3.
 * @param timing           how soon a silent server is suspected.
 */
record ServiceMode(
    String mode,
    int standbys,
    AckLevel ack,
    boolean isDriverExternal,
    int servers,
    int coordinators,
    String timing)
{
    /** Enough to be flat out, few enough that a chain heals within seconds. */
    private static final int MAX_IN_FLIGHT = 64;
    private static final int MAX_UNSNAPSHOTTED = 2048;

    /** Snapshots and a recorded log. */
    static final ServiceMode REPLAY = new ServiceMode("replay", 0, AckLevel.RECORDED, false);
    /** As REPLAY, with workers on the media driver of the first server, which lives on when that dies: over IPC. */
    static final ServiceMode REPLAY_ON_ONE_DRIVER =
        new ServiceMode("replay", 0, AckLevel.RECORDED, true, 1, 1, ServerPlan.DEFAULT);
    /** A standby; survives the loss of either process. */
    static final ServiceMode CHAIN = new ServiceMode("chain", 1, AckLevel.REPLICATED, false);
    /** As CHAIN, decided by three coordinators, with a third server that a chain could be repaired on. */
    static final ServiceMode CHAIN_OF_THREE_COORDINATORS =
        new ServiceMode("chain", 1, AckLevel.REPLICATED, false, 3, 3, ServerPlan.DEFAULT);
    /** As CHAIN_OF_THREE_COORDINATORS, with a fourth server. */
    static final ServiceMode CHAIN_OF_FOUR_SERVERS =
        new ServiceMode("chain", 1, AckLevel.REPLICATED, false, 4, 3, ServerPlan.DEFAULT);
    /** As CHAIN, with a third server, and times as for idle machines. */
    static final ServiceMode CHAIN_OF_THREE_SERVERS =
        new ServiceMode("chain", 1, AckLevel.REPLICATED, false, 3, 1, ServerPlan.FAST);
    /** As CHAIN, with media drivers that may die alone, and that live on when a server dies. */
    static final ServiceMode CHAIN_ON_DRIVERS = new ServiceMode("chain", 1, AckLevel.REPLICATED, true);
    /** A standby, and what is acknowledged is recorded at both: survives the loss of both processes. */
    static final ServiceMode CHAIN_RECORDED = new ServiceMode("chain", 1, AckLevel.RECORDED, false);
    /** Snapshots alone; workers keep their pushes until a snapshot covers them. */
    static final ServiceMode STATELESS = new ServiceMode("stateless", 0, AckLevel.SNAPSHOTTED, false);
    /** A standby, and workers keep their pushes until a snapshot covers them. */
    static final ServiceMode CHAIN_STATELESS = new ServiceMode("chain+stateless", 1, AckLevel.SNAPSHOTTED, false);
    /** Snapshots alone; what came after the last one is lost with a server. */
    static final ServiceMode CHECKPOINT = new ServiceMode("checkpoint", 0, AckLevel.APPLIED, false);

    ServiceMode(final String mode, final int standbys, final AckLevel ack, final boolean isDriverExternal)
    {
        this(mode, standbys, ack, isDriverExternal, 2, 1, ServerPlan.DEFAULT);
    }

    /** Does it promise that no push is lost? */
    boolean isLossless()
    {
        return this != CHECKPOINT;
    }

    /** Pushes a client may have outstanding at one partition: until a snapshot covers them there are many. */
    int maxInFlight()
    {
        return AckLevel.SNAPSHOTTED == ack ? MAX_UNSNAPSHOTTED : MAX_IN_FLIGHT;
    }

    /** Do workers use the media driver of the first server? */
    boolean isDriverOfWorkersToo()
    {
        return this == REPLAY_ON_ONE_DRIVER;
    }

    ServerPlan plan()
    {
        return new ServerPlan("dev", isDriverExternal ? ServerDriver.EXTERNAL : ServerDriver.INTERNAL,
            ServerPlan.RECOVERY, mode, 1 + standbys, timing);
    }

    /** Does another process take over when one is silent? */
    boolean hasStandby()
    {
        return standbys > 0;
    }

    /** Is there a server more than copies, on which a chain can be repaired? */
    boolean hasSpare()
    {
        return hasStandby() && servers > standbys + 1;
    }

    @Override
    public String toString()
    {
        return mode + '/' + ack.name().toLowerCase(java.util.Locale.ROOT) + '/' + servers + "s" + coordinators + 'c';
    }
}
