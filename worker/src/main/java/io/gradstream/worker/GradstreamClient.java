// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.ClientRights;
import io.gradstream.worker.client.Iteration;
import io.gradstream.worker.client.Requests;
import io.gradstream.worker.client.Transport;
import io.gradstream.worker.filter.FilterCounts;
import io.gradstream.worker.request.PullRequest;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.client.Wait;
import io.gradstream.worker.session.OutageMeter;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PushCounts;
import io.gradstream.worker.session.Tickets;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A worker's client: creates tables, pushes gradients, pulls rows, counts iterations.
 * <p>
 * Everything happens on the caller's thread, inside these methods: there is no other. Call {@link #poll()} at least
 * each second while nothing else is called: after 10 s servers have forgotten the worker, and its client connects to
 * them again; after 30 s Aeron gives the client up, and it is over. Not thread safe.
 */
public final class GradstreamClient implements AutoCloseable
{
    /** Returned by calls that do not wait: nothing was done, call again after {@link #poll()}. */
    public static final long NOT_NOW = Tickets.NOT_NOW;

    private final ClientContext context;
    private final Transport transport;
    private final Client client;
    private final ClientRights rights;
    private final Tickets tickets;
    private final Requests requests;
    private final Iteration iteration;
    // used by one call at a time, whatever its table
    private final PushRequest push;
    private final PullRequest pull;
    private final Descriptions descriptions;
    private final BlockingCalls calls;
    private final Models models;
    private final Barrier barrier;
    private final TicketOrder order;
    private final TicketFutures futures;
    /** Of handles of tables that have filters. */
    private final List<FilteredPushes> filtered = new ArrayList<>();
    /** Of filters that handles had before. */
    private FilterCounts countsBefore = FilterCounts.NONE;
    private long pushesBefore;
    private Units units;

    GradstreamClient(final ClientContext context, final Transport transport, final Function<Wait, Client> newClient)
    {
        this.context = context;
        this.transport = transport;
        client = newClient.apply(this::awaitCondition);
        requests = client.requests();
        iteration = client.iteration();
        push = new PushRequest(client.partitions());
        pull = new PullRequest(client.partitions());
        rights = requests.rights();
        tickets = client.tickets();
        calls = new BlockingCalls(context, client, this::poll);
        descriptions = new Descriptions(context, client, calls);
        models = new Models(this, context, client, descriptions, calls);
        barrier = new Barrier(context, client, descriptions, calls);
        order = new TicketOrder(calls, client);
        requests.order(order::areDone, order::mayEndClock);
        futures = new TicketFutures(client, context.operationTimeoutNs, context.maxTickets);
    }

    /**
     * Make a client. It connects to servers while it is polled; they need not be there yet. It first asks coordinators
     * for the map.
     *
     * @param context settings, not yet concluded.
     * @return the client.
     * @throws IllegalArgumentException  if a setting is wrong.
     * @throws IllegalStateException     if the context has served a client, or java lacks a flag, which it names.
     * @throws GradstreamException       if no media driver runs in the directory that the context names.
     * @throws OperationTimeoutException if coordinators do not tell in time where partitions are.
     */
    public static GradstreamClient connect(final ClientContext context)
    {
        return new ClientFactory(context).connect();
    }

    /**
     * Make a client over a core that the caller has made, in place of Aeron and of this host's clock: for simulations.
     * Requests that block wait as the core's {@link Wait} does.
     *
     * @param context   of which only the level of acknowledgement, the limits and the operation timeout are read.
     * @param core      the protocol, over ports of the caller's; closed with the client.
     * @param nanoClock time of the calls.
     * @return the client.
     */
    public static GradstreamClient over(final ClientContext context, final Client core, final NanoClock nanoClock)
    {
        return new GradstreamClient(context.nanoClock(nanoClock), null, (wait) -> core);
    }

