// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.UnavailableImageHandler;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.DriverTimeoutException;
import io.aeron.exceptions.RegistrationException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Asks a media driver for streams and counters, and waits for them.
 * <p>
 * Aeron's own calls that wait throw what happens to other streams of the client meanwhile, such as an image whose
 * sender has gone before it could be mapped. Here the client's error handler is told of that.
 */
public final class DriverRequests
{
    private static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private DriverRequests()
    {
    }

    /**
     * A subscription that the driver knows.
     *
     * @throws RegistrationException  if the driver refuses it.
     * @throws DriverTimeoutException if it does not answer, or the client has ended because it is gone.
     */
    public static Subscription subscribe(
        final Aeron aeron, final String channel, final int streamId, final UnavailableImageHandler onGone)
    {
        return await(aeron, () -> aeron.asyncAddSubscription(channel, streamId, (image) -> {}, onGone),
            aeron::getSubscription, "a subscription to " + channel);
    }

    /**
     * A publication that the driver knows.
     *
     * @throws RegistrationException  if the driver refuses it.
     * @throws DriverTimeoutException if it does not answer, or the client has ended because it is gone.
     */
    public static ExclusivePublication publish(final Aeron aeron, final String channel, final int streamId)
    {
        return await(aeron, () -> aeron.asyncAddExclusivePublication(channel, streamId),
            aeron::getExclusivePublication, "a publication to " + channel);
    }

    /**
     * A counter that the driver shows.
     *
     * @param key   of the counter.
     * @param label of the counter, in ASCII.
     * @throws RegistrationException  if the driver has no room for it.
     * @throws DriverTimeoutException if it does not answer, or the client has ended because it is gone.
     */
    public static Counter count(
        final Aeron aeron, final int typeId, final DirectBuffer key, final DirectBuffer label)
    {
        return await(aeron,
            () -> aeron.asyncAddCounter(typeId, key, 0, key.capacity(), label, 0, label.capacity()),
            aeron::getCounter, "a counter");
    }

    private static <T> T await(
        final Aeron aeron, final LongSupplier request, final LongFunction<T> registered, final String awaited)
    {
        try
        {
            return await(aeron, request.getAsLong(), registered, awaited);
        }
        catch (final RegistrationException | DriverTimeoutException ex)
        {
            throw ex;
        }
        catch (final AeronException ex)
        {
            // the client tells its error handler why it ends, and those that ask only that it does
            final DriverTimeoutException lost = new DriverTimeoutException("the media driver in " +
                aeron.context().aeronDirectoryName() + " is gone before it answered a request for " + awaited);
            lost.initCause(ex);
            throw lost;
        }
    }

    private static <T> T await(
        final Aeron aeron, final long registrationId, final LongFunction<T> registered, final String awaited)
    {
        final IdleStrategy idleStrategy = new BackoffIdleStrategy(1, 1, 1, MAX_PARK_NS);
        final long deadlineNs =
            System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aeron.context().driverTimeoutMs());
        final AgentInvoker driver = aeron.context().driverAgentInvoker();
        T found = registered.apply(registrationId);
        while (null == found)
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new DriverTimeoutException("the media driver in " + aeron.context().aeronDirectoryName() +
                    " does not answer a request for " + awaited);
            }
            if (null != driver && !driver.isRunning())
            {
                throw new DriverTimeoutException(
                    "the media driver on this thread has ended before it answered a request for " + awaited);
            }
            idleStrategy.idle(null == driver ? 0 : driver.invoke());
            found = registered.apply(registrationId);
        }

        return found;
    }
}
