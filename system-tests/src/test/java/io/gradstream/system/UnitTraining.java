// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.training.Evaluation;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.SlotFencedException;
import io.gradstream.worker.Table;
import io.gradstream.worker.Units;
import io.gradstream.worker.work.WorkUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SleepingIdleStrategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Two workers without slots of their own that train a model while faults strike. Each pass over the data is a work of
 * units, and each batch adds 1 to rows of its own, too, one in each partition. Now and then a worker disappears in the
 * middle of a batch, and another one comes. Afterwards the same passes are trained once more, undisturbed, into another
 * table.
 */
final class UnitTraining implements AutoCloseable
{
    /**
     * The outcome of a training.
     *
     * @param passes      under faults, and as many without.
     * @param gone        workers that disappeared in the middle of a batch, or lost their slot.
     * @param batches     that were pushed to all partitions and not left by a worker that disappeared in them, of all
     *                    passes.
     * @param leftOut     batches that the coordinators say nobody has done.
     * @param doubled     batches that were pushed to a partition more than once.
     * @param missing     batches that count as done and were not pushed to all partitions.
     * @param model       quality of the model trained under faults.
     * @param undisturbed quality of the other one.
     */
    record Result(
        int passes,
        int gone,
        long batches,
        long leftOut,
        long doubled,
        long missing,
        Evaluation model,
        Evaluation undisturbed)
    {
    }

    private static final TableSpec COUNTS = TableSpec.sparse(3, "batches", 1, "add/1");
    private static final int WORKERS = 2;
    private static final int UNIT = 8;
    /** One of so many batches is the last one of its worker. */
    private static final int BATCHES_OF_A_LIFE = 1_000;
    private static final long NO_ROW = -1;
    /** Blocks of keys of a batch that are looked at for one in each partition. */
    private static final int BLOCKS = 64;
    private static final int MAX_PASSES = 1 << 16;
    private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long STOP_TIMEOUT_MS = 300_000;

    private final FaultCluster cluster;
    private final String job;
    private final PartitionFunction partitions;
    private final List<Worker> workers = new ArrayList<>();
    /** Batches of each pass that count as done. */
    private final AtomicLongArray done = new AtomicLongArray(MAX_PASSES);
    /** Rows of batches that were pushed whole by a worker that then disappeared: they do not count as done. */
    private final Set<Long> left = ConcurrentHashMap.newKeySet();
    private volatile int lastPass = MAX_PASSES - 1;
    private volatile int lastPassUnderFaults = MAX_PASSES - 1;
    private volatile Result result;
    private volatile boolean isStopping;
    private volatile boolean isClosed;

    private UnitTraining(final FaultCluster cluster, final String job, final int partitionCount)
    {
        this.cluster = cluster;
        this.job = job;
        partitions = new PartitionFunction(partitionCount);
    }

    /** Start training in a job whose first slots nobody holds. */
    static UnitTraining start(
        final FaultCluster cluster, final String job, final int partitionCount, final long seed)
    {
        final UnitTraining training = new UnitTraining(cluster, job, partitionCount);
        for (int i = 0; i < WORKERS; i++)
        {
            training.workers.add(training.new Worker(i, new Random(seed + i)));
        }
        training.workers.forEach((worker) -> worker.thread.start());

        return training;
    }

    /** Throw if a worker cannot go on. */
    void check()
    {
        workers.forEach(Worker::check);
    }

    /** End the pass under way, train as many again, undisturbed, and compare. */
    Result finish()
    {
        isStopping = true;
        while (workers.stream().anyMatch((worker) -> worker.thread.isAlive()))
        {
            final int before = workers.get(0).endedPass;
            cluster.await("one more undisturbed pass is trained, or all are compared", STOP_TIMEOUT_MS, () ->
            {
                check();
                return workers.get(0).endedPass > before ||
                    workers.stream().noneMatch((worker) -> worker.thread.isAlive());
            });
        }
        check();

        return result;
    }

