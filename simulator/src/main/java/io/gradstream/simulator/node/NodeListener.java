// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.SlotRole;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;

/**
 * Hears what the processes of nodes do and are about to say, and throws a violation where a promise is broken. A copy
 * is a process's copy of a partition; a seat is the number of a host.
 */
public interface NodeListener
{
    /** A copy has appended a record that ends at a position of its log. */
    void onAppended(int partition, long epoch, long end, long chainHash);

    /** A copy is about to delete of its log. */
    void onLogCut(int seat, int partition);

    /** A process has died, and with it its copy in memory. */
    void onDeath(int seat, HostedPartition copy);

    /** A copy has done its work. */
    void onWork(Replica replica);

    /** A head has looked how far the parts of a slot have come. */
    void onKnown(int seat, HostedPartition copy, int slot);

    /** A head is about to tell a worker's process after which part it goes on. */
    void onWelcome(int seat, HostedPartition copy, int slot, SlotRole role);

    /** A head has appended a part that it could take or refuse. */
    void onDecided(HostedPartition copy, int slot, long sequence, boolean isRefused);

    /** A process is about to say something of a partition that only its head may say. */
    void onAnswer(int seat, int partition);

    /** A head answers a pull from what it holds at a position of its log. */
    void onRows(HostedPartition copy, long epoch, long position);

    /** A head is about to tell a client how far the parts of a slot have come, by level. */
    void onWatermarks(int seat, HostedPartition copy, int slot, int client, long[] values);

    /** A head reports that it goes on without those who are no members any more. */
    void onConfirm(int seat, int partition);
}
