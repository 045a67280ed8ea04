// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.concurrent.TimeUnit;

import io.gradstream.cli.options.JobOptions;
import io.gradstream.codecs.Consistency;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.DivergedException;
import io.gradstream.training.Examples;
import io.gradstream.training.Stragglers;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.filter.InfiniteGradientException;
import io.gradstream.worker.filter.PushFilter;

/**
 * Does the work of one slot: for each batch, pull its weights, compute its gradient, wait for the pace, push it.
 * <p>
 * With {@code --pull-ahead=1} the weights of the next batch of the pass are on their way meanwhile, so they lack the
 * push of this batch; without it, they contain the push. Either way a pull carries the slot's last sequence, and no
 * push leaves before the pull under way has come back. So with one worker the run is a function of its seed, whatever
 * dies.
 * <p>
 * The waits lie between pull and push, so that if a server is killed during a wait, a push is sent while it is away.
 * <p>
 * With {@code --push-every=K} the gradients of K batches are one push, as {@link PushGroups} says, and one iteration:
 * batches between pushes have no clock. With {@code --local-steps=H} so are the steps of H batches. What is not pushed
 * when training is to end is pushed then. What a process has not pushed that is killed or stopped is not: the process
 * that takes its slot computes it again.
 * <p>
 * Gradients that {@code --filter} holds back are of iterations that have ended: nobody computes them again. A process
 * that is told to stop pushes them, if that takes no longer than a moment. A process that is killed loses them.
 */
public final class TrainingLoop
{
    /** Field of a result, set by a worker that found that training has diverged. */
    public static final String DIVERGED = "diverged";
    /** Field with the number of rows of which filters hold gradients back. */
    public static final String ROWS_HELD_NOW = "rowsHeldNow";
    /** Field with the examples that this process has trained on, of those of its slot. */
    static final String OWN_EXAMPLES = "ownExamples";

    private static final long PROGRESS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** A worker that gets no batches for so long counts as one that is idle. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double RECENT_SHARE = 0.02;

    private final WorkerSession session;
    private final GradstreamClient client;
    private final JobOptions job;
    private final int slot;
    private final BatchGate gate;
    private final BatchSchedule schedule;
    private final PushGroups groups;
    private final BatchSum sum;
    /** Steps on the worker's own rows, which are the sum then; null for none. */
    private final LocalSteps local;
    private final WorkSource source;
    /** Batches that runs before this one have trained on; clocks count from there. */
    private final long beginAt;
    private final long planned;
    private final long paceNs;
    private final long stepNs;
    private final Stragglers stragglers;
    private PulledBatch current;
    private PulledBatch next;
    /** Batches of this slot that are done, by whichever process. */
    private long batches;
    /** Batches and examples whose gradients are in the sum, and not pushed. */
    private int batchesSummed;
    private int examplesSummed;
    /** True if an earlier process of this slot has finished. */
    private boolean isFinished;
    /** Pass of the order of the schedule. */
    private int pass = -1;
    /** True if servers hold a pull until others have pushed: a pull ahead may then wait for this slot's own push. */
    private final boolean isBound;
    private long examplesDone;
    private long ownExamples;
    private double lossSum;
    private double recentLoss;
    private long startNs;
    private WarmUp warmUp;
    private long nextBatchNs;
    private long nextProgressNs;
    private long endNs;
    private boolean isHeld;
    private boolean isHeldBack;
    /** True if there are no batches for this slot now. */
    private boolean isIdle;
    /** Pushes that are left, that of the batch under way included. */
    private long left;
    private String diverged;

    TrainingLoop(
        final WorkerSession session,
        final JobOptions job,
        final int slot,
        final Examples examples,
        final BatchGate gate,
        final long beginAt,
        final WorkSource source)
    {
        this.session = session;
        client = session.client();
        this.job = job;
        this.slot = slot;
        this.gate = gate;
        final ModelSpec model = job.model.spec();
        final Table table = client.createTable(job.table())
            .pullEncoding(job.pullEncoding()).pushEncoding(job.pushEncoding()).cacheKeys(job.isKeyCached())
            .pushFilter(job.filters().toArray(PushFilter[]::new));
        if (job.cacheBytes() > 0)
        {
            // a row that took its worker's pushes at once would be fetched for each batch, but for SGD
            table.cacheRows(job.cacheBytes(), OwnPushes.LATER);
        }
        final PushedRange pushed = new PushedRange(job.pushEncoding(), table.spec().dim());
        local = job.localSteps > 1 ? new LocalSteps(table, job.localSteps, job.localRate, pushed) : null;
        sum = null == local ? new PushSum(table, job.pushEvery, pushed) : local;
        final PulledRange range = new PulledRange(job.pullEncoding(), table.spec().dim());
        current = new PulledBatch(session, table, model.of(examples), local, range);
        next = new PulledBatch(session, table, model.of(examples), local, range);
        // units of all slots are parts of one order
        schedule = new BatchSchedule(job.seed, job.units > 0 ? 0 : slot, examples.size(), job.batch);
        groups = new PushGroups(schedule.batchCount(), job.batchesOfPush());
        this.source = source;
        this.beginAt = beginAt;
        planned = source.planned();
        paceNs = job.pace > 0 ? (long)(TimeUnit.SECONDS.toNanos(1) / job.pace) : 0;
        stepNs = TimeUnit.MILLISECONDS.toNanos(job.stepTimeMs);
        stragglers = job.stragglers();
        isBound = Consistency.UNBOUNDED != job.consistency().staleness();
    }

