// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.PartitionAnswer;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelFileWriter;
import io.gradstream.model.ModelHandler;
import io.gradstream.model.ModelOrigin;
import io.gradstream.worker.model.ModelRequests;
import io.gradstream.model.TableEntry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Exports the model of a cluster while training goes on: all tables and rows, with the state that update functions
 * keep, as they are when the last slot ends an iteration, which is the same one at every partition. Export is for
 * observers. Also loads a model into a cluster, which is for a client with a slot. Both are for the thread that polls
 * the client; one model at a time.
 */
public final class Models
{
    /** Stands for no particular iteration: each partition sends its rows as they are when it is asked. */
    public static final long NOW = ModelOrigin.NO_CLOCK;

    /** Most iterations ahead for which an export waits, where training outruns the question. */
    private static final long MAX_AHEAD = 1 << 20;
    /** Time in which a job must end its first iteration, if no slot has ended one. */
    private static final long FIRST_CLOCK_NS = TimeUnit.SECONDS.toNanos(2);
    /** Pause between two attempts. */
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final GradstreamClient face;
    private final ClientContext context;
    private final Client client;
    private final Descriptions descriptions;
    private final BlockingCalls calls;
    private String reason = "";
    private boolean isPassed;
    private boolean endsNone;

    /** The file to which a model is written, and its metadata. */
    private record Target(Path file, boolean overwrite, String metadata)
    {
    }

    Models(
        final GradstreamClient face,
        final ClientContext context,
        final Client client,
        final Descriptions descriptions,
        final BlockingCalls calls)
    {
        this.face = face;
        this.context = context;
        this.client = client;
        this.descriptions = descriptions;
        this.calls = calls;
    }

    /**
     * Write the model to a file, as of an iteration that ends from now on. It is of the last iteration if all slots
     * have finished, or if no worker has been connected for some seconds. If workers push, but none has ended an
     * iteration of an unbounded job within two seconds, there is no iteration to wait for: the model is then as
     * {@link #saveNow} writes it, and its clock says so. After a problem, such as a failover, the export starts over.
     * For an observer: a worker might wait for itself.
     *
     * @param file      to write; it appears only when it is whole.
     * @param overwrite replace a file of that name.
     * @param timeoutNs for all of it, in nanoseconds.
     * @return the model's origin, and its iteration.
     * @throws IOException               if it cannot be written.
     * @throws OperationTimeoutException if it is not whole in time; it says what is missing.
     * @throws IllegalStateException     if this client has a slot.
     */
    public ModelOrigin save(final Path file, final boolean overwrite, final long timeoutNs) throws IOException
    {
        return save(file, overwrite, timeoutNs, "");
    }

    /**
     * Write the model to a file as {@link #save(Path, boolean, long)} does, with its metadata.
     *
     * @param file      to write; it appears only when it is whole.
     * @param overwrite replace a file of that name.
     * @param timeoutNs for all of it, in nanoseconds.
     * @param metadata  what the model is: {@link io.gradstream.model.ModelFile#metadata()}.
     * @return the model's origin, and its iteration.
     * @throws IOException               if it cannot be written.
     * @throws OperationTimeoutException if it is not whole in time; it says what is missing.
     * @throws IllegalStateException     if this client has a slot.
     */
    public ModelOrigin save(
        final Path file, final boolean overwrite, final long timeoutNs, final String metadata) throws IOException
    {
        if (context.slot >= 0)
        {
            throw new IllegalStateException(
                "slot=" + context.slot + " may have to end the iteration itself: take the model out as an observer");
        }
        final long beganNs = calls.nowNs();
        final long deadlineNs = beganNs + timeoutNs;
        long ahead = 1;
        while (true)
        {
            final long clock = nextClock(ahead, deadlineNs);
            if (NOW != clock && endsNone && calls.nowNs() - beganNs >= FIRST_CLOCK_NS)
            {
                return saveNow(file, overwrite, Math.max(1, deadlineNs - calls.nowNs()), metadata);
            }
            if (NOW != clock && !endsNone)
            {
                final ModelOrigin origin = take(clock, new Target(file, overwrite, metadata), deadlineNs);
                if (null != origin)
                {
                    return origin;
                }
                ahead = isPassed ? Math.min(MAX_AHEAD, 2 * ahead) : ahead;
            }
            rest(deadlineNs, clock);
        }
    }

