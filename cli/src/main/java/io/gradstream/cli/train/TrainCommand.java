// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import io.gradstream.cli.console.RunUi;
import io.gradstream.cli.console.ViewOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DataFiles;
import io.gradstream.cli.options.DataOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.GivenOptions;
import io.gradstream.cli.options.IdleOptions;
import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.options.ModeOptions;
import io.gradstream.cli.options.ModelDescription;
import io.gradstream.cli.train.progress.ProgressLog;
import io.gradstream.cli.usage.RenamedOptions;
import io.gradstream.cli.options.ServerOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.launcher.WorkerPlan;
import io.gradstream.launcher.kills.FaultPlan;
import io.gradstream.console.ProgressListener;
import io.gradstream.worker.ClientContext;
import io.gradstream.model.ModelFile;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Trains on a local cluster of real processes, which it starts and stops. */
@Command(name = "train", description = "Start a local cluster, train on it, and say what was learned and lost.")
@OptionGroup(Heading.CLUSTER)
public final class TrainCommand implements Callable<Integer>
{
    static final int MAX_SERVERS = 16;
    static final int MAX_RESTARTS = 100;
    /** Number of the only work of the cluster that is started, as workers have it by default. */
    static final long WORK = 1;
    static final String RESUMED_AT = "--resumed-at";
    static final String TRAINED_ON = "--trained-on";

    @Spec
    private CommandSpec spec;

    @Mixin
    CommonOptions common;

    @Mixin
    JobOptions job;

    @Mixin
    ModeOptions modes;

    @Mixin
    ServerOptions server;

    @Mixin
    KillOptions kills;

    @Mixin
    ViewOptions viewOptions;