    /**
     * Create a table at every partition, or find that it is there with the same specification, and wait for it.
     *
     * @param spec of the table.
     * @return the table.
     * @throws IllegalArgumentException  if the specification is wrong.
     * @throws TableException            if a partition refuses it; it says why.
     * @throws IllegalStateException     if this client is closed, as from every call that needs servers, or is an
     *                                   observer, which opens tables.
     * @throws OperationTimeoutException if a partition does not answer in time.
     */
    public Table createTable(final TableSpec spec)
    {
        rights.requirePush();
        check(spec);
        client.tables().create(spec, client.partitions());
        calls.tableCreated(spec);

        return new Table(this, requests, push, pull, spec);
    }

    /**
     * Open an existing table, for observers. Every partition is asked whether it has the table with this specification.
     *
     * @param spec with which the table was created.
     * @return the table.
     * @throws IllegalArgumentException  if the specification is wrong.
     * @throws TableException            if a partition does not have it, or has it with another specification; it
     *                                   names the difference.
     * @throws OperationTimeoutException if a partition does not answer in time.
     */
    public Table openTable(final TableSpec spec)
    {
        check(spec);
        Descriptions.requireTable(spec, descriptions.await("openTable '" + spec.name() + "'"));

        return new Table(this, requests, push, pull, spec);
    }

    /**
     * A table that every partition is known to have; none is asked. A push to a partition without it is refused.
     *
     * @param spec with which the table was created.
     * @return the table.
     * @throws IllegalArgumentException if the specification is wrong.
     */
    public Table knownTable(final TableSpec spec)
    {
        check(spec);
        return new Table(this, requests, push, pull, spec);
    }

    /**
     * Push what filters of tables hold back ({@link Table#pushFilter}), so that others see it. There is no ticket: if a
     * server refuses it, {@link #awaitAll()} alone says so. So it does for what {@link #clock()} pushes of it.
     *
     * @throws OperationTimeoutException if there is no room in time; rows that found none are still held back.
     */
    public void pushHeld()
    {
        for (final FilteredPushes pushes : filtered)
        {
            pushes.release(Long.MAX_VALUE);
        }
    }

    /**
     * This slot has finished an iteration: tell every partition, in order with the pushes. Waits while spools are
     * full, and in a sequential job until pulls of the iteration that ends are answered. What filters have held back
     * for long enough is pushed first; all of it in a sequential job, and at the end of a unit of work.
     *
     * @return ticket.
     */
    public long clock()
    {
        if (!filtered.isEmpty())
        {
            pushHeldBeforeClock();
        }
        final long ticket = iteration.end(nowNs());
        if (null != units)
        {
            units.onClock(ticket);
        }

        return ticket;
    }

    /**
     * End an iteration as {@link #clock()} does, and wait as long as the operation timeout until every slot of the job
     * has ended it, whatever the staleness bound. The slots are 0 to {@code job set --slots} - 1, except those that
     * have called {@link #finish()}. Later pulls return at least everything that all slots have pushed up to here,
     * except pushes that a failover takes back until their worker has sent them again. A barrier is no acknowledgement:
     * for that, {@link #awaitAll()}. What filters hold back is pushed first.
     *
     * @throws IllegalStateException     if the job binds no slots, so that there is no slot to wait for; the iteration
     *                                   goes on. A barrier that waits already returns if the job then binds no slots.
     * @throws OperationTimeoutException if a slot has not ended it in time, or a partition does not answer; it names
     *                                   them. The iteration of this slot has ended: another barrier() ends the next.
     */
    public void barrier()
    {
        // the coordinators may have said how many slots there are while the caller did not poll
        poll();
        barrier.requireSlots();
        pushHeld();
        final long ticket = clock();
        barrier.await(ticket, clocksDone());
    }

    /**
     * Pushes, pulls and clocks of this client begin from here on only once a ticket is done. Until then, blocking calls
     * wait for it, too, as long as the operation timeout, and {@code tryPush} and {@code tryPull} return
     * {@link #NOT_NOW}. If the ticket is refused, the first call that would begin something throws a
     * {@link PushRefusedException} instead, and calls after that one go on. Pulls follow the client's own pushes
     * without this call.
     *
     * @param ticket of a push, pull or clock; it adds to those given before, at most 64 that are not done.
     * @throws IllegalArgumentException if there is no such ticket.
     * @throws IllegalStateException    if too many tickets are waited for; from calls that begin something, as in
     *                                  {@link #await(long)}.
     */
    public void after(final long ticket)
    {
        order.add(ticket);
    }