    /**
     * Write the rows to a file as they are: each partition's when it is asked. So rows of different partitions may be
     * of different iterations while training goes on.
     *
     * @param file      to write; it appears only when it is whole.
     * @param overwrite replace a file of that name.
     * @param timeoutNs for all of it, in nanoseconds.
     * @return the model's origin; its clock is {@link #NOW}.
     * @throws IOException               if it cannot be written.
     * @throws OperationTimeoutException if it is not whole in time; it says what is missing.
     */
    public ModelOrigin saveNow(final Path file, final boolean overwrite, final long timeoutNs) throws IOException
    {
        return saveNow(file, overwrite, timeoutNs, "");
    }

    /**
     * Write the rows to a file as {@link #saveNow(Path, boolean, long)} does, with the model's metadata.
     *
     * @param file      to write; it appears only when it is whole.
     * @param overwrite replace a file of that name.
     * @param timeoutNs for all of it, in nanoseconds.
     * @param metadata  what the model is: {@link io.gradstream.model.ModelFile#metadata()}.
     * @return the model's origin; its clock is {@link #NOW}.
     * @throws IOException               if it cannot be written.
     * @throws OperationTimeoutException if it is not whole in time; it says what is missing.
     */
    public ModelOrigin saveNow(
        final Path file, final boolean overwrite, final long timeoutNs, final String metadata) throws IOException
    {
        final long deadlineNs = calls.deadlineNs(timeoutNs);
        final Target target = new Target(file, overwrite, metadata);
        ModelOrigin origin = take(NOW, target, deadlineNs);
        while (null == origin)
        {
            rest(deadlineNs, NOW);
            origin = take(NOW, target, deadlineNs);
        }

        return origin;
    }

    /**
     * Check that {@link #load} would not find another table, or rows that must not be overwritten. To be called before
     * a slot is taken; an observer may call it, too.
     *
     * @param file      a model file.
     * @param overwrite true if its tables may have rows already.
     * @throws IOException           if it cannot be read, or is no sound model file.
     * @throws TableException        if another table with that id or name is there.
     * @throws IllegalStateException if a table has rows already and may not be overwritten.
     */
    public void check(final Path file, final boolean overwrite) throws IOException
    {
        try (ModelFile model = ModelFile.open(file))
        {
            ModelUpload.check(model, overwrite, descriptions.await("load " + file));
        }
    }

    /**
     * Load a model into the cluster: create its tables where they are missing, and replace the rows that are there by
     * its own, values and state. Rows that the file does not have stay. It is done when all is acknowledged. If it
     * fails, a part of the rows may be there; to load the file again, overwriting, is safe.
     *
     * @param file      a model file; the numbers of servers and partitions it comes from do not matter.
     * @param overwrite true if its tables may have rows already.
     * @param timeoutNs for all of it, in nanoseconds.
     * @return the tables of the file, which were loaded.
     * @throws IOException               if it cannot be read, or is no sound model file.
     * @throws TableException            if another table with that id or name is there.
     * @throws PushRefusedException      if a partition has no room for the rows, or its function keeps another state.
     * @throws OperationTimeoutException if it is not done in time; it says what is missing.
     * @throws IllegalStateException     if a table has rows already and may not be overwritten; if this client has no
     *                                   slot, or one that two processes share, or has made pushes that no server
     *                                   applies before it calls {@link GradstreamClient#clock()}.
     */
    public List<TableEntry> load(final Path file, final boolean overwrite, final long timeoutNs) throws IOException
    {
        client.requests().rights().requirePush();
        face.pushHeld();
        if (context.isBackedUp || context.isBackup)
        {
            throw new IllegalStateException(
                "slot=" + context.slot + " is shared by two processes: load the model by another slot");
        }
        if (client.iteration().isEndAwaited())
        {
            throw new IllegalStateException(
                "slot=" + context.slot + " has pushed since its last clock(): call it, then load the model");
        }
        try (ModelFile model = ModelFile.open(file))
        {
            final long deadlineNs = calls.deadlineNs(timeoutNs);
            final ModelUpload upload = new ModelUpload(face, client,
                (missing, condition) -> await(condition, deadlineNs, () -> missing));
            ModelUpload.check(model, overwrite, descriptions.await("load " + file));
            upload.run(model);
            return model.tables();
        }
    }