    @Option(names = "--servers", paramLabel = "N", defaultValue = "2",
        description = "Number of servers. Default: ${DEFAULT-VALUE}.")
    int servers;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "4",
        description = "Number of partitions over all servers. Default: ${DEFAULT-VALUE}.")
    int partitions;

    @Advanced
    @Option(names = "--coordinators", paramLabel = "1|3", defaultValue = "1",
        description = "Number of coordinators; of three any one may die. Default: ${DEFAULT-VALUE}.")
    int coordinators;

    @OptionGroup(Heading.DATA)
    @Option(names = "--test", paramLabel = "FILE",
        description = "Test data in the same format; with --data only. Default: a part of --data is held out.")
    Path test;

    @Advanced
    @OptionGroup(Heading.DATA)
    @Option(names = "--test-labels", paramLabel = "FILE", description = "Of idx: the labels of --test.")
    List<Path> testLabels = List.of();

    @Option(names = "--worker-heap", paramLabel = "SIZE", defaultValue = "256m",
        description = "Heap of each worker, as java -Xmx takes it: all of the data must fit. Default:" +
            " ${DEFAULT-VALUE}.")
    String workerHeap;

    @Mixin
    EvaluationOptions evaluation;

    @Option(names = "--ack", paramLabel = "applied|replicated|recorded|snapshotted",
        description = "When a push counts as done. Default: what the mode is for.")
    String ack;

    @OptionGroup(Heading.RESULTS)
    @Option(names = "--dir", paramLabel = "DIR",
        description = "Keep logs, snapshots and errors here, in a new or empty directory. Default: nothing is kept.")
    Path dir;

    @Advanced
    @Option(names = "--restarts", paramLabel = "N", defaultValue = "3",
        description = "How often within 10 minutes to start each process of the run again that ended by itself: a" +
            " worker where its slot stands, a server with what it has kept. Default: ${DEFAULT-VALUE}.")
    int restarts;

    @OptionGroup(Heading.RESULTS)
    @Option(names = "--from", paramLabel = "FILE",
        description = "Begin with this model, values and state, instead of with initial values.")
    Path from;

    @OptionGroup(Heading.RESULTS)
    @Option(names = "--resume", paramLabel = "DIR",
        description = "Go on where a run with --dir DIR was ended, with its options and the batches" +
            " that were left; options given beside stand above its own, but which batches there are cannot be" +
            " changed. DIR is only read: to be able to resume again, name another --dir. To the bit with" +
            " --staleness 0; above 0 what workers had pushed ahead of the slowest one is pushed twice.")
    Path resume;

    @Option(names = RESUMED_AT, paramLabel = "N", defaultValue = "0", hidden = true,
        description = "Pushes of each worker in runs before.")
    private long resumedAt;

    @Option(names = TRAINED_ON, paramLabel = "CONTENT", hidden = true,
        description = "What the data were that the run before has trained on: examples/bytes:crc32c of each file.")
    private String trainedOn;

    @Advanced
    @OptionGroup(Heading.RESULTS)
    @Option(names = "--accept-changed-data",
        description = "With --resume: go on although the files of --data are others than that run had read.")
    private boolean isChangedDataAccepted;

    @OptionGroup(Heading.RESULTS)
    @Option(names = "--log", paramLabel = "DIR",
        description = "Write how training goes on to a new or empty directory, as JSON lines and CSV: loss, metrics," +
            " examples/s, latencies, staleness, kills and outages. Default: none.")
    Path log;

    @OptionGroup(Heading.RESULTS)
    @Option(names = "--json", description = "Print the summary as one JSON object, the last line of standard output.")
    boolean isJson;

    @Advanced
    @Option(names = "--coordinator-sync",
        description = "Coordinators force each decision to disk before it counts, so that it survives a loss of power.")
    boolean isCoordinatorSynced;

    /** Names of the options of the command line. */
    private Set<String> given = Set.of();
    /** View of the run, while it lasts. */
    RunUi view;
    /** Description of the model, in the model's file. */
    ModelDescription description;
    /** File of the description, once there is a directory for it. */
    private Path describedBy;
    /** Content of the data, if it is compared now or may be later; else null. */
    private DataContent content;
    /** How the data differ from those of the run that is resumed; null if they do not. */
    private String difference;

    @Override
    public Integer call() throws Exception
    {
        given = GivenOptions.named(spec.commandLine().getParseResult());
        if (null != resume)
        {
            takeOptionsOf(resume);
        }
        else if (null != from)
        {
            takeOptionsOfModel();
        }
        validate();
        refuseIdle(new IdleOptions(given));
        final TrainingData data = TrainingData.load(job, test, testLabels);
        // before anything is started
        evaluation.judge(job.model.spec());
        evaluation.checkDefined(job.model.spec(), data.test());
        compareData(data);
        description = ModelDescription.of(spec, job, data.statistics());
        data.notes().forEach((note) -> System.err.println("gradstream train: " + note));
        try (RunUi opened = viewOptions.open(
            "Training on " + (job.data.isGenerated() ? "a generated click log" : data.name())))
        {
            view = opened;
            final TrainSummary summary = run(data);
            print(summary);
            opened.end();

            final boolean isLostAsPromised = 0 == summary.audit.lost() || modes.mode().acceptsLoss();
            return isLostAsPromised && null == summary.saveProblem && 0 == summary.audit.doubled() &&
                0 == summary.audit.altered() && 0 == summary.pushesRefused && summary.isFinite() ?
                0 : Failures.EXIT_FAILED;
        }
    }

    private void print(final TrainSummary summary)
    {
        if (isJson)
        {
            System.err.print(summary.text());
            System.out.println(summary.json());
        }
        else
        {
            System.out.print(summary.text());
        }
    }

    private TrainSummary run(final TrainingData data) throws IOException
    {
        final List<ProgressListener> listeners = new ArrayList<>(view.listeners());
        // options that cannot be planned are refused before anything is written
        plan(StartingPoint.none(), data.features());
        try (RunDirectory directory = RunDirectory.create(dir))
        {
            // before the log is begun: a run that cannot begin leaves no log
            final StartingPoint start = startingPoint(directory);
            describedBy = directory.path().resolve(ModelDescription.FILE);
            Files.writeString(describedBy, description.json());
            try (ProgressLog progress = null == log ? null : ProgressLog.in(log))
            {
                if (null != progress)
                {
                    listeners.add(progress);
                }
                return new TrainRun(this, data, directory, start, listeners).run();
            }
        }
    }

    /** Read the options of the earlier run, except those that the user gave again. */
    private void takeOptionsOf(final Path directory) throws IOException
    {
        final ParseResult given = spec.commandLine().getParseResult();
        final List<String> own = given.originalArgs();
        final List<String> all = RenamedOptions.apply(StoredArguments.read(directory), spec);
        StoredArguments.checkSameBatches(directory, all, given);
        all.removeIf((line) -> given.hasMatchedOption(GivenOptions.nameOf(line)));
        all.addAll(own.subList(own.indexOf(spec.name()) + 1, own.size()));
        spec.commandLine().parseArgs(all.toArray(String[]::new));
        final ModelDescription before = ModelDescription.ofRun(directory);
        if (null != before)
        {
            before.describe(job.data.format);
        }
    }

    /** Take the options from the model, so that the user need not repeat what its features are. */
    private void takeOptionsOfModel() throws IOException
    {
        DataOptions.checkFile("from", from);
        final String source = "--from " + from;
        final ModelDescription model;
        final TableSpec table;
        try (ModelFile file = ModelFile.open(from))
        {
            model = ModelDescription.parse(source, file.metadata());
            table = StartingPoint.trained(source, file);
        }
        if (null == model)
        {
            ModelDescription.takeTable(source, spec.commandLine(), table);
            System.err.println("gradstream train: " + source + " does not say what its features are: they are taken" +
                " to be those of these data, with these options");
            return;
        }
        UsageException.refuseIf(model.format().isEmpty() != job.data.isGenerated(),
            source + (job.data.isGenerated() ?
                " without --data: it was trained on files, and generated clicks have other features" :
                ": it was trained on generated clicks, whose features files do not have"));
        model.takeAll(source, spec.commandLine(), table);
        model.describe(job.data.format);
    }

    /** Compare the data with those of the run that is resumed, as the remaining batches follow from the data. */
    private void compareData(final TrainingData data) throws IOException
    {
        if (job.data.isGenerated() || null == dir && null == resume)
        {
            return;
        }
        final List<Path> files = job.data.allFiles();
        content = DataContent.of(data.read(), files);
        if (null == resume)
        {
            return;
        }
        if (null == trainedOn)
        {
            System.err.println("gradstream train: --resume " + resume + ": that run was begun by a version that kept" +
                " nothing of what its data were, so nobody knows if these are the same");
            return;
        }
        difference = content.difference(DataContent.parse(trainedOn), files);
    }

    private void checkSameData()
    {
        UsageException.refuseIf(null != difference && !isChangedDataAccepted,
            "--resume " + resume + ": " + difference + ", and which batches are left follows" +
                " from it: put the data back, or go on with these by --accept-changed-data");
        if (null != difference)
        {
            System.err.println("gradstream train: --resume " + resume + ": " + difference + ": accepted");
        }
    }

    /**
     * The point at which training begins.
     *
     * @param run directory of this run, in which its options are kept for a run that resumes it.
     */
    private StartingPoint startingPoint(final RunDirectory run) throws IOException
    {
        final TableSpec weights = job.table();
        final StartingPoint start = null != resume ?
            StartingPoint.resume(resume, run.path(), weights, resumedAt, given, this::checkSameData) :
            null != from ? StartingPoint.from(from, weights, given) : StartingPoint.none();
        if (run.isKept())
        {
            StoredArguments.write(run.path(), spec.commandLine().getParseResult(), start.pushes(), content);
        }

        return start;
    }

    /** Check all options before anything starts. */
    void validate()
    {
        common.profile();
        common.mtu();
        job.validate(false);
        CommonOptions.checkRange("servers", servers, 1, MAX_SERVERS);
        CommonOptions.checkRange("restarts", restarts, 0, MAX_RESTARTS);
        CommonOptions.checkWord("coordinators", String.valueOf(coordinators), "1", "3");
        CommonOptions.checkRange("servers and --add-server together", allServers(), 1, MAX_SERVERS);
        CommonOptions.checkRange("workers and --add-worker together", allWorkers(), 1, JobOptions.MAX_WORKERS);
        kills.validate(allServers(), allWorkers());
        kills.validateAddedWorkers(job);
        viewOptions.validate();
        CommonOptions.checkRange("partitions", partitions, 1, JobSpec.MAX_PARTITIONS);
        UsageException.refuseIf(partitions < allServers(),
            "invalid --partitions=" + partitions +
                ": must be at least the number of servers, " + allServers());
        validateMode();
        driver();
        server.isWholeLogKept();
        DataFiles.checkReadAgain("data", job.data.files);
        job.data.format.limitFeatures(JobSpec.MAX_ROWS - 1);
        UsageException.refuseIf(job.data.isGenerated() && null != test,
            "--test without --data: generated data bring their own test set");
        evaluation.validate();
        UsageException.refuseIf(null != from && null != resume,
            "--from and --resume: training begins with one of the two");
        UsageException.refuseIf(job.units > 0 && null != resume,
            "--units with --resume: the directory of a run does not say which units are done; use --from MODEL");
        UsageException.refuseIf(isChangedDataAccepted && null == resume,
            "--accept-changed-data without --resume: there is no run that had other data");
        validateWorkerHeap();
        UsageException.refuseIf(null == test && !testLabels.isEmpty(), "--test-labels without --test");
        if (null != log)
        {
            ProgressLog.check(log);
            if (null != dir && log.toAbsolutePath().normalize().equals(dir.toAbsolutePath().normalize()))
            {
                throw new UsageException("--log and --dir are both " + dir + ": name two directories");
            }
        }
        if (null != test)
        {
            DataFiles.check("test", List.of(test));
            job.data.format.checkLabelFiles("test-labels", List.of(test), testLabels);
        }
    }

    private void refuseIdle(final IdleOptions given)
    {
        given.check(job);
        given.refuse(kills.orders.isEmpty() && !kills.hasChaos(), "without --kill: nothing is killed",
            "--restart-after");
        given.refuse(!modes.mode().keepsLog(), "with --mode " + modes.mode().label() + ": its servers keep no log",
            "--log-retention");
    }

    /** Check the heap. A JVM takes as much direct memory, in which a worker keeps its pushes to each partition. */
    private void validateWorkerHeap()
    {
        if (!workerHeap.matches("[1-9][0-9]{0,6}[kmgKMG]"))
        {
            throw new UsageException("invalid --worker-heap=" + workerHeap + ": must be a size: 512m or 2g");
        }
        final int unit = workerHeap.length() - 1;
        final int shift = 10 * (1 + "kmg".indexOf(Character.toLowerCase(workerHeap.charAt(unit))));
        final long bytes = Long.parseLong(workerHeap.substring(0, unit)) << shift;
        final long least = ClientContext.leastDirectMemory(partitions);
        UsageException.refuseIf(bytes < least,
            "invalid --worker-heap=" + workerHeap + ": must be at least " +
                ((least - 1 >> 20) + 1) + "m with --partitions " + partitions);
    }

    /** The cluster that is started, with the arguments of its workers. */
    ClusterPlan plan(final StartingPoint start, final int features) throws IOException
    {
        final List<String> arguments = new ArrayList<>(job.arguments());
        arguments.add("--begin-at=" + start.pushes());
        if (null != describedBy)
        {
            arguments.add("--described-by=" + describedBy);
        }
        final WorkerPlan workerPlan = new WorkerPlan(job.workers, arguments,
            ModeOptions.name(ModeOptions.ackLevel(modes.mode(), ack)),
            kills.heldBatches(), workerHeap);
        final ServerPlan serverPlan = new ServerPlan(
            common.profile, driver(), server.isWholeLogKept() ? "all" : ServerPlan.RECOVERY,
            modes.mode().label(), modes.replicas(), server.timing.name());
        final ClusterPlan local = ClusterPlan.local(allServers(), coordinators, partitions,
            features, serverPlan, workerPlan).spares(kills.addedServers()).mtu(common.mtu())
            .coordinatorSync(isCoordinatorSynced)
            .restarts(restarts)
            .consistency(job.consistency());
        if (kills.areCoordinatorsKilled())
        {
            local.withOwnProcesses();
        }

        return local;
    }

    /** Number of servers that run at one time or another. */
    int allServers()
    {
        return servers + kills.addedServers();
    }

    /** Number of workers that run at one time or another. */
    int allWorkers()
    {
        return job.workers + kills.addedWorkers();
    }

    /** The kills and the changes of servers and workers, and the faults that are drawn. */
    FaultPlan faults()
    {
        return kills.plan(job.seed, modes.mode().keepsLog(), modes.replicas());
    }

    /** The process that runs the servers' media driver. */
    ServerDriver driver()
    {
        return server.driver(ServerDriver.INTERNAL);
    }

    private void validateMode()
    {
        final RecoveryMode recoveryMode = modes.mode();
        server.timing.name();
        final int replicas = modes.replicas();
        final AckLevel ackLevel = ModeOptions.ackLevel(recoveryMode, ack);
        UsageException.refuseIf(1 == replicas && recoveryMode.isReplicated() && AckLevel.REPLICATED == ackLevel,
            "--replicas 1 contradicts --ack replicated: there is no other copy; use recorded, or --replicas 2");
        UsageException.refuseIf(0 == job.consistency().staleness() && recoveryMode.isStateless(),
            "--staleness 0 contradicts --mode " + recoveryMode.label() +
                ": there workers go on without servers; use at least 1, or unbounded");
        UsageException.refuseIf(replicas > servers,
            "invalid --servers=" + servers + ": must be at least " + replicas +
                ", because each replica of a partition is on another server");
        kills.validateResizes(recoveryMode, servers, replicas);
    }
}
