// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.worker.aeron.AeronTransport;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.aeron.OwnAddress;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.worker.client.Transport;
import org.agrona.CloseHelper;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Builds a client: connects to the media driver, asks the coordinators for the map, and listens for answers. */
final class ClientFactory
{
    /** Of java.base, in which Agrona has its memory access. */
    private static final String OPENED_PACKAGE = "jdk.internal.misc";

    private final ClientContext context;
    private DriverConnection driver;
    private CoordinatorLink link;
    private Transport transport;
    private GradstreamClient client;
    private SlotAnswer slotAnswer;
    private boolean isSlotAsked;
    private long slotAskedNs;

    ClientFactory(final ClientContext context)
    {
        this.context = context;
    }

    GradstreamClient connect()
    {
        requireOpenedPackage();
        GradstreamClient made = make();
        while (context.isAnySlot && Consistency.FINISHED == made.clocksDone())
        {
            // its process has died before it could tell the coordinators
            made.awaitAll();
            made.close();
            context.reopen();
            made = make();
        }

        return made;
    }

    private GradstreamClient make()
    {
        try
        {
            context.checkWays();
            client = null;
            driver = null == context.transport ? open() : null;
            followCoordinators();
            if (context.isAnySlot)
            {
                takeSlot();
            }
            context.conclude(link.peek().of(job()));
            transport = null == context.transport ? listen() : context.transport;

            client = new GradstreamClient(context, transport, (wait) ->
                new Client(context.settings, transport, link, wait, context.nanoClock.nanoTime()));
            return client.begin();
        }
        catch (final RuntimeException ex)
        {
            closeAll();
            throw null != driver && driver.isLost(ex) ? new GradstreamException(driver.lossText(), ex) : ex;
        }
    }

    /** Said here, since what follows from it says nothing of a flag. */
    private static void requireOpenedPackage()
    {
        if (!Object.class.getModule().isOpen(OPENED_PACKAGE, CloseHelper.class.getModule()))
        {
            throw new IllegalStateException("Agrona cannot access memory: start java with --add-opens=java.base/" +
                OPENED_PACKAGE + "=ALL-UNNAMED, or with @config/jvm.options, which has it");
        }
    }

    private void closeAll()
    {
        if (null != client)
        {
            // which tells servers that this process is gone
            CloseHelper.quietClose(client);
        }
        else
        {
            CloseHelper.quietCloseAll(link, transport, context.driver == driver ? null : driver);
        }
    }

    private DriverConnection open()
    {
        try
        {
            return null != context.driver ? context.driver :
                DriverConnection.open(context.aeronDirectoryName, context.errorHandler);
        }
        catch (final HostDriverException ex)
        {
            throw new GradstreamException(ex.getMessage(), ex);
        }
    }

    private Transport listen()
    {
        final AeronTransport listening = new AeronTransport(driver, context.driver != driver, context.channels);
        transport = listening;
        await(listening::isListening, () -> "responseEndpoint=" + context.channels.responseEndpoint() +
            " was not opened: is the port free?");

        return listening;
    }

    private void followCoordinators()
    {
        link = null != context.coordinatorChannel ?
            new CoordinatorLink(context.coordinatorChannel, context.errorHandler) :
            ClusterChannel.link(driver, context.coordinators, null != context.coordinatorResponseEndpoint ?
                context.coordinatorResponseEndpoint : OwnAddress.facing(context.coordinators), context.errorHandler);
        await(this::isPlaced, this::waitingText);
    }

    private boolean isPlaced()
    {
        link.doWork(context.nanoClock.nanoTime());
        final ClusterMap map = link.peek();
        if (null == map || map.jobs().isEmpty())
        {
            return false;
        }
        Check.that(null != job(), "job", context.jobName, "one of the cluster's jobs " +
            map.jobs().stream().map(ClusterMap.Job::name).toList() + ", or create it with './gradstream job create'");
        context.jobId = job().id();
        link.jobId(context.jobId);

        return map.isPlaced(job());
    }

    /** The job by its name, and by its number once that is known: another job may get the name. */
    private ClusterMap.Job job()
    {
        final ClusterMap map = link.peek();
        final ClusterMap.Job job =
            0 == context.jobId ? map.job(context.jobName) : map.job(context.jobId);
        if (null == job && 0 != context.jobId)
        {
            throw GradstreamException.of(SessionFailure.jobDeleted(context.jobId));
        }

        return job;
    }

    private void takeSlot()
    {
        slotAnswer = null;
        isSlotAsked = false;
        final long requestId = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        await(() -> isSlotGiven(requestId), () -> null == slotAnswer ?
            "no coordinator of " + context.coordinators + " answers the question for a slot: " + link :
            "all slots of the job are taken, " + slotAnswer.slots() + " of them: start fewer workers, allow more" +
            " slots with 'job set --slots', or end a worker; the slot of one that died is free 10 s later");
        context.lease(slotAnswer.slot(), slotAnswer.incarnation());
    }

    private boolean isSlotGiven(final long requestId)
    {
        final long nowNs = context.nanoClock.nanoTime();
        link.doWork(nowNs);
        final SlotAnswer newest = link.pollSlot(requestId);
        slotAnswer = null == newest ? slotAnswer : newest;
        if (null != slotAnswer && SlotAnswer.NONE_FREE != slotAnswer.slot())
        {
            return true;
        }
        if (!isSlotAsked || nowNs - slotAskedNs >= CoordinatorLink.RETRY_NS)
        {
            isSlotAsked = link.takeSlot(link.peek().clusterId(), requestId);
            slotAskedNs = nowNs;
        }

        return false;
    }

    private String waitingText()
    {
        final ClusterMap map = link.peek();
        return null == map ? "no coordinator of " + context.coordinators + " answers: " + link :
            map.jobs().isEmpty() ? "the coordinator knows no job" :
            "the job " + context.jobName + " is not placed: it waits for " + job().spec().nodes() +
                " servers that are heard and not drained; start more servers";
    }

    private void await(final BooleanSupplier condition, final Supplier<String> text)
    {
        final long deadlineNs = context.nanoClock.nanoTime() + context.operationTimeoutNs;
        if (!context.waitStrategy.await(condition, deadlineNs, () -> null == driver ? 0 : driver.poll()))
        {
            throw new OperationTimeoutException(text.get());
        }
    }
}
