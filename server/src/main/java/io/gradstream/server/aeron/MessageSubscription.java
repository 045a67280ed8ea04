// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.ControlledFragmentAssembler;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.gradstream.driver.client.DriverRequests;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * A subscription that hands whole messages over. A message that is not taken stays with Aeron, which slows its sender
 * down.
 */
final class MessageSubscription implements AutoCloseable
{
    /** Takes messages. */
    @FunctionalInterface
    interface Receiver
    {
        /**
         * Take a message.
         *
         * @param sessionId of the sender's stream.
         * @param buffer    that holds it.
         * @param offset    of it.
         * @param length    bytes.
         * @return false if the receiver cannot take the message now: Aeron delivers it again.
         */
        boolean onMessage(int sessionId, DirectBuffer buffer, int offset, int length);
    }

    private final ControlledFragmentAssembler assembler;
    private final Subscription subscription;
    private final int fragmentLimit;
    private Receiver receiver;
    /**
     * The exception that the receiver threw. Aeron would report it and go on, so it is kept here, and the poll throws
     * it.
     */
    private RuntimeException failure;
    private boolean isClosing;

    MessageSubscription(
        final Aeron aeron,
        final String channel,
        final int streamId,
        final int initialLength,
        final int fragmentLimit)
    {
        this.fragmentLimit = fragmentLimit;
        assembler = new ControlledFragmentAssembler(this::onMessage, initialLength, true);
        subscription = DriverRequests.subscribe(aeron, channel, streamId, this::onGone);
    }

    int poll(final Receiver newReceiver)
    {
        receiver = newReceiver;
        final int workCount = subscription.controlledPoll(assembler, fragmentLimit);
        if (null != failure)
        {
            throw failure;
        }

        return workCount;
    }

    boolean hasImages()
    {
        return !subscription.hasNoImages();
    }

    @Override
    public void close()
    {
        isClosing = true;
        CloseHelper.quietClose(subscription);
    }

    private void onGone(final Image image)
    {
        if (!isClosing)
        {
            assembler.freeSessionBuffer(image.sessionId());
        }
    }

    private Action onMessage(
        final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (null != failure)
        {
            return Action.ABORT;
        }
        try
        {
            return receiver.onMessage(header.sessionId(), buffer, offset, length) ? Action.CONTINUE : Action.ABORT;
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
            return Action.ABORT;
        }
    }
}
