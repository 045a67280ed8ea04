// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.status.ServerDrains;
import io.gradstream.cli.train.progress.ExamplesRate;
import io.gradstream.cli.train.progress.Goodput;
import io.gradstream.cli.train.progress.MovePauses;
import io.gradstream.cli.train.progress.ProgressBar;
import io.gradstream.cli.train.progress.RemainingTime;
import io.gradstream.cli.worker.BatchGate;
import io.gradstream.cli.worker.TrainingLoop;
import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.client.HostClock;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RestartListener;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.kills.Chaos;
import io.gradstream.launcher.kills.Kills;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.training.DivergedException;
import io.gradstream.worker.filter.FilterCounts;
import io.gradstream.console.ProgressEvent.Kind;
import io.gradstream.console.ProgressListener;

/**
 * Runs a training from the first process to the last: starts the cluster, follows the workers, kills servers as asked,
 * looks at the result and cleans up, also when the user interrupts the run.
 */
final class TrainRun
{
    /** Number of held batches in excess of kills: an attempt that does not count uses one up. */
    static final int SPARE_HELD_BATCHES = 2;
    private static final long HALT_PARK_NS = 1_000_000_000L;

    private final TrainCommand options;
    private final TrainingData data;
    private final WorkersProgress workers;
    private final List<SlotLives> lives;
    private final Salvage salvage;
    private final ProgressReporter reporter;
    @SuppressWarnings("SystemConsoleNull") // config/jvm.options chooses the console that is null without a terminal
    private final ProgressBar bar = new ProgressBar(System.err, null != System.console());
    private final TableSpec table;
    private final RunDirectory directory;
    private final StartingPoint start;
    private Evaluator evaluator;
    private Evaluations evaluations;
    private LocalCluster cluster;
    private Kills kills;
    private ServerDrains drains;
    private ClusterPlan plan;
    /** By slot the held batches that it is still to do, since servers were killed while some worker was held. */
    private final int[] owedSteps;
    private boolean isFinishSent;
    private boolean isWorkLeft = true;
    private boolean isDiverged;
    private volatile long beganMs;
    private final ExamplesRate rate = new ExamplesRate(ProgressBar.LINE_INTERVAL_MS / 2);
    private final Goodput goodput = new Goodput();
    private final MovePauses pauses = new MovePauses();

    /**
     * A run that has not begun.
     *
     * @param listeners take the progress of the run, on the thread that runs it.
     */
    TrainRun(
        final TrainCommand options,
        final TrainingData data,
        final RunDirectory directory,
        final StartingPoint start,
        final List<ProgressListener> listeners)
    {
        this.directory = directory;
        this.start = start;
        this.options = options;
        this.data = data;
        table = options.job.table();
        workers = new WorkersProgress(options.job.workers);
        owedSteps = new int[options.allWorkers()];
        lives = Stream.generate(SlotLives::new).limit(options.job.workers)
            .collect(Collectors.toCollection(ArrayList::new));
        salvage = new Salvage(
            options.evaluation.out, options.description.json(), directory, System.err::println);
        reporter = new ProgressReporter(listeners, workers, options.partitions, System::currentTimeMillis);
    }

    /**
     * Run to the end.
     *
     * @return summary of the run.
     * @throws IOException if a process cannot be started or a file written.
     */
    TrainSummary run() throws IOException
    {
        plan = options.plan(start, data.features());
        cluster = new LocalCluster(plan, directory);
        cluster.listen(new Restarts());
        drains = new ServerDrains(new ClusterAccess(plan.coordinators(), Path.of(cluster.workersAeronDirectory()),
            null, DriverProfile.DEV, 0));
        kills = new Kills(cluster, options.faults(), options.allServers(), options.partitions, drains,
            new KillReports());
        final Thread onInterrupt = new Thread(this::interrupt, "interrupt");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try
        {
            final TrainSummary summary = runCluster();
            summary.keptDirectory = directory.isKept() ? directory.path().toString() : null;
            options.view.unwatch();
            drains.close();
            cluster.close();
            summary.keptServers = null == summary.saveProblem ? List.of() : keepServers();
            return summary;
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            awaitHaltIfAborted();
            options.view.unwatch();
            drains.close();
            bar.end();
            salvage();
            cluster.abort();
            keepLogs();
            throw ex;
        }
        finally
        {
            bar.end();
            removeHook(onInterrupt);
        }
    }

    /** Keep the model so far, although the run does not come to its end. */
    private void salvage()
    {
        if (beganMs > 0)
        {
            noteSaved();
            salvage.fromServers(() -> observer(Salvage.ANSWER_TIMEOUT_NS));
            cluster.close();
            salvage.fromDirectories();
            salvage.report();
        }
    }