    /**
     * As {@link #after(long)} for each of several.
     *
     * @param ticketsBefore of pushes, pulls or clocks.
     */
    public void after(final long... ticketsBefore)
    {
        for (final long ticket : ticketsBefore)
        {
            order.add(ticket);
        }
    }

    /**
     * A ticket as a future. It completes on the polling thread, within {@link #poll()}, which blocking calls call, too.
     * It fails with a {@link PushRefusedException} if a part was refused. It fails with an
     * {@link OperationTimeoutException} if the ticket is not done within the operation timeout from now; a push of a
     * sequential job is done only after {@link #clock()}. It fails with a {@link GradstreamException} if the client is
     * closed before. Stages that depend on it must not call this client, but hand their call to the loop that polls:
     * {@code future.thenRunAsync(task, tasks::add)}. Waiting for it on the polling thread never ends. It allocates, as
     * tickets do not.
     *
     * @param ticket of a push, pull or clock.
     * @return a future of its own for each call; completed if the ticket is done.
     * @throws IllegalArgumentException if there is no such ticket.
     * @throws IllegalStateException    if this client is closed, or {@code maxTickets} futures are open.
     */
    public CompletableFuture<Void> future(final long ticket)
    {
        return futures.of(ticket, nowNs());
    }

    /**
     * This slot has pushed all it ever will: it no longer holds other slots back. Its own pulls from here on wait until
     * every other slot has finished too, if the job has a staleness bound. What filters hold back is pushed first. Then
     * units of work that are not done are given back, as {@link Units#leave()} does.
     *
     * @return ticket.
     * @throws IllegalStateException from pushes after it.
     */
    public long finish()
    {
        pushHeld();
        if (null != units)
        {
            units.leave(true);
        }
        return iteration.finish(nowNs());
    }

    /**
     * Pulls from here on are for a later iteration than the one under way. They are answered once every slot, including
     * this one, has finished all iterations before that later one, except the last few: as many as the job's staleness
     * bound.
     *
     * @param iterations 0, the default: for the one under way; 1: for the one after it.
     * @throws IllegalArgumentException if below 0.
     */
    public void pullAhead(final int iterations)
    {
        Check.atLeast("iterations", iterations, 0);
        iteration.prefetch(iterations);
    }

    /**
     * By how many iterations the slowest slot was behind a pull when its rows were read.
     *
     * @param ticket of a pull that is done.
     * @return iterations; 0 if no slot was behind, or the ticket is too old.
     */
    public long staleness(final long ticket)
    {
        return tickets.staleness(ticket);
    }

    /**
     * How long the answer to a pull waited at its servers for slots that were behind.
     *
     * @param ticket of a pull that is done.
     * @return nanoseconds; 0 if it did not wait, or the ticket is too old.
     */
    public long heldNs(final long ticket)
    {
        return tickets.heldNs(ticket);
    }

    /**
     * Take part in work that all slots share: the coordinators give this slot units of it. The slots of a cluster do
     * one work at a time; the first of them to name a work begins it. What the slot has pushed before is acknowledged
     * when this call returns.
     *
     * @param spec of the work, the same in all slots.
     * @return the units of this slot.
     * @throws IllegalStateException     if this client takes part in work that is not over, or has left this one; if
     *                                   its slot has finished or is backed up, or the process does not go on at the
     *                                   slot's clock; if the job has a staleness bound of 0.
     * @throws OperationTimeoutException if what was pushed before is not acknowledged in time.
     */
    public Units units(final WorkSpec spec)
    {
        rights.requirePush();
        if (null != units && !units.isOver())
        {
            throw new IllegalStateException("this slot takes part in work that is not over: leave() it first");
        }
        if (null != units && units.hasLeft(spec.workId()))
        {
            throw new IllegalStateException("this client has left work " + spec.workId() + ", and has no part in it" +
                " any more: take part in it with a client that connects anew, or name a greater workId");
        }
        if (iteration.isFinished() && !context.isAdopting)
        {
            throw new IllegalStateException("this slot has finished, and takes no more units: use another slot");
        }
        Units.requireAllowed(context, consistency());
        pushHeld();
        units = new Units(this, context, client, calls, spec, this::adopt);

        return units;
    }

