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

/**
 * Does the work of one slot: for each batch, pull its weights, compute its gradient, wait for the pace, push it.
 * <p>
 * With {@code --pull-ahead=1} the weights of the next batch of the pass are on their way meanwhile, so they lack the
 * push of this batch; without it, they contain the push. Either way a pull carries the slot's last sequence, and no
 * push leaves before the pull under way has come back. So with one worker the run is a function of its seed, whatever
 * dies.
 * <p>
 * The waits lie between pull and push, so that if a server is killed during a wait, a push is sent while it is away.
 */
public final class TrainingLoop
{
    /** Field of a result, set by a worker that found that training has diverged. */
    public static final String DIVERGED = "diverged";

    private static final long PROGRESS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double RECENT_SHARE = 0.02;

    private final WorkerSession session;
    private final GradstreamClient client;
    private final JobOptions job;
    private final int slot;
    private final BatchGate gate;
    private final BatchSchedule schedule;
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
    /** Batches that earlier processes of this slot have trained on, as the slot's clock says. */
    private long resumedBehind;
    /** True if servers hold a pull until others have pushed: a pull ahead may then wait for this slot's own push. */
    private final boolean isBound;
    /** Batches of the passes that are over. */
    private long batchesBefore;
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
    private String diverged;

    TrainingLoop(
        final WorkerSession session,
        final JobOptions job,
        final int slot,
        final Examples examples,
        final BatchGate gate,
        final long beginAt)
    {
        this.session = session;
        client = session.client();
        this.job = job;
        this.slot = slot;
        this.gate = gate;
        final ModelSpec model = job.model.spec();
        final Table table = client.createTable(job.table());
        current = new PulledBatch(session, table, model.of(examples));
        next = new PulledBatch(session, table, model.of(examples));
        schedule = new BatchSchedule(job.seed, slot, examples.size(), job.batch);
        this.beginAt = beginAt;
        planned = Math.max(0, schedule.batchCount(job.passes) - beginAt);
        paceNs = job.pace > 0 ? (long)(TimeUnit.SECONDS.toNanos(1) / job.pace) : 0;
        stepNs = TimeUnit.MILLISECONDS.toNanos(job.stepTimeMs);
        stragglers = job.stragglers();
        isBound = Consistency.UNBOUNDED != job.consistency().staleness();
    }

    /** Go on where the slot stands, and say so if an earlier process has begun. To be called before the first batch. */
    void begin()
    {
        final long clocksDone = client.clocksDone();
        if (Consistency.FINISHED == clocksDone)
        {
            resumedBehind = clocksDone;
            goOnBehind(planned);
            System.err.println("slot " + slot + " has finished in this job: there is nothing left to train");
            return;
        }
        final long leftOut = mayBeginTwice() && clocksDone < planned ? 1 : 0;
        if (leftOut > 0)
        {
            client.clock();
        }
        resumedBehind = beginAt + clocksDone + leftOut;
        goOnBehind(clocksDone + leftOut);
        if (clocksDone + leftOut > 0)
        {
            System.err.println("slot " + slot + " continues after " + clocksDone + " batches, which it has ended" +
                (leftOut > 0 ? "; the next one, of which the process before may have pushed a part, is left out" : ""));
        }
    }

    /**
     * True if a part of the next batch may have been pushed already. Each push of a job that is not sequential counts
     * by itself: if the batch were pushed again, the partitions that have their part of it would have it twice.
     */
    private boolean mayBeginTwice()
    {
        return !job.consistency().isSequential() && !session.isNumbered() && session.isTakenOver();
    }

    private void goOnBehind(final long done)
    {
        batches = done;
        examplesDone = examplesOf(beginAt + done) - examplesOf(beginAt);
    }

    private long examplesOf(final long batchesOfAll)
    {
        final int ofPass = schedule.batchCount();
        return 0 == ofPass ? 0 : batchesOfAll / ofPass * schedule.order().length +
            Math.min(schedule.order().length, batchesOfAll % ofPass * job.batch);
    }

