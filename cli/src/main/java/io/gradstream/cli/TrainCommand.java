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
package io.gradstream.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Trains on a local cluster of real processes, which it starts and stops.
 */
@Command(name = "train", description = "Start a local cluster, train on it, and say what was learned and lost.")
final class TrainCommand implements Callable<Integer>
{
    static final int MAX_SERVERS = 16;
    static final int MAX_KILLS = 100;

    @Mixin
    CommonOptions common;

    @Mixin
    JobOptions job;

    @Option(names = "--servers", paramLabel = "N", defaultValue = "2",
        description = "Number of servers. Default: ${DEFAULT-VALUE}.")
    int servers;

    @Option(names = "--test", paramLabel = "FILE", description = "Test data in LIBSVM format; with --data only.")
    Path test;

    @Option(names = "--mode", paramLabel = "replay", defaultValue = "replay",
        description = "How servers recover. Default: ${DEFAULT-VALUE}.")
    String mode;

    @Option(names = "--dir", paramLabel = "DIR",
        description = "Keep logs, snapshots and errors here, in a new or empty directory. Default: nothing is kept.")
    Path dir;

    @Option(names = "--json", description = "Print the summary as one JSON object, the last line of standard output.")
    boolean isJson;

    @Option(names = "--kill-server", paramLabel = "WHEN", split = ",", converter = When.Converter.class,
        description = "Kill a server with SIGKILL and start it again: 3s, 500ms after training began, or at 40%% of" +
            " the batches. Repeatable; servers take turns.")
    List<When> kills = List.of();

    @Option(names = "--driver", paramLabel = "internal|external", defaultValue = "internal",
        description = "Servers' media drivers: in the server's process, or in one of their own that survives a kill." +
            " Default: ${DEFAULT-VALUE}.")
    String driver;

    @Option(names = "--keep-log", paramLabel = "all|needed", defaultValue = "needed",
        description = "Keep the whole recorded log, or what recovery needs. Default: ${DEFAULT-VALUE}.")
    String keepLog;

    @Override
    public Integer call() throws Exception
    {
        validate();
        final TrainingData data = TrainingData.load(job, test);
        final Summary summary = new TrainRun(this, data).run();
        if (isJson)
        {
            System.err.print(summary.text());
            System.out.println(summary.json());
        }
        else
        {
            System.out.print(summary.text());
        }

        return 0 == summary.audit.lost() && 0 == summary.audit.doubled() ? 0 : Gradstream.EXIT_FAILED;
    }

    /**
     * Check all options before anything starts.
     *
     * @throws UsageException naming the option, its value and what is allowed.
     */
    void validate()
    {
        common.profile();
        job.validate();
        CommonOptions.checkRange("servers", servers, 1, MAX_SERVERS);
        CommonOptions.checkRange("number of --kill-server", kills.size(), 0, MAX_KILLS);
        if (job.partitions < servers)
        {
            throw new UsageException("invalid --partitions=" + job.partitions +
                ": must be at least the number of servers, " + servers);
        }
        checkWord("mode", mode, "replay");
        checkWord("driver", driver, "internal", "external");
        checkWord("keep-log", keepLog, "all", "needed");
        if (job.isGenerated() && null != test)
        {
            throw new UsageException("--test without --data: generated data bring their own test set");
        }
        if (!job.isGenerated() && null == test)
        {
            throw new UsageException("--data without --test: name a test file, so that the result can be judged");
        }
        if (null != test)
        {
            JobOptions.checkFile("test", test);
        }
    }

    static void checkWord(final String option, final String value, final String... allowed)
    {
        if (!List.of(allowed).contains(value))
        {
            throw new UsageException("invalid --" + option + "=" + value + ": must be " + String.join(" or ", allowed));
        }
    }
}