    /**
     * As {@link #units(WorkSpec)}; what a slot leaves undone is given to another one.
     *
     * @param workId         greater than that of any work of the cluster before, 1 or more.
     * @param batchesPerPass batches of one pass.
     * @param unitBatches    most batches of a unit.
     * @param passes         how often all batches are done.
     * @return the units of this slot.
     */
    public Units units(final long workId, final long batchesPerPass, final int unitBatches, final int passes)
    {
        return units(new WorkSpec(workId, batchesPerPass, unitBatches, passes, true));
    }

    /** The place of this client in the job, or {@link ClientContext#OBSERVER}. */
    public int slot()
    {
        return context.slot;
    }

    /** Iterations this slot has finished. */
    public long clocksDone()
    {
        return iteration.done();
    }

    /**
     * Go on after the iterations that are safe at all partitions, if the other process of a slot that is backed up has
     * pushed more of them than this one; call it between two iterations. It waits until this process's own pushes are
     * safe. Rows pulled before are for an iteration that is then over.
     *
     * @return as {@link #clocksDone()}.
     * @throws OperationTimeoutException if its own pushes are not safe in time.
     */
    public long skipToSlot()
    {
        return iteration.skipToSlot();
    }

    /**
     * Ask one partition for rows of a system table.
     *
     * @param partition to ask.
     * @param spec      of the system table, of longs.
     * @param keys      of rows.
     * @param out       filled with keys.length * dim elements when the ticket is done.
     * @return ticket.
     */
    public long pullSystem(final int partition, final TableSpec spec, final long[] keys, final long[] out)
    {
        Check.range("partition", partition, 0, client.partitions() - 1);
        if (!spec.isSystem() || ElementType.INT64 != spec.elementType() || 0 == keys.length ||
            out.length < (long)keys.length * spec.dim() || keys.length > context.maxPartLength / Long.BYTES)
        {
            throw new IllegalArgumentException("invalid system pull: table=" + spec.tableId() + " keys.length=" +
                keys.length + " out.length=" + out.length + ": needs a system table and keys.length * dim longs");
        }

        return requests.pullSystem(partition, spec, keys, out, nowNs());
    }

    /**
     * Ask what exists, and wait for every partition's answer as long as the operation timeout. An observer may ask,
     * too. All partitions are asked at once, but each answers for a moment of its own, and a long answer of several
     * messages for several moments: sums over partitions are exact only while nothing is pushed. The description is of
     * the records that primaries have applied; those not replicated yet may be gone after a failover.
     *
     * @return tables, partitions and slots.
     * @throws OperationTimeoutException if a partition does not answer in time; it names all that did not.
     */
    public ClusterDescription describe()
    {
        return ClusterDescription.of(context.jobId, context.job, descriptions.await("describe"));
    }

    /**
     * As {@link #describe()}, but without the partitions that do not answer in time: the description says of them only
     * that they are {@link ClusterDescription#undescribed()}.
     *
     * @param timeoutNs how long.
     * @return tables, partitions and slots.
     */
    public ClusterDescription describe(final long timeoutNs)
    {
        return ClusterDescription.of(context.jobId, context.job, descriptions.await(timeoutNs));
    }

    /** Exports the model, or loads one. */
    public Models models()
    {
        return models;
    }

