// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.client.Transport;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;

/**
 * Sees what one client of a process says and hears, and tells the model. The client's first hello says in which slot it
 * is, and with which number.
 */
final class UnitsTap implements WorkerTransport.Tap
{
    private final Cluster cluster;
    private final Checker checker;
    private final SentParts sent;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final HelloDecoder hello = new HelloDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final long[] helloIds;
    private final boolean[] isWelcomed;
    private int slot = -1;
    private long incarnation;
    private boolean isDead;

    UnitsTap(final World world, final Cluster cluster, final Checker checker)
    {
        this.cluster = cluster;
        this.checker = checker;
        sent = new SentParts(world, cluster.histories());
        helloIds = new long[world.config().partitions()];
        isWelcomed = new boolean[helloIds.length];
    }

    /** The process is no more: nothing leaves it, and nothing reaches it. */
    void die()
    {
        isDead = true;
    }

    boolean isDead()
    {
        return isDead;
    }

    int slot()
    {
        return slot;
    }

    long incarnation()
    {
        return incarnation;
    }

    @Override
    public boolean onRequest(final WorkerLink.Requests requests, final UnsafeBuffer message)
    {
        if (isDead)
        {
            return false;
        }
        if (HelloDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId())
        {
            onHello(message);
        }
        final boolean isSent = requests.offer(message, 0, message.capacity());
        if (isSent)
        {
            sent.onSent(message, slot, incarnation);
        }

        return isSent;
    }

    private void onHello(final UnsafeBuffer message)
    {
        hello.wrapAndApplyHeader(message, 0, header);
        if (slot != hello.slot() || incarnation != hello.incarnation())
        {
            Arrays.fill(isWelcomed, false);
            slot = hello.slot();
            incarnation = hello.incarnation();
        }
        helloIds[hello.partition()] = hello.helloId();
    }

    @Override
    public void onAnswer(final UnsafeBuffer message, final Transport.Receiver receiver)
    {
        if (isDead)
        {
            return;
        }
        final boolean isWelcome = WelcomeDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId();
        if (isWelcome)
        {
            welcome.wrapAndApplyHeader(message, 0, header);
        }
        receiver.onMessage(message, 0, message.capacity());
        if (isWelcome)
        {
            onWelcome(message);
        }
    }

    private void onWelcome(final UnsafeBuffer message)
    {
        final int partition = welcome.wrapAndApplyHeader(message, 0, header).partition();
        final History history = cluster.histories().history(partition);
        if (slot == welcome.slot() && incarnation == welcome.incarnation() &&
            helloIds[partition] == welcome.helloId() && !isWelcomed[partition])
        {
            isWelcomed[partition] = true;
            if (!history.isReplaced(slot, incarnation))
            {
                checker.onTakeover(slot, partition, welcome.lastSequence());
                history.takeOver(slot, incarnation, welcome.lastSequence(), welcome.lastSequence());
            }
        }
    }
}