    /** Export once; null if the export must start over. */
    private ModelOrigin take(final long clock, final Target target, final long deadlineNs) throws IOException
    {
        try (ModelFileWriter writer = ModelFileWriter.create(target.file(), target.overwrite()))
        {
            writer.metadata(target.metadata());
            final ModelRequests.State state = await(clock, writer, deadlineNs);
            isPassed = ModelRequests.State.CLOCK_PASSED == state;
            reason = client.models().reason();

            return ModelRequests.State.COMPLETE == state ? finish(writer) : null;
        }
        catch (final UncheckedIOException ex)
        {
            throw ex.getCause();
        }
        finally
        {
            client.models().end();
        }
    }

    /** Pause before the export starts over. */
    private void rest(final long deadlineNs, final long clock)
    {
        final long endNs = calls.deadlineNs(REST_NS);
        await(() -> calls.nowNs() - endNs >= 0, deadlineNs, () -> reason + advice(clock));
    }

    private static String advice(final long clock)
    {
        return NOW == clock ? "" : "; if workers end no iterations, take the rows as they are (--now, saveNow)";
    }

    private void await(final BooleanSupplier condition, final long deadlineNs, final Supplier<String> missing)
    {
        if (!calls.await("a model", condition, deadlineNs))
        {
            throw new OperationTimeoutException(
                "model: not whole in time: " + missing.get() + client.describe(calls.nowNs()));
        }
    }

    private ModelOrigin finish(final ModelFileWriter writer) throws IOException
    {
        final ModelOrigin origin = new ModelOrigin(context.jobId, client.models().clock(), client.partitions(),
            null == client.job() ? 0 : client.job().nodes(), context.epochClock.time());
        writer.finish(origin);

        return origin;
    }

    private ModelRequests.State await(final long clock, final ModelHandler handler, final long deadlineNs)
    {
        client.models().begin(client.partitions(), clock, handler);
        await(() -> ModelRequests.State.UNDER_WAY != client.models().state(), deadlineNs,
            () -> client.models().missing() + advice(clock));
        if (ModelRequests.State.FAILED == client.models().state())
        {
            throw client.models().failure();
        }

        return client.models().state();
    }

    /**
     * An iteration that no partition has ended; {@link Consistency#FINISHED} if all slots have finished; {@link #NOW}
     * if it is not known yet.
     */
    private long nextClock(final long ahead, final long deadlineNs)
    {
        final List<PartitionAnswer> answers =
            descriptions.await(Math.max(1, Math.min(context.operationTimeoutNs, deadlineNs - calls.nowNs())));
        if (!Descriptions.silent(answers).isEmpty())
        {
            reason = "no answer from partitions " + Descriptions.silent(answers);
            return NOW;
        }
        final int counted = null == client.job() ? 0 : client.job().consistency().slots();
        long newest = 0;
        long furthest = 0;
        boolean isFinished = true;
        boolean isPushed = false;
        for (final PartitionAnswer answer : answers)
        {
            long least = Consistency.FINISHED;
            for (final Map.Entry<Integer, PartitionAnswer.SlotAt> slot : answer.slots().entrySet())
            {
                least = 0 == counted || slot.getKey() < counted ? Math.min(least, slot.getValue().clock()) : least;
                furthest = Math.max(furthest, slot.getValue().clock());
                isPushed |= slot.getValue().lastSequence() > 0;
            }
            isFinished &= Consistency.FINISHED == least && !answer.slots().isEmpty();
            newest = Consistency.FINISHED == least ? newest : Math.max(newest, least);
        }

        final boolean isBounded = null != client.job() && client.job().consistency().isBounded();
        endsNone = isPushed && 0 == furthest && !isBounded;

        return isFinished ? Consistency.FINISHED : newest + ahead;
    }
}