    @Override
    public void close()
    {
        isClosed = true;
        for (final Worker worker : workers)
        {
            try
            {
                worker.thread.join(STOP_TIMEOUT_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A worker, and those that come after it. */
    private final class Worker
    {
        private final int number;
        private final Random random;
        private final ClickSteps clicks = new ClickSteps();
        private final long[] rows = new long[partitions.partitionCount()];
        private final float[] ones = new float[rows.length];
        private final Thread thread;
        private GradstreamClient client;
        private Table model;
        private Table undisturbed;
        private Table counts;
        private volatile int gone;
        private volatile int endedPass;
        private volatile RuntimeException failure;

        Worker(final int number, final Random random)
        {
            this.number = number;
            this.random = random;
            Arrays.fill(ones, 1);
            thread = new Thread(this::run, "units-" + number);
            thread.setDaemon(true);
        }

        void check()
        {
            if (null != failure)
            {
                throw new AssertionError("units cannot be trained on", failure);
            }
        }

        private void run()
        {
            try
            {
                connect();
                for (int pass = 1; pass <= lastPass && !isClosed; pass++)
                {
                    train(pass);
                    meet(pass);
                }
                if (0 == number && !isClosed)
                {
                    result = compare();
                }
            }
            catch (final RuntimeException ex)
            {
                failure = ex;
            }
            finally
            {
                CloseHelper.quietClose(client);
            }
        }

        private void connect()
        {
            client = GradstreamClient.connect(cluster.clientContext()
                .job(job)
                .anySlot()
                .idleStrategy(new SleepingIdleStrategy(PARK_NS)));
            model = client.createTable(ClickSteps.MODEL);
            undisturbed = client.createTable(ClickSteps.UNDISTURBED);
            // 1 and its sums stay what they are in 2 bytes
            counts = client.createTable(COUNTS).pushEncoding(ValueEncoding.FLOAT16);
        }

        private void train(final int pass)
        {
            boolean isOver = false;
            while (!isOver && !isClosed)
            {
                try
                {
                    isOver = trainUntilGone(pass);
                }
                catch (final SlotFencedException ex)
                {
                    // it stood still for longer than slots wait, and another one took what it had
                    gone++;
                }
                if (!isOver)
                {
                    client.close();
                    connect();
                }
            }
        }

        /** True if the pass is over; false if this worker disappears before. */
        private boolean trainUntilGone(final int pass)
        {
            final Units units = client.units(pass, clicks.batchCount(), UNIT, 1);
            for (WorkUnit unit = units.next(); null != unit && !isClosed; unit = units.next())
            {
                for (int i = 0; i < unit.batches(); i++)
                {
                    final int batch = (int)unit.firstBatch() + i;
                    final boolean isDisturbed = pass <= lastPassUnderFaults;
                    clicks.step(
                        isDisturbed ? model : undisturbed, isDisturbed ? pass : pass - lastPassUnderFaults, batch);
                    rowsOf(pass, batch, rows);
                    counts.push(rows, ones);
                    if (isDisturbed && (0 == gone || 0 == random.nextInt(BATCHES_OF_A_LIFE)))
                    {
                        leave();
                        return false;
                    }
                    client.clock();
                    if (isDisturbed)
                    {
                        LockSupport.parkNanos(PACE_NS);
                    }
                }
            }
            client.awaitAll();
            done.accumulateAndGet(pass, units.batchesDone(), Math::max);

            return true;
        }

        /** Disappear in a batch; at first, and every other time, once servers have all of it: nobody does it again. */
        private void leave()
        {
            if (0 == gone || random.nextBoolean())
            {
                client.awaitAll();
                left.add(rows[0]);
            }
            gone++;
        }

        /** The rows of a batch, by partition: no two batches have one in common. */
        private void rowsOf(final int pass, final int batch, final long[] keys)
        {
            final long number = (long)pass * clicks.batchCount() + batch;
            int found = 0;
            Arrays.fill(keys, NO_ROW);
            for (long block = number * BLOCKS; found < keys.length && block < (number + 1) * BLOCKS; block++)
            {
                final long key = block << PartitionFunction.BLOCK_BITS;
                final int partition = partitions.partitionOf(COUNTS.tableId(), key);
                found += NO_ROW == keys[partition] ? 1 : 0;
                keys[partition] = NO_ROW == keys[partition] ? key : keys[partition];
            }
            if (found < keys.length)
            {
                throw new AssertionError("a partition has none of " + BLOCKS + " blocks");
            }
        }

        /** Wait until all workers have ended a pass; the first one decides if it is the last under faults. */
        private void meet(final int pass)
        {
            if (0 == number && isStopping && lastPassUnderFaults > pass)
            {
                lastPassUnderFaults = pass;
                lastPass = 2 * pass;
            }
            endedPass = pass;
            while (workers.stream().anyMatch((worker) -> worker.endedPass < pass) && !isClosed)
            {
                client.poll();
                LockSupport.parkNanos(PARK_NS);
            }
        }

        private Result compare()
        {
            long pushed = 0;
            long leftOut = 0;
            long doubled = 0;
            long missing = 0;
            // one pull for each pass: thousands of passes are to be compared in the time that finish() waits
            final long[] ofPass = new long[clicks.batchCount() * rows.length];
            final float[] values = new float[ofPass.length];
            for (int pass = 1; pass <= lastPass; pass++)
            {
                for (int batch = 0; batch < clicks.batchCount(); batch++)
                {
                    rowsOf(pass, batch, rows);
                    System.arraycopy(rows, 0, ofPass, batch * rows.length, rows.length);
                }
                counts.pullAndAwait(ofPass, ofPass.length, values);
                long whole = 0;
                for (int from = 0; from < values.length; from += rows.length)
                {
                    Arrays.sort(values, from, from + rows.length);
                    whole += values[from] > 0 && !left.contains(ofPass[from]) ? 1 : 0;
                    doubled += values[from + rows.length - 1] > 1 ? 1 : 0;
                }
                pushed += whole;
                leftOut += clicks.batchCount() - done.get(pass);
                missing += Math.max(0, done.get(pass) - whole);
            }

            return new Result(lastPassUnderFaults, workers.stream().mapToInt((worker) -> worker.gone).sum(),
                pushed, leftOut, doubled, missing, clicks.evaluate(clicks.parameters(model)),
                clicks.evaluate(clicks.parameters(undisturbed)));
        }
    }
}