    /**
     * One duty cycle: take the messages that came, and send those that are due.
     *
     * @return how much was done; 0 lets the caller idle.
     * @throws GradstreamException if this worker cannot go on.
     */
    public int poll()
    {
        rights.requireOpen();
        try
        {
            final long nowNs = nowNs();
            final int workCount = client.doWork(nowNs);
            if (null != client.failure())
            {
                throw GradstreamException.of(client.failure());
            }

            return workCount + futures.poll(nowNs) + (null == units ? 0 : units.doWork(nowNs));
        }
        catch (final RuntimeException ex)
        {
            final String lossText = null == transport ? null : transport.lossText(ex);
            throw null != lossText ? new GradstreamException(lossText, ex) : ex;
        }
    }

    /**
     * True if a ticket is done, whether or not a part was refused.
     *
     * @param ticket of a push, pull or clock.
     */
    public boolean isDone(final long ticket)
    {
        return tickets.isDone(ticket);
    }

    /**
     * Wait for a ticket as long as the operation timeout.
     *
     * @param ticket of a push, pull or clock.
     * @throws PushRefusedException      if a part was refused.
     * @throws IllegalStateException     if it is a push that a sequential job does not apply before this slot calls
     *                                   {@link #clock()}.
     * @throws OperationTimeoutException if it is not done in time; it may still be done later.
     */
    public void await(final long ticket)
    {
        await(ticket, context.operationTimeoutNs);
    }

    /**
     * Wait for a ticket.
     *
     * @param ticket    of a push, pull or clock.
     * @param timeoutNs how long.
     * @throws PushRefusedException      if a part was refused.
     * @throws OperationTimeoutException if it is not done in time; it may still be done later.
     */
    public void await(final long ticket, final long timeoutNs)
    {
        calls.ticket(ticket, timeoutNs);
    }

    /**
     * How old the oldest row of a pull is, if a partition was out of reach and {@code outageReads} let the pull be
     * answered with rows pulled earlier. A pull waits for a row that this process has never pulled, even if rows begin
     * as zeros.
     *
     * @param ticket of a pull that is done.
     * @return nanoseconds since the row was asked for, which is before its server read it; 0 if every row came from its
     *         primary.
     */
    public long staleNs(final long ticket)
    {
        return tickets.staleNs(ticket);
    }

    /**
     * Push what filters hold back, and wait until nothing is outstanding. Where pushes wait for a snapshot, servers are
     * asked for one.
     *
     * @throws OperationTimeoutException if something is still outstanding by then.
     * @throws PushRefusedException      if a server refused a push and no call has said so yet: nothing is then
     *                                   outstanding, and the next call returns.
     */
    public void awaitAll()
    {
        pushHeld();
        calls.all();
    }

    /**
     * The caller cannot go on for a reason of its own that has to do with servers, such as waiting for other workers.
     * While an outage lasts, that time counts as blocked.
     *
     * @param isHeld true while it cannot go on.
     */
    public void heldBack(final boolean isHeld)
    {
        client.outageMeter().onHeld(isHeld, nowNs());
    }

    /** Tickets not done. */
    public int outstandingTickets()
    {
        return tickets.outstanding();
    }

    /** Number of tickets of which a part was refused, since the start. */
    public long refusedTickets()
    {
        return tickets.refusedCount();
    }

    /** Parts that have a sequence, clocks included, of this process. */
    public long pushesSent()
    {
        long count = iteration.endsWritten() * client.partitions();
        for (int i = 0; i < client.partitions(); i++)
        {
            count += client.session(i).pushCounts().count();
        }

        return count;
    }

    /**
     * Counts of this process's pushes to a partition, clocks not included; compare with the audit table.
     *
     * @param partition 0 to partitionCount - 1.
     * @return counts, which go on counting.
     */
    public PushCounts pushCounts(final int partition)
    {
        return client.session(partition).pushCounts();
    }

    /**
     * The session of a partition, for inspection.
     *
     * @param partition 0 to partitionCount - 1.
     * @return state, epoch, watermarks.
     */
    public PartitionSession session(final int partition)
    {
        return client.session(partition);
    }

    /** Number of partitions. */
    public int partitionCount()
    {
        return client.partitions();
    }