    private void noteSaved()
    {
        if (null != evaluator && evaluator.isSaved())
        {
            salvage.onSaved();
        }
    }

    /** Keep the servers' directories, which still hold a model that could not be saved. */
    private List<String> keepServers()
    {
        return IntStream.range(0, options.allServers()).mapToObj((node) -> directory.keep(StartingPoint.SERVER + node))
            .filter(Objects::nonNull).map(Path::toString).toList();
    }

    private void keepLogs()
    {
        final Path logs = directory.keep(LocalCluster.LOGS);
        if (null != logs)
        {
            System.err.println("gradstream train: the logs of this run are kept in " + logs);
        }
    }

    private TrainSummary runCluster() throws IOException
    {
        bar.say("starting " + options.servers + " servers and " + workers.count() + " workers ...");
        cluster.startHosts();
        start.load(cluster.workersAeronDirectory(), plan.coordinators());
        options.view.watch(cluster, plan.coordinators(), options.allServers());
        cluster.startWorkers();
        try (Evaluator ofThisRun = new Evaluator(options.evaluation, options.job.model.spec(), table, data.test(),
            true, options.description.json(),
            () -> observer(WorkerSession.OPERATION_TIMEOUT_NS));
            Evaluations inThread =
                new Evaluations(ofThisRun::evaluate, options.evaluation.batches, this::onEvaluated, bar::say))
        {
            evaluator = ofThisRun;
            evaluations = inThread;
            return followToTheEnd();
        }
    }

    private TrainSummary followToTheEnd() throws IOException
    {
        follow();
        final long endedMs = HostClock.monotonicMs();
        final double seconds = (endedMs - beganMs) / 1000.0;
        evaluations.finish(workers.batches());
        reporter.onEnded(endedMs);
        showProgress(endedMs);
        bar.end();

        return summary(seconds);
    }

    private void follow() throws IOException
    {
        while (!workers.areDone() || kills.isUnderWay())
        {
            cluster.poll(this::onWorkerLine);
            final long nowMs = HostClock.monotonicMs();
            reporter.onCluster(cluster.heads(), cluster.elections());
            kills.poll(nowMs, workers.shareDone(), workers.areHeld() || workers.areDone(), areWorkersBegun());
            if (beganMs > 0)
            {
                goodput.onProgress(
                    nowMs, workers.examples(), kills.isDisturbed(), !workers.isAnyHeld() && !workers.isAnyDone());
            }
            reporter.poll(nowMs);
            if (beganMs > 0 && evaluations.poll(workers.batches(), workers.planned()))
            {
                stopEarly();
            }
            if (bar.isDue(nowMs) && beganMs > 0)
            {
                showProgress(nowMs);
            }
            cluster.idle();
        }
    }

    private void onWorkerLine(final int slot, final StatusLine line)
    {
        if (line.is(StatusLine.OUTAGE))
        {
            final int partition = (int)line.number("partition");
            final long ackMs = line.number("ackMs");
            final int outstanding = (int)line.number("outstanding");
            if (outstanding > 0)
            {
                pauses.onServiceBack(partition, line.number("epoch"), ackMs - line.number("lostMs"));
            }
            kills.onServiceBack(slot, partition, outstanding, ackMs);
            return;
        }

        if (line.is(StatusLine.READY))
        {
            lives.get(slot).onBegin(line);
            kills.onWorkerBegun(slot);
        }
        workers.onLine(slot, line);
        stepIfHeld(slot);
        if (!isDiverged && line.has(TrainingLoop.DIVERGED))
        {
            isDiverged = true;
            bar.say("training has diverged: it ends");
            finish();
        }
        if (0 == beganMs && workers.haveBegun())
        {
            beganMs = HostClock.monotonicMs();
            reporter.onBegan(beganMs);
            rate.onBegan(beganMs);
            kills.onTrainingBegan(beganMs);
        }
    }

    private boolean areWorkersBegun()
    {
        return IntStream.range(0, workers.count())
            .allMatch((slot) -> lives.get(slot).hasBegun() || null != workers.of(slot).result);
    }

    /** Let a held worker do a batch that it owes: each does as many as the others, so that none waits for another. */
    private void stepIfHeld(final int slot)
    {
        if (workers.of(slot).isHeld && owedSteps[slot] > 0)
        {
            owedSteps[slot]--;
            workers.of(slot).isHeld = false;
            cluster.send(slot, BatchGate.STEP);
        }
    }

    private void onEvaluated(final Evaluator.Outcome outcome)
    {
        reporter.onMetrics(outcome.batches(), outcome.values(), outcome.isBest());
        bar.say("after " + outcome.batches() + " batches: " + TrainSummary.metrics(outcome.values()) +
            (outcome.isBest() ? ", the best so far" : ""));
    }