    /** Go on where the slot stands. To be called before the first batch. */
    void begin()
    {
        isFinished = Consistency.FINISHED == client.clocksDone();
        batches = source.begin();
        examplesDone = examplesOf(beginAt + batches) - examplesOf(beginAt);
    }

    private long examplesOf(final long batchesOfAll)
    {
        final int ofPass = schedule.batchCount();
        return 0 == ofPass ? 0 : batchesOfAll / ofPass * schedule.order().length +
            Math.min(schedule.order().length, batchesOfAll % ofPass * job.batch);
    }

    /**
     * Train to the end, or until told to finish or to stop, or until a gradient is not finite.
     *
     * @return true unless told to stop; every push is recorded then.
     */
    boolean run()
    {
        startNs = System.nanoTime();
        warmUp = new WarmUp(startNs, batches, planned);
        nextBatchNs = startNs;
        if (!runAll())
        {
            return false;
        }

        if (!isFinished)
        {
            source.end();
        }
        session.awaitPushes();
        endNs = System.nanoTime();
        printProgress();
        return true;
    }

    /** The quantity that is not finite, and since when; null unless training has diverged. */
    String diverged()
    {
        return diverged;
    }

    /** True if this process has trained on any batch. */
    boolean hasTrained()
    {
        return ownExamples > 0;
    }

    /** The result of the loop, to which the session adds its counts. */
    StatusLine result()
    {
        final StatusLine result = new StatusLine(StatusLine.RESULT)
            .with("slot", client.slot())
            .with("batches", batches)
            .with("examples", examplesDone)
            .with(OWN_EXAMPLES, ownExamples)
            .with("loss", lossSum / ownExamples)
            .with("seconds", (endNs - startNs) / 1e9);
        warmUp.addTo(result, endNs, ownExamples);
        return null == diverged ? result : result.with(DIVERGED, diverged);
    }

    /** Returns false if told to stop. */
    private boolean runAll()
    {
        boolean isWhole = true;
        try
        {
            WorkSource.Stretch stretch = awaitStretch();
            while (isWhole && null != stretch)
            {
                isWhole = run(stretch);
                stretch = isWhole ? awaitStretch() : null;
            }
            isWhole &= source.isOver();
        }
        catch (final DivergedException ex)
        {
            diverged = ex.getMessage() + " after " + (batches + batchesSummed) + " batches of slot " + slot;
            isWhole = false;
        }
        if (!isWhole)
        {
            if (null == diverged && (!gate.isFinished() || gate.isStopped()))
            {
                session.pushHeldAtStop();
                return false;
            }
            // the pulls ahead, so that nothing is under way when the slot finishes
            current.settle();
            next.settle();
            pushRest();
        }
        return true;
    }

    /**
     * Push the gradients of batches that are done, although more batches were to come into the push. Not those of a
     * worker that has diverged: they are finite, but grow from batch to batch.
     */
    private void pushRest()
    {
        if (null == diverged && batchesSummed > 0 && sum.isFinite())
        {
            push();
        }
    }

    /** Wait for batches; null if no more come or none are wanted. */
    private WorkSource.Stretch awaitStretch()
    {
        final long beganNs = System.nanoTime();
        WorkSource.Stretch stretch = source.next();
        while (null == stretch && !source.isOver() && !gate.isStopped() && !gate.isFinished())
        {
            isIdle = gate.isHolding() && source.hasBegun() && System.nanoTime() - beganNs > IDLE_NS;
            waitHeldBack(isIdle);
            session.idle();
            reportIfDue();
            gate.poll();
            stretch = source.next();
        }
        isIdle = false;
        waitHeldBack(false);

        return stretch;
    }

