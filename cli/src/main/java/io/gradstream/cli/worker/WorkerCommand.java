// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.CoordinatorOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.GivenOptions;
import io.gradstream.cli.options.IdleOptions;
import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.options.ModeOptions;
import io.gradstream.cli.options.ModelDescription;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.SlotRole;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.driver.client.HostClock;
import io.gradstream.launcher.process.ParentLink;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.training.Examples;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.SlotFencedException;
import io.gradstream.worker.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs one slot of a training job to its end. */
@Command(name = "worker", description = "Run one slot of a training job against running servers.")
public final class WorkerCommand implements Callable<Integer>
{
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    public JobOptions job;

    @Mixin
    private CoordinatorOptions coordinators;

    @Option(names = "--stop-on-eof", description = "Stop also when standard input ends.")
    private boolean isStoppedByEof;

    @Option(names = "--slot", paramLabel = "N",
        description = "Place in the job, 0 to workers - 1. Default: 0; with --units one that no worker holds, as the" +
            " coordinators say.")
    private Integer slot;

    @Option(names = "--work", paramLabel = "N", defaultValue = "1",
        description = "With --units: number of this training in its cluster, the same for all of its workers and more" +
            " than that of the training before. Default: ${DEFAULT-VALUE}.")
    private long workId;

    @Option(names = "--job", paramLabel = "NAME", defaultValue = ClusterMap.Job.DEFAULT_NAME,
        description = "Job of the cluster that is trained. Default: that with which the cluster began.")
    private String jobName;

    @Option(names = "--aeron-dir", paramLabel = "DIR", required = true,
        description = "Directory of this host's running media driver.")
    private Path aeronDir;

    @Option(names = "--ack", paramLabel = "applied|replicated|recorded|snapshotted",
        description = "When a push counts as done. Default: the mode's own.")
    private String ack;

    @Option(names = "--endpoint", paramLabel = "HOST:PORT",
        description = "Where answers come in; port 0 lets the system choose. Default: this machine's address towards" +
            " those who answer.")
    private String endpoint;

    @Option(names = "--backed-up",
        description = "Let a backup push the same beside this process; needs --staleness. The slot is so from its" +
            " first batch on.")
    private boolean isBackedUp;

    @Option(names = "--backup",
        description = "Push the same as the slot's process that was started with --backed-up; of each batch what" +
            " comes first counts.")
    private boolean isBackup;

    @Option(names = "--parts-per-clock", paramLabel = "N", defaultValue = "1",
        description = "With --backed-up and --backup, the same in both: most messages of a push to a partition." +
            " Default: ${DEFAULT-VALUE}.")
    private int partsPerClock;

    @Option(names = "--hold-batches", paramLabel = "N", defaultValue = "0", hidden = true,
        description = "Hold back the last N pushes until standard input says 'release'; 'step' lets one go.")
    private int holdBatches;

    @Option(names = "--status-lines", hidden = true,
        description = "Print lines for a parent process instead of sentences.")
    private boolean isForParent;

    @Option(names = "--again", hidden = true,
        description = "Take the place of a process that ended by itself: a slot that has finished stays finished.")
    private boolean isAgain;

    @Option(names = "--begin-at", paramLabel = "N", defaultValue = "0", hidden = true,
        description = "Leave out the batches of the first N pushes: runs before this one have trained on them.")
    private long beginAt;

    @Option(names = "--described-by", paramLabel = "FILE", hidden = true,
        description = "What the model is whose columns the data have: model.json of the run.")
    private Path describedBy;

    @Override
    public Integer call() throws IOException
    {
        job.validate(true);
        if (null != slot)
        {
            CommonOptions.checkRange("slot", slot, 0, (isAnySlot() ? Consistency.MAX_SLOTS : job.workers) - 1);
        }
        CommonOptions.checkRange("work", workId, 1, Long.MAX_VALUE);
        CommonOptions.checkRange("hold-batches", holdBatches, 0, Integer.MAX_VALUE);
        CommonOptions.checkRange("parts-per-clock", partsPerClock, 1, SlotRole.MAX_PARTS_PER_CLOCK);
        coordinators.check(endpoint);
        checkRole();
        refuseIdle();
        if (null == slot && 0 == job.units)
        {
            // its share of the data belongs to the slot
            slot = 0;
        }
        job.model.spec();
        describe();
        // before a slot is taken, which has to be served from then on
        final Examples examples = job.units > 0 ? job.allExamples() : job.shard(slot);
        try (ParentLink link = ParentLink.open(isStoppedByEof);
            WorkerSession session = new WorkerSession(output(), common.profile().newIdleStrategy()))
        {
            final BatchGate gate = new BatchGate(link, holdBatches);
            final FencedPauses pauses = new FencedPauses();
            while (true)
            {
                try
                {
                    return train(session, gate, examples);
                }
                catch (final SlotFencedException ex)
                {
                    if (null != slot)
                    {
                        throw ex;
                    }
                    final long pauseMs = pauses.next(HostClock.monotonicMs());
                    System.err.println("gradstream worker: " + ex.getMessage() + "; it asks for another slot in " +
                        pauseMs + " ms");
                    session.disconnect();
                    if (!await(gate, pauseMs))
                    {
                        return Failures.EXIT_FAILED;
                    }
                }
            }
        }
    }

    /** Returns false if told to stop, which need not wait. */
    private static boolean await(final BatchGate gate, final long pauseMs)
    {
        final long endMs = HostClock.monotonicMs() + pauseMs;
        while (HostClock.monotonicMs() < endMs && !gate.isStopped())
        {
            gate.poll();
            LockSupport.parkNanos(PARK_NS);
        }

        return !gate.isStopped();
    }

