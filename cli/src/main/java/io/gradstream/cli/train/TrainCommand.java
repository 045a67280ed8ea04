/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli.train;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.options.ModeOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.worker.session.AckLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Trains on a local cluster of real processes, which it starts and stops.
 */
@Command(name = "train", description = "Start a local cluster, train on it, and say what was learned and lost.")
public final class TrainCommand implements Callable<Integer>
{
    static final int MAX_SERVERS = 16;

    @Mixin
    CommonOptions common;

    @Mixin
    JobOptions job;

    @Mixin
    KillOptions kills;

    @Option(names = "--servers", paramLabel = "N", defaultValue = "2",
        description = "Number of servers. Default: ${DEFAULT-VALUE}.")
    int servers;

    @Option(names = "--coordinators", paramLabel = "1|3", defaultValue = "1",
        description = "Number of coordinators; of three any one may die. Default: ${DEFAULT-VALUE}.")
    int coordinators;

    @Option(names = "--test", paramLabel = "FILE",
        description = "Test data in LIBSVM format; with --data only. Default: a part of --data is held out.")
    Path test;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "replay",
        description = "How the job survives: checkpoint, replay, chain, stateless or chain+stateless. Default:" +
            " ${DEFAULT-VALUE}.")
    String mode;

    @Option(names = "--standbys", paramLabel = "0|1|2",
        description = "Standbys of each partition, on other servers. Default: 1 with chain, else 0.")
    Integer standbys;

    @Option(names = "--ack", paramLabel = "applied|replicated|recorded|snapshotted",
        description = "When a push counts as done. Default: what the mode is for.")
    String ack;

    @Option(names = "--timing", paramLabel = "quiet|shared", defaultValue = ServerPlan.SHARED,
        description = "How soon a silent server is suspected: quiet for idle machines, shared for others. Default:" +
            " ${DEFAULT-VALUE}.")
    String timing;

    @Option(names = "--dir", paramLabel = "DIR",
        description = "Keep logs, snapshots and errors here, in a new or empty directory. Default: nothing is kept.")
    Path dir;

    @Option(names = "--json", description = "Print the summary as one JSON object, the last line of standard output.")
    boolean isJson;

    @Option(names = "--driver", paramLabel = "internal|external", defaultValue = "internal",
        description = "Servers' media drivers: in the server's process, or in one of their own that survives a kill." +
            " Default: ${DEFAULT-VALUE}.")
    String driver;

    @Option(names = "--keep-log", paramLabel = "all|needed", defaultValue = "needed",
        description = "Keep the whole recorded log, or what recovery needs. Default: ${DEFAULT-VALUE}.")
    String keepLog;

    @Option(names = "--coordinator-sync",
        description = "Coordinators force each decision to disk before it counts, so that it survives a loss of power.")
    boolean isCoordinatorSynced;

    @Override
    public Integer call() throws Exception
    {
        validate();
        final TrainingData data = TrainingData.load(job, test);
        data.notes().forEach((note) -> System.err.println("gradstream train: " + note));
        final TrainSummary summary = new TrainRun(this, data).run();
        if (isJson)
        {
            System.err.print(summary.text());
            System.out.println(summary.json());
        }
        else
        {
            System.out.print(summary.text());
        }

        final boolean isLostAsPromised = 0 == summary.audit.lost() || ModeOptions.mode(mode).acceptsLoss();
        return isLostAsPromised && 0 == summary.audit.doubled() && 0 == summary.audit.altered() &&
            0 == summary.pushesRefused ? 0 : Failures.EXIT_FAILED;
    }

    /**
     * Check all options before anything starts.
     *
     * @throws UsageException naming the option, its value and what is allowed.
     */
    void validate()
    {
        common.profile();
        common.mtu();
        job.validate();
        CommonOptions.checkRange("servers", servers, 1, MAX_SERVERS);
        CommonOptions.checkWord("coordinators", String.valueOf(coordinators), "1", "3");
        kills.validate();
        if (job.partitions < servers)
        {
            throw new UsageException("invalid --partitions=" + job.partitions +
                ": must be at least the number of servers, " + servers);
        }
        validateMode();
        CommonOptions.checkWord("driver", driver, "internal", "external");
        CommonOptions.checkWord("keep-log", keepLog, "all", "needed");
        if (job.isGenerated() && null != test)
        {
            throw new UsageException("--test without --data: generated data bring their own test set");
        }
        if (null != test)
        {
            JobOptions.checkFile("test", test);
        }
    }

    /**
     * How many standbys each partition has.
     */
    int standbyCount()
    {
        return null == standbys ? (ModeOptions.mode(mode).isReplicated() ? 1 : 0) : standbys;
    }

    private void validateMode()
    {
        final RecoveryMode recoveryMode = ModeOptions.mode(mode);
        CommonOptions.checkWord("timing", timing, ServerPlan.QUIET, ServerPlan.SHARED);
        CommonOptions.checkRange("standbys", standbyCount(), 0, ModeOptions.MAX_STANDBYS);
        final AckLevel ackLevel = ModeOptions.ackLevel(recoveryMode, ack);
        if (standbyCount() > 0 && !recoveryMode.isReplicated())
        {
            throw new UsageException("--standbys " + standbys + " contradicts --mode " + mode +
                ": use --mode chain or chain+stateless, or --standbys 0");
        }
        if (0 == standbyCount() && recoveryMode.isReplicated() && AckLevel.REPLICATED == ackLevel)
        {
            throw new UsageException(
                "--standbys 0 contradicts --ack replicated: there is no other copy; use recorded, or --standbys 1");
        }
        if (standbyCount() >= servers)
        {
            throw new UsageException("invalid --servers=" + servers + ": must be at least " + (standbyCount() + 1) +
                ", for a standby is on another server than its primary");
        }
    }
}