    private boolean isOver()
    {
        return Consistency.FINISHED == resumedBehind;
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
        if (!runPasses())
        {
            return false;
        }

        if (!isOver())
        {
            client.finish();
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

    /** The result of the loop, to which the session adds its counts. */
    StatusLine result()
    {
        final StatusLine result = new StatusLine(StatusLine.RESULT)
            .with("slot", slot)
            .with("batches", batches)
            .with("examples", examplesDone)
            .with("loss", lossSum / ownExamples)
            .with("seconds", (endNs - startNs) / 1e9);
        warmUp.addTo(result, endNs, ownExamples);
        return null == diverged ? result : result.with(DIVERGED, diverged);
    }

    /** Returns false if told to stop. */
    private boolean runPasses()
    {
        boolean isWhole = true;
        for (int pass = 0; pass < job.passes && isWhole; pass++)
        {
            schedule.startPass(pass);
            try
            {
                isWhole = runPass();
            }
            catch (final DivergedException ex)
            {
                diverged = ex.getMessage() + " after " + batches + " batches of slot " + slot;
                isWhole = false;
            }
        }
        if (!isWhole)
        {
            if (null == diverged && (!gate.isFinished() || gate.isStopped()))
            {
                return false;
            }
            // the pulls ahead, so that nothing is under way when the slot finishes
            current.awaitWeights();
            next.awaitWeights();
        }
        return true;
    }

    private boolean runPass()
    {
        final int last = schedule.batchCount() - 1;
        final int first = (int)Math.min(last + 1L, Math.max(0, resumedBehind - batchesBefore));
        final long passBegin = batchesBefore;
        batchesBefore += last + 1;
        boolean isStarted = false;
        for (int batch = first; batch <= last; batch++)
        {
            final long ended = beginAt + client.skipToSlot() - passBegin;
            if (ended > batch)
            {
                // the pull ahead is for a batch that is over
                current.awaitWeights();
                isStarted = false;
                batch = (int)Math.min(last + 1L, ended);
                if (batch > last)
                {
                    break;
                }
            }
            final boolean isAhead = job.pullAhead() > 0 && batch < last;
            if (!isStarted || 0 == job.pullAhead())
            {
                start(current, batch, 0);
                isStarted = true;
            }
            current.awaitWeights();
            if (isAhead)
            {
                start(next, batch + 1, 1);
            }
            if (!finish(current, isAhead))
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

    private boolean finish(final PulledBatch batch, final boolean isAhead)
    {
        final long beganNs = System.nanoTime();
        final double loss = batch.computeGradient();
        computeLonger(beganNs);
        if (!awaitTurn())
        {
            return false;
        }
        if (isAhead && !isBound && !session.isSequential())
        {
            // with one worker the weights are the same in each run; under a bound they may wait for this push
            next.awaitWeights();
        }
        batch.push();
        client.clock();

        batches++;
        examplesDone += batch.length();
        recentLoss = 0 == ownExamples ? loss : recentLoss + RECENT_SHARE * (loss - recentLoss);
        ownExamples += batch.length();
        lossSum += loss * batch.length();
        if (warmUp.onBatch(System.nanoTime(), batches, ownExamples))
        {
            session.onWarmedUp();
        }
        reportIfDue();
        return true;
    }

    /** Serve the connection as long as the batch is to take. */
    private void computeLonger(final long beganNs)
    {
        final double factor = stragglers.factor(slot, batches);
        if (stepNs > 0 || factor > 1)
        {
            final long endNs = beganNs + (long)(factor * Math.max(stepNs, System.nanoTime() - beganNs));
            while (System.nanoTime() - endNs < 0 && !gate.isStopped())
            {
                session.idle();
            }
        }
    }

    private boolean awaitTurn()
    {
        boolean isPassed = gate.tryPass(batches, planned);
        while (!isPassed || System.nanoTime() - nextBatchNs < 0)
        {
            if (gate.isStopped() || gate.isFinished())
            {
                endHold();
                return false;
            }
            if (!isPassed && !isHeld)
            {
                isHeld = true;
                client.heldBack(true);
                printProgress();
            }

            session.idle();
            reportIfDue();
            isPassed = isPassed || gate.tryPass(batches, planned);
        }

        endHold();
        nextBatchNs = Math.max(nextBatchNs, System.nanoTime() - paceNs) + paceNs;
        return !gate.isStopped() && !gate.isFinished();
    }

    private void endHold()
    {
        if (isHeld)
        {
            isHeld = false;
            client.heldBack(false);
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
            .with("slot", slot)
            .with("batches", batches)
            .with("planned", planned)
            .with("examples", examplesDone)
            .with("loss", recentLoss)
            .with("held", isHeld);
        session.print(session.latencies(job.isClocked() ? session.staleness(line) : line));
    }
}