    private int train(final WorkerSession session, final BatchGate gate, final Examples examples) throws IOException
    {
        session.connect(context().initialClock(ClientContext.CLOCK_OF_SLOT), isBackedUp || isBackup);
        final int share = session.client().slot() % job.workers;
        UsageException.refuseIf(0 == examples.size(),
            "worker " + share + " of " + job.workers + " has no examples: use fewer workers");
        if (!isForParent)
        {
            session.requireStaleness(job.consistency());
        }
        if (Consistency.FINISHED == session.client().clocksDone() && !isAgain && !session.isNumbered() &&
            !job.consistency().isSequential())
        {
            UsageException.refuseIf(job.units > 0,
                "invalid --slot=" + slot + ": it has finished, and takes no more units; leave --slot out");
            // another run in a slot that was over: no slot waits for it any longer, and it trains once more
            session.connectForAnotherRun(context());
        }
        final StatusLine ready = session.begin(new StatusLine(StatusLine.READY)
            .with("slot", session.client().slot()).with("examples", examples.size()));
        final TrainingLoop loop = new TrainingLoop(
            session, job, null == slot ? share : slot, examples, gate, groups(examples.size()).batches(beginAt),
            source(session, share, examples.size()));
        session.print(ready);
        loop.begin();
        final boolean isFinished = loop.run();
        if (isFinished)
        {
            session.print(session.counts(loop.result()));
            session.requireTaken(isForParent);
        }
        if (job.units > 0 && !isForParent && isFinished && !loop.hasTrained())
        {
            System.err.println("gradstream worker: nothing was left to do of work " + workId +
                ": to train again in this cluster, give all workers a greater --work");
        }
        if (null != loop.diverged())
        {
            System.err.println("gradstream worker: training has diverged, " + loop.diverged() + ", " +
                job.adviceIfDiverged());
        }
        return isFinished && null == loop.diverged() ? 0 : Failures.EXIT_FAILED;
    }

    /** True if no data belong to a slot, and no slot waits for another: a worker may join beside the first ones. */
    private boolean isAnySlot()
    {
        return job.units > 0 && !job.consistency().isBounded();
    }

    private WorkSource source(final WorkerSession session, final int share, final int examples)
    {
        final GradstreamClient client = session.client();
        if (0 == job.units)
        {
            return new OwnShare(client, share, groups(examples), job.passes, beginAt,
                !job.consistency().isSequential() && !session.isNumbered() && session.isTakenOver());
        }
        final WorkSpec work = job.work(workId, examples);
        final Units units = Consistency.FINISHED == client.clocksDone() ? null : client.units(work);
        return new LeasedUnits(client, units, work, (work.batches() + job.workers - 1 - share) / job.workers,
            isAgain, 0 == holdBatches, null == slot && !job.consistency().isBounded())
            .bounded(job.consistency().isBounded());
    }

    private PushGroups groups(final int examples)
    {
        return new PushGroups((int)((examples + job.batch - 1L) / job.batch), job.batchesOfPush());
    }

    private WorkerOutput output()
    {
        return new WorkerOutput(System.out, isForParent, System::nanoTime);
    }

    private void describe() throws IOException
    {
        if (null != describedBy)
        {
            ModelDescription.parse(describedBy.toString(), Files.readString(describedBy)).describe(job.data.format);
        }
    }

    private void checkRole()
    {
        UsageException.refuseIf(isBackedUp && isBackup, "--backed-up and --backup: a process is one of the two");
        UsageException.refuseIf((isBackedUp || isBackup) && !job.isClocked(),
            (isBackup ? "--backup" : "--backed-up") +
                " needs --staleness: both processes of a slot count its batches");
        UsageException.refuseIf((isBackedUp || isBackup) && job.cacheBytes() > 0,
            (isBackup ? "--backup" : "--backed-up") +
                " contradicts --cache: both processes of a slot push, and each sees its own pushes only");
        UsageException.refuseIf((isBackedUp || isBackup) && job.hasOwnFilters(),
            (isBackup ? "--backup" : "--backed-up") + " contradicts --filter, but for skip: both processes of a slot" +
                " must push the same");
        UsageException.refuseIf((isBackedUp || isBackup) && (null == slot || job.units > 0),
            (isBackup ? "--backup" : "--backed-up") +
                (null == slot ? " needs --slot: both processes have the same" : " contradicts --units"));
    }

    private void refuseIdle()
    {
        final IdleOptions given = new IdleOptions(GivenOptions.named(spec.commandLine().getParseResult()));
        given.check(job);
        given.refuse(0 == job.units, "without --units: it is for workers that divide the data as they go", "--work");
        given.refuse(!isBackedUp && !isBackup, "without --backed-up or --backup: it is for slots with two processes",
            "--parts-per-clock");
    }

    private ClientContext context()
    {
        final ClientContext context = new ClientContext()
            .aeronDirectoryName(aeronDir.toString())
            .responseEndpoint(endpoint)
            .mtu(common.mtu())
            .job(jobName)
            .coordinators(coordinators.endpoints())
            .coordinatorResponseEndpoint(
                null == endpoint ? null : endpoint.substring(0, endpoint.lastIndexOf(':')) + ":0")
            .backedUp(isBackedUp)
            .backup(isBackup)
            .partsPerClock(partsPerClock)
            .ackLevel(null == ack ? null : ModeOptions.ackLevel(ack));
        return null == slot ? context.anySlot() : context.slot(slot);
    }
}