    private boolean run(final WorkSource.Stretch stretch)
    {
        if (pass != stretch.pass())
        {
            pass = stretch.pass();
            schedule.startPass(pass);
        }
        boolean isStarted = false;
        for (int batch = stretch.first(); batch < stretch.end(); batch++)
        {
            final int ended = source.skip(stretch, batch);
            if (ended > batch)
            {
                // the pull ahead is for a batch that is over, and so is what is in the sum
                current.settle();
                batches += batchesSummed + ended - batch;
                examplesDone = examplesOf(beginAt + batches) - examplesOf(beginAt);
                forgetSum();
                isStarted = false;
                batch = ended;
                if (batch == stretch.end())
                {
                    break;
                }
            }
            final boolean isPush = groups.isEnd(batch);
            // local steps begin with rows that have the push before
            final boolean isAhead =
                job.pullAhead() > 0 && batch < stretch.end() - 1 && (null == local || !isPush);
            if (!isStarted)
            {
                start(current, batch, 0);
            }
            isStarted = isAhead;
            current.awaitWeights();
            if (isAhead)
            {
                start(next, batch + 1, isPush ? 1 : 0);
            }
            left = source.left(stretch, batch);
            if (!finish(current, isPush, isAhead))
            {
                return false;
            }
            final PulledBatch done = current;
            current = next;
            next = done;
        }

        return true;
    }

    private void start(final PulledBatch pulled, final int batch, final int ahead)
    {
        client.pullAhead(ahead);
        pulled.start(schedule.order(), schedule.batchOffset(batch), schedule.batchLength(batch));
    }

    private boolean finish(final PulledBatch batch, final boolean isPush, final boolean isAhead)
    {
        final long beganNs = System.nanoTime();
        final double loss = batch.computeGradient();
        computeLonger(beganNs);
        if (!awaitTurn(isPush))
        {
            return false;
        }
        if (isPush && isAhead && !isBound && !session.isSequential())
        {
            // with one worker the weights are the same in each run; under a bound they may wait for this push
            next.awaitWeights();
        }
        batch.addTo(sum);
        batchesSummed++;
        examplesSummed += batch.length();
        recentLoss = 0 == ownExamples ? loss : recentLoss + RECENT_SHARE * (loss - recentLoss);
        ownExamples += batch.length();
        lossSum += loss * batch.length();
        if (isPush)
        {
            push();
        }
        if (warmUp.onBatch(System.nanoTime(), batches + batchesSummed, ownExamples))
        {
            session.onWarmedUp();
        }
        reportIfDue();
        return true;
    }

    /** Push the sum, and end the iteration. */
    private void push()
    {
        try
        {
            sum.push();
        }
        catch (final InfiniteGradientException ex)
        {
            throw new DivergedException(ex.getMessage());
        }
        client.clock();
        batches += batchesSummed;
        examplesDone += examplesSummed;
        forgetSum();
    }

    private void forgetSum()
    {
        sum.clear();
        batchesSummed = 0;
        examplesSummed = 0;
    }

    /** Serve the connection as long as the batch is to take. */
    private void computeLonger(final long beganNs)
    {
        final double factor = stragglers.factor(slot, batches + batchesSummed);
        if (stepNs > 0 || factor > 1)
        {
            final long endNs = beganNs + (long)(factor * Math.max(stepNs, System.nanoTime() - beganNs));
            while (System.nanoTime() - endNs < 0 && !gate.isStopped())
            {
                session.idle();
            }
        }
    }

    private boolean awaitTurn(final boolean isPush)
    {
        // only a push is held back
        boolean isPassed = !isPush || gate.tryPass(left);
        gate.poll();
        while (!isPassed || System.nanoTime() - nextBatchNs < 0)
        {
            if (gate.isStopped() || gate.isFinished())
            {
                hold(false);
                return false;
            }
            hold(isHeld || !isPassed);

            session.idle();
            reportIfDue();
            isPassed = isPassed || gate.tryPass(left);
        }

        hold(false);
        nextBatchNs = Math.max(nextBatchNs, System.nanoTime() - paceNs) + paceNs;
        return !gate.isStopped() && !gate.isFinished();
    }

    private void hold(final boolean isOn)
    {
        isHeld = isOn;
        waitHeldBack(isOn);
    }

    /** Wait, or not, for what only others can do; a change is reported at once. */
    private void waitHeldBack(final boolean isOn)
    {
        if (isHeldBack != isOn)
        {
            isHeldBack = isOn;
            client.heldBack(isOn);
            if (isOn)
            {
                printProgress();
            }
        }
    }

    private void reportIfDue()
    {
        if (System.nanoTime() - nextProgressNs >= 0)
        {
            printProgress();
        }
    }

    private void printProgress()
    {
        nextProgressNs = System.nanoTime() + PROGRESS_INTERVAL_NS;
        session.reportFirstRefusal();
        final StatusLine line = new StatusLine(StatusLine.PROGRESS)
            .with("slot", client.slot())
            .with("batches", batches)
            .with("planned", planned)
            .with("examples", examplesDone)
            .with(OWN_EXAMPLES, ownExamples)
            .with("loss", recentLoss)
            .with("held", isHeld)
            .with("idle", isIdle);
        if (!job.filters().isEmpty())
        {
            line.with(ROWS_HELD_NOW, client.stats().rowsHeldNow());
        }
        session.print(source.describe(session.latencies(job.isClocked() ? session.staleness(line) : line)));
    }
}