    private void stopEarly()
    {
        final String text = "not better by enough; best " + evaluator.judgedBy() + " " +
            TrainSummary.number(evaluator.best()) + " after " + evaluator.bestBatches() + " batches";
        bar.say("training stops early: " + text);
        reporter.onEvent(Kind.STOPPED_EARLY, text);
        finish();
    }

    /** No more batches are wanted: neither of these workers, nor of those that are started again or were to join. */
    private void finish()
    {
        isFinishSent = true;
        kills.onFinish();
        sendToAll(BatchGate.FINISH);
    }

    private void sendToAll(final String command)
    {
        for (int slot = 0; slot < workers.count(); slot++)
        {
            cluster.send(slot, command);
        }
    }

    private TrainSummary summary(final double seconds)
    {
        final TrainSummary summary = new TrainSummary();
        summary.describe(data);
        summary.passes = options.job.passes;
        summary.workers = options.job.workers;
        summary.workersAdded = workers.count() - options.job.workers;
        summary.addedWorkerBatches = workers.batchesOfAdded();
        summary.servers = options.servers;
        summary.coordinators = options.coordinators;
        summary.slotsReplaced = lives.stream().mapToInt(SlotLives::restarts).sum();
        summary.elections = cluster.elections();
        summary.electionGapMs = kills.electionGapsMs();
        summary.partitions = options.partitions;
        summary.placesMoved = cluster.view().placesMoved();
        summary.placesTotal = options.partitions * options.modes.replicas();
        summary.partitionsMoved = cluster.view().partitionsMoved();
        summary.partitionsTotal = options.partitions;
        summary.movePauseMs = pauses.of(cluster.view().leadMoves());
        summary.goodputShare = goodput.share();
        summary.faults = Chaos.names(kills.drawn());
        summary.mode = options.modes.mode().label();
        summary.profile = options.common.profile;
        summary.driver = options.driver().label();
        summary.advice = options.job.adviceIfDiverged();
        summary.outages = kills.outages();
        summary.failovers = cluster.view().failovers();
        summary.spuriousFailovers = cluster.view().spuriousFailovers();
        summary.degradedMs = cluster.view().degradedMs();

        final List<WorkerResult> results = workers.results();
        summary.speed = Speed.of(results, seconds);
        summary.pushesRefused = results.stream().mapToLong(WorkerResult::refused).sum();
        summary.maxUnackedBytes = results.stream().mapToLong(WorkerResult::spoolPeakBytes).sum();
        summary.keyBytesSaved = results.stream().mapToLong(WorkerResult::keyBytesSaved).sum();
        summary.batchesOfPush = options.job.batchesOfPush();
        if (options.job.isClocked())
        {
            summary.staleness = Staleness.of(
                options.job.consistency().label(), options.job.cacheBytes() > 0, results);
        }
        if (!options.job.filters().isEmpty())
        {
            summary.filters = options.job.filters();
            summary.filtered = results.stream().map(WorkerResult::filtered)
                .reduce(FilterCounts.NONE, FilterCounts::plus);
            summary.rowsHeldLost = workers.rowsHeldLost();
        }
        if (options.job.units > 0)
        {
            summary.units = options.job.units;
            summary.work = WorkCounts.of(options.job.work(TrainCommand.WORK, data.examples()),
                WorkCounts.ask(cluster.workersAeronDirectory(), plan.coordinators()), workers.batches());
        }
        addOutages(summary, results);
        addEvaluations(summary);
        observe(summary, results);

        return summary;
    }

    private void observe(final TrainSummary summary, final List<WorkerResult> results)
    {
        try (AuditClient observer = observer(WorkerSession.OPERATION_TIMEOUT_NS))
        {
            summary.nonFiniteRows = observer.rowsNotFinite(table);
            measure(summary, observer);
            summary.parametersSha256 = observer.fingerprint(table, data.features());
            summary.audit = observer.audit(results, lives);
            summary.audit.differences().forEach(bar::say);
            summary.pushesLeftOut = options.job.consistency().isSequential() ? 0 :
                lives.stream().mapToLong(SlotLives::leftOut).sum();
            summary.epochs = observer.epochs();
            summary.logBytesPerPush = (double)observer.logBytes() / summary.audit.applied();
        }
    }

    private AuditClient observer(final long timeoutNs)
    {
        return new AuditClient(cluster.workersAeronDirectory(), plan.coordinators(), timeoutNs);
    }

    private void measure(final TrainSummary summary, final AuditClient observer)
    {
        summary.divergence = workers.results().stream().map(WorkerResult::diverged).filter(Objects::nonNull)
            .findFirst().orElse(null);
        try
        {
            summary.metrics = evaluator.measure(observer.rows(table));
            summary.undefined = evaluator.undefined();
        }
        catch (final DivergedException ex)
        {
            summary.divergence = null == summary.divergence ? ex.getMessage() : summary.divergence;
        }
    }