    /** Most bytes that pushes ever took in the spools: the sum of each partition's own peak. */
    public long spoolPeakBytes()
    {
        long bytes = 0;
        for (int i = 0; i < client.partitions(); i++)
        {
            bytes += client.session(i).spool().peakBytes();
        }

        return bytes;
    }

    /** A copy of the counts and times up to now. */
    public ClientStats stats()
    {
        final OutageMeter meter = client.outageMeter();
        return new ClientStats(
            client.degraded().totalNs(nowNs()),
            meter.outages(),
            meter.outageNs(),
            meter.blockedNs(),
            spoolPeakBytes(),
            requests.spoolWaits(),
            tickets.refusedCount(),
            requests.dropped(),
            tickets.cachedParts(),
            tickets.maxStaleNs(),
            client.snapshots().count(),
            tickets.maxStaleness(),
            tickets.meanStaleness(),
            requests.cache().cachedRows(),
            requests.cache().fetchedRows(),
            client.keyBytesSaved(),
            filtered.stream().map(FilteredPushes::counts).reduce(countsBefore, FilterCounts::plus),
            filtered.stream().mapToLong(FilteredPushes::rowsHeld).sum());
    }

    /** Number of messages of unknown schema, version or kind, which were ignored. */
    public long unknownMessages()
    {
        return client.unknownMessages();
    }

    /**
     * Say goodbye to the servers and close. Pushes that are not acknowledged may be lost: call {@link #awaitAll()}
     * first. A slot that the coordinators have chosen is free for other processes.
     */
    public void close()
    {
        if (!rights.isClosed())
        {
            if (context.isAnySlot)
            {
                // if this is lost, the slot is free once the coordinators have not heard of it for a while
                client.coordinators().leaveSlot(context.clusterId, context.slot,
                    context.settings.identity().incarnation(), iteration.isFinished() && 0 == tickets.outstanding());
            }
            rights.close();
            futures.close();
            CloseHelper.closeAll(null != transport && transport.isClosed() ? null : client, transport);
        }
    }

    /** Tell the clock of the slot's process before, which no call has sent. */
    GradstreamClient begin()
    {
        if (context.isAdopting)
        {
            iteration.fence();
        }
        else
        {
            iteration.resume(nowNs());
        }

        return this;
    }

    /** Pushes that went through filters, and of which maybe nothing was sent, less the parts that were held back. */
    long pushesFiltered()
    {
        return pushesBefore + filtered.stream().mapToLong(FilteredPushes::pushes).sum();
    }

    /** A handle of a table has other filters than before; null is for none. What was before holds nothing back. */
    void replace(final FilteredPushes before, final FilteredPushes now)
    {
        if (null != before)
        {
            filtered.remove(before);
            countsBefore = countsBefore.plus(before.counts());
            pushesBefore += before.pushes();
        }
        if (null != now)
        {
            filtered.add(now);
        }
    }

    long nowNs()
    {
        return context.nanoClock.nanoTime();
    }

    /** Connect in another slot, whose process is then fenced, and serve this client while that waits. */
    private GradstreamClient adopt(final WorkAnswer answer)
    {
        return connect(context.adopting(answer.adopt(), answer.adoptIncarnation(),
            (condition, deadlineNs, dutyCycle) -> context.waitStrategy.await(
            condition, deadlineNs, () -> dutyCycle.getAsInt() + poll())));
    }

    private void pushHeldBeforeClock()
    {
        if (iteration.isSequential() || consistency().isSequential() || null != units && units.isLastOfUnit())
        {
            pushHeld();
        }
        for (final FilteredPushes pushes : filtered)
        {
            pushes.releaseOld(iteration.done());
        }
    }

    private void check(final TableSpec spec)
    {
        rights.requireOpen();
        final String problem = spec.problem();
        if (null != problem)
        {
            throw new IllegalArgumentException(problem);
        }
    }

    /** How far the slots of the job may run apart, as the coordinators have named it last. */
    Consistency consistency()
    {
        return (null == client.job() ? context.job : client.job()).consistency();
    }

    private void awaitCondition(final String what, final BooleanSupplier condition)
    {
        calls.until(what, condition);
    }
}