    private void addEvaluations(final TrainSummary summary)
    {
        summary.model = options.job.model.kind().label();
        summary.function = table.function();
        summary.evaluations = evaluations.count();
        summary.stoppedEarly = evaluations.isStopped();
        if (evaluations.count() > 0)
        {
            summary.bestMetric = evaluator.judgedBy();
            summary.bestValue = evaluator.best();
            summary.bestBatches = evaluator.bestBatches();
        }
        if (null == options.evaluation.out)
        {
            return;
        }
        try
        {
            if (!evaluator.isSaved())
            {
                evaluator.saveLast();
            }
            summary.saved = options.evaluation.out.toString();
        }
        catch (final IOException | RuntimeException ex)
        {
            summary.saveProblem = options.evaluation.out + ": " + Failures.oneLine(ex);
        }
    }

    private void addOutages(final TrainSummary summary, final List<WorkerResult> results)
    {
        if (isWorkLeft)
        {
            summary.workerUtilization = WorkerResult.busyRatio(results);
        }
        else
        {
            bar.say("workers had done all their batches before service was back, so that the share of the outages" +
                " in which they could go on says nothing: use more --passes or a lower --pace");
        }
    }

    private void showProgress(final long nowMs)
    {
        final StringBuilder nodes = new StringBuilder();
        cluster.nodes().forEach((node) ->
            nodes.append(' ').append(node).append(':').append(cluster.nodeState(node)));
        bar.show(nowMs, workers.shareDone(), "loss " + TrainSummary.number(workers.loss()) + "  " +
            TrainSummary.decimal(rate.of(workers.examples(), nowMs), 0) + " examples/s  " +
            RemainingTime.text(nowMs - beganMs, workers.shareDone()) + "  servers" + nodes +
            (cluster.view().failovers() > 0 ? "  failovers " + cluster.view().failovers() : ""));
    }

    private void interrupt()
    {
        if (null != options.evaluation.out && beganMs > 0)
        {
            noteSaved();
            cluster.abortInOrder();
            salvage.fromDirectories();
            salvage.report();
        }
        else
        {
            cluster.abort();
        }
        directory.close();
    }

    /** Tells the user what was started again, and repeats to a restarted worker the commands that its slot was sent. */
    private final class Restarts implements RestartListener
    {
        @Override
        public void onRestart(final String text)
        {
            bar.say(text);
            reporter.onEvent(Kind.RESTART, text);
        }

        @Override
        public void onWorkerRestarted(final int slot)
        {
            lives.get(slot).onRestart();
            workers.of(slot).onRestart();
            if (kills.isReleased() && options.kills.heldBatches() > 0)
            {
                cluster.send(slot, BatchGate.RELEASE);
            }
            if (isFinishSent)
            {
                cluster.send(slot, BatchGate.FINISH);
            }
        }
    }

    /** Reports kills, and lets held workers go on. */
    private final class KillReports implements Kills.Listener
    {
        @Override
        public void onKill(final String text)
        {
            sayDrawn(text);
            reporter.onEvent(Kind.KILL, text);
        }

        /** Say what nobody has asked for by name. */
        private void sayDrawn(final String text)
        {
            if (options.kills.hasChaos())
            {
                bar.say(text);
            }
        }

        @Override
        public void onMove(final String text)
        {
            bar.say(text);
            reporter.onEvent(Kind.MOVE, text);
        }

        @Override
        public void onWorkerAdded(final int slot)
        {
            workers.add();
            lives.add(new SlotLives());
        }

        @Override
        public void onServersKilled()
        {
            final int owed = workers.isAnyHeld() ? 1 : 0;
            for (int slot = 0; slot < workers.count(); slot++)
            {
                owedSteps[slot] += owed;
                stepIfHeld(slot);
            }
        }

        @Override
        public void onRestart(final String text)
        {
            sayDrawn(text);
            reporter.onEvent(Kind.RESTART, text);
        }

        @Override
        public void onServiceBack(final String text)
        {
            reporter.onEvent(Kind.SERVICE_BACK, text);
        }

        @Override
        public void onOutageOver(final boolean isCounted)
        {
            isWorkLeft &= !isCounted || !workers.isAnyHeld();
            if (!isCounted)
            {
                bar.say(kills.retry());
            }
        }

        @Override
        public void onReleased()
        {
            sendToAll(BatchGate.RELEASE);
        }
    }

    /** Wait if the user has ended the run and the JVM is about to halt: a failure of this thread is then no news. */
    private void awaitHaltIfAborted()
    {
        while (cluster.isAborted())
        {
            LockSupport.parkNanos(HALT_PARK_NS);
        }
    }

    private static void removeHook(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ignore)
        {
            // it runs already
        }
    }
}
