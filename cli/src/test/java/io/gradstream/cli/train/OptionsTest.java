// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.PropertyDefaults;
import io.gradstream.cli.options.CoordinatorOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.GivenOptions;
import io.gradstream.cli.options.IdleOptions;
import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.options.ModeOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.cli.worker.WorkerCommand;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.launcher.WorkerPlan;
import io.gradstream.launcher.kills.FaultPlan;
import io.gradstream.launcher.kills.KillOrder;
import io.gradstream.launcher.kills.KillTime;
import io.gradstream.launcher.kills.ResizeOrder;
import io.gradstream.worker.session.AckLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OptionsTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldTakeAFlagWithoutValueInAFileOrSystemPropertyAsOn() throws IOException
    {
        final Path config = dir.resolve("job.properties");
        Files.writeString(config, "gradstream.json\n");

        assertThat(parse(new Properties(), "train", "--config", config.toString()).isJson).isTrue();

        final Properties system = new Properties();
        system.setProperty("gradstream.json", "");
        assertThat(parse(system, "train").isJson).isTrue();
        Files.writeString(config, "gradstream.json=false\n");
        assertThat(parse(system, "train", "--config", config.toString()).isJson).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"train --epochs 3,--passes", "train --lr=0.1,--function", "train --replication-factor 2,--replicas",
        "model export --output m,--out", "worker --rank 0,--slot", "coordinator --coordinators a:1,--members"})
    void shouldKnowWhatOtherToolsCallAnOption(final String line, final String meant)
    {
        assertThat(errorOf(line.split(" "))).contains(" is " + meant + " here");
    }

    @Test
    void shouldPreferFlagToFileToSystemPropertyToDefault() throws IOException
    {
        final Path config = dir.resolve("job.properties");
        Files.writeString(config, "gradstream.batch=11\ngradstream.passes=12\n");
        final Properties system = new Properties();
        system.setProperty("gradstream.batch", "21");
        system.setProperty("gradstream.passes", "22");
        system.setProperty("gradstream.seed", "23");

        final TrainCommand train = parse(system, "train", "--config", config.toString(), "--batch", "1");

        assertThat(train.job.batch).isEqualTo(1);
        assertThat(train.job.passes).isEqualTo(12);
        assertThat(train.job.seed).isEqualTo(23);
        assertThat(train.servers).isEqualTo(2);
    }

    @Test
    void shouldTakeListsFromPropertiesToo()
    {
        final Properties system = new Properties();
        system.setProperty("gradstream.kill", "server@40%,all@3s");
        system.setProperty("gradstream.json", "true");

        final TrainCommand train = parse(system, "train");

        assertThat(train.kills.orders).containsExactly(
            KillOrder.parse("server@40%"), KillOrder.parse("all@3s"));
        assertThat(train.isJson).isTrue();
    }

    @Test
    void shouldTakeARepeatedKill()
    {
        final TrainCommand train = parse(new Properties(), "train", "--kill", "server@1s", "--kill=server@40%");

        assertThat(train.kills.orders).hasSize(2);
    }

    @Test
    void shouldRefuseUnknownPropertiesOfAFile() throws IOException
    {
        final Path config = dir.resolve("job.properties");
        Files.writeString(config, "gradstream.bach=11\n");

        assertThatThrownBy(() -> parse(new Properties(), "train", "--config=" + config))
            .isInstanceOf(UsageException.class)
            .hasMessageContaining("unknown property 'gradstream.bach'");
    }

    @Test
    void shouldNameTheFileOfAValueThatCannotBeUsed() throws IOException
    {
        final Path config = dir.resolve("job.properties");
        Files.writeString(config, "gradstream.passes=many\n");

        assertThat(errorOf("train", "--config", config.toString()))
            .contains(config + ", property gradstream.passes: Invalid value for option '--passes'");

        Files.writeString(config, "gradstream.passes=0\ngradstream.batch=0\n");

        assertThat(errorOf("train", "--config", config.toString()))
            .contains(config + ", property gradstream.passes: invalid --passes=0: must be 1..10000");
        assertThat(errorOf("train", "--config", config.toString(), "--passes=1"))
            .contains(config + ", property gradstream.batch: invalid --batch=0");
        Files.writeString(config, "gradstream.slots=-1\ngradstream.members=127.0.0.1:1\ngradstream.dir=target/none\n");
        assertThat(errorOf("coordinator", "--config", config.toString()))
            .contains(config + ", property gradstream.slots: invalid --slots=-1: must be 0..1024");
        Files.writeString(config, "gradstream.passes=0\n");
        assertThat(errorOf("train", "--config", config.toString(), "--passes=-1"))
            .isEqualTo("gradstream train: invalid --passes=-1: must be 1..10000\n");
    }

    @Test
    void shouldSuggestWhatWasMeant()
    {
        assertThat(errorOf("trian")).contains("'trian': did you mean train?");
        assertThat(errorOf("train", "--pases=3")).contains("did you mean", "--passes");
    }

    @ParameterizedTest
    @CsvSource({"help,Commands:", "help train,--early-stopping"})
    void shouldHelp(final String line, final String expected)
    {
        final StringWriter out = new StringWriter();

        assertThat(Gradstream.execute(Gradstream.commandLine().setOut(new PrintWriter(out)), line.split(" "))).isZero();
        assertThat(out.toString()).contains(expected);
    }

    @Test
    void shouldNameTheCommandsThatAreForUsers()
    {
        assertThat(errorOf()).contains("name a command: ", "train", "perf").doesNotContain("class-data");
        assertThat(errorOf("perf", "load")).contains("./gradstream perf load");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        --servers=0               | invalid --servers=0: must be 1..16
        --workers=65              | invalid --workers=65: must be 1..64
        --partitions=1            | invalid --partitions=1: must be at least the number of servers, 2
        --passes=0                | invalid --passes=0: must be 1..10000
        --batch=0                 | invalid --batch=0: must be 1..1000000
        --mtu=1500                | invalid --mtu=1500: must be a multiple of 32 from 1024 to 65504
        --pace=-1                 | invalid --pace=-1: must be 0..1000000
        --pace=NaN                | invalid --pace=NaN: must be 0..1000000
        --clip=-1                 | invalid --clip=-1: must be 0..1000000
        --alpha=0                 | invalid --alpha=0.0: must be above 0
        --function=adam           | invalid --function=adam: unknown update function 'adam': must be add/1
        --function=adam/1         | invalid function='adam/1': needs rate=number
        --function=ftrl --model=fm| --function ftrl with a model of factors
        --model=tree              | invalid --model=tree: must be logistic, linear, softmax, fm or mf
        --model=mf                | --model mf without --data
        --classes=10              | --classes with --model logistic: it is for softmax
        --model=softmax --classes=1| invalid --classes=1: must be 2..8192
        --model=fm --loss=hinge   | invalid --loss=hinge: must be logistic or squared
        --model=fm --factors=0    | invalid --factors=0: must be 1..8191
        --factors=4               | --factors with --model logistic: it is for fm and mf
        --model=softmax --decay=0.1| --decay with --model softmax: it is for fm and mf
        --initial-deviation=0.1   | --initial-deviation with --model logistic
        --function=mine/1         | The servers of train have no --plugins
        --bind=0.0.0.0            | --bind without --ui
        --log=target/no --dir=./target/no| --log and --dir are both ./target/no
        --format=json             | invalid --format=json: must be libsvm, csv, tsv, criteo or idx
        --format=csv              | --format csv without --label
        --label=1                 | --label with --format libsvm: it is for csv or tsv
        --format=csv --label=y --hash-bits=99| --format csv: invalid --hash-bits=99
        --labels=pom.xml          | --labels with --format libsvm: it is for idx
        --format=idx --data=pom.xml| --format idx with 1 files of images and 0 of labels
        --evaluate=-1             | invalid --evaluate=-1: must be 0..
        --early-stopping=3        | --early-stopping without --evaluate
        --evaluate=9 --early-stopping=x| invalid --early-stopping=x: must be a number of evaluations
        --evaluate=9 --early-stopping=0| invalid --early-stopping patience=0
        --evaluate=9 --metric=rmse| invalid --metric=rmse: must be logloss or accuracy or auc for this model
        --out=pom.xml             | --out pom.xml is there already
        --out=/no/such/model      | there is no directory /no/such
        --log=pom.xml             | --log pom.xml: is no directory
        --worker-heap=much        | invalid --worker-heap=much: must be a size
        --partitions=1025         | invalid --partitions=1025: must be 1..1024
        --partitions=1024 --worker-heap=32m| invalid --worker-heap=32m: must be at least 33m with --partitions 1024
        --mode=raid               | invalid --mode=raid: must be checkpoint, replay, chain, stateless, chain+stateless
        --replicas=4              | invalid --replicas=4: must be 1..3
        --mode=chain --replicas=3 | invalid --servers=2: must be at least 3
        --coordinators=2          | invalid --coordinators=2: must be 1 or 3
        --replicas=2              | --replicas 2 contradicts --mode replay
        --ack=soon                | invalid --ack=soon: must be applied, replicated, recorded or snapshotted
        --mode=chain --replicas=1 | --replicas 1 contradicts --ack replicated
        --mode=chain --servers=1  | invalid --servers=1: must be at least 2
        --mode=stateless --ack=recorded| --ack recorded contradicts --mode stateless
        --mode=chain+stateless --ack=applied| --ack applied contradicts --mode chain+stateless
        --mode=checkpoint --ack=recorded| --ack recorded contradicts --mode checkpoint
        --failure-detection=slow  | invalid --failure-detection=slow: must be fast or default
        --restart-after=40%       | '40%' must be a duration
        --kill=primary@soon       | 'soon' must be a time after training began
        --profile=fast            | invalid --profile=fast: must be one of dev, latency
        --driver=none             | invalid --driver=none: must be internal or external
        --log-retention=some      | invalid --log-retention=some: must be all or recovery
        --examples=0              | invalid --examples=0: must be 1..
        --data=/no/such/file      | --data /no/such/file: no such file, or not readable
        --test=/no/such/file      | --test without --data
        --batch=many              | Invalid value for option '--batch'
        --kill=server@soon        | 'soon' must be a time after training began
        --kill=40%                | '40%' must be server, server:N, primary, all, coordinator, worker or worker:N
        --kill=primary:1@3s       | 'primary:1@3s' must be server
        --kill=server:2@3s        | --kill server:2: servers are 0 to 1
        --kill=worker:2@3s        | --kill worker:2: workers are 0 to 1
        --kill=all:1@3s           | must be server, server:N
        --add-server=soon         | 'soon' must be a time after training began
        --drain-server=x@5s       | 'x@5s' must be a time, or a server's number
        --drain-server=5s --servers=1| invalid number of --drain-server=1: of 1 servers at least 1 must be left
        --drain-server=5s --mode=chain| of 2 servers at least 2 must be left
        --add-server=5s --mode=checkpoint| --add-server with --mode checkpoint: it keeps no log
        --drain-server=5s --mode=stateless| --drain-server with --mode stateless: it keeps no log
        --drain-server=2@5s       | --drain-server 2: servers are 0 to 1
        --add-server=5s,6s --servers=15 --partitions=32| invalid --servers and --add-server together=17: must be 1..16
        --add-server=1s,2s,3s     | invalid --partitions=4: must be at least the number of servers, 5
        --add-worker=soon --units=16| 'soon' must be a time after training began
        --add-worker=5s           | --add-worker without --units: each worker has its own share
        --add-worker=5s --units=16 --staleness=4| --add-worker with --staleness 4: the others would wait
        --add-worker=5s,6s --units=16 --workers=63| invalid --workers and --add-worker together=65: must be 1..64
        --add-worker=5s --units=16 --kill=worker:3@6s| --kill worker:3: workers are 0 to 2
        --chaos=0                 | invalid --chaos=0ms: must be at least 1s
        --chaos=40%               | '40%' must be a duration
        --chaos=5s --kill=server@5s| --chaos and --kill
        --no-such-option          | Unknown option: '--no-such-option'
        --config=/no/such/file    | /no/such/file: no such file
        """)
    void shouldSayInOneLineWhatIsWrong(final String arguments, final String expected)
    {
        assertThat(errorOf(("train " + arguments).split(" "))).contains(expected);
    }

    @Test
    void shouldRefuseAddressesBeyondThisMachineUnlessPlaintextIsAccepted()
    {
        final String coordinator = "--coordinator=192.0.2.1:7001,192.0.2.2:7001,192.0.2.3:7001";
        final CoordinatorOptions refused = new CoordinatorOptions();
        new CommandLine(refused).parseArgs(coordinator);
        assertThatThrownBy(refused::endpoints).isInstanceOf(UsageException.class)
            .hasMessageContaining("--accept-plaintext");
        final CoordinatorOptions accepted = new CoordinatorOptions();
        new CommandLine(accepted).parseArgs(coordinator, "--accept-plaintext");
        assertThat(accepted.endpoints()).hasSize(3);
    }

    @Test
    void shouldPassEachJobOptionToWorkers()
    {
        final TrainCommand train = parse(new Properties(), "train", "--function=sgd", "--rate=0.25", "--pace=12.5",
            "--pull-ahead=0", "--seed=-7", "--l2=1e-7", "--model=fm", "--factors=4", "--loss=squared", "--decay=0.01",
            "--format=csv", "--label=y", "--number-columns=a,b", "--exclude-columns=c", "--hash-bits=12",
            "--separator=;", "--no-header", "--no-intercept", "--log-scale", "--label-values=no,yes", "--decimal=,",
            "--data=pom.xml", "--staleness=3", "--cache=64m", "--push-values=bfloat16", "--filter=significant:0.1",
            "--filter=skip:0.25");
        final ClusterPlan plan = plan(new WorkerPlan(2, train.job.arguments(), "snapshotted", 3));

        final CommandLine worker = parsed(plan.worker(1, Path.of("/a")));

        assertThat(worker.<WorkerCommand>getCommand().job.arguments()).isEqualTo(train.job.arguments())
            .contains("--label-values=no,yes", "--decimal=,", "--cache=67108864", "--push-values=bfloat16",
                "--filter=significant:0.1:8,skip:0.25");
    }

    @Test
    void shouldForgetNoJobOption()
    {
        final CommandLine options = new CommandLine(new JobOptions());
        final Set<String> passed = new TreeSet<>();
        for (final String given : List.of(
            "--data=pom.xml --format=csv --no-header --no-intercept --log-scale --label=a --label-values=no,yes" +
                " --number-columns=b --exclude-columns=c --separator=; --decimal=, --hash-bits=12 --staleness=3" +
                " --cache=64m --filter=skip:0.5 --stragglers=2:0.5 --model=fm --factors=4 --decay=0.01 --loss=squared",
            "--data=pom.xml --key-cache",
            "--data=pom.xml --format=idx --labels=pom.xml --model=softmax --classes=3 --units=16",
            "--data=pom.xml --model=mf --factors=4 --mean=3.5",
            "--local-steps=4 --local-rate=0.1 --function=sgd --rate=1"))
        {
            options.parseArgs(given.split(" "));
            options.<JobOptions>getCommand().arguments()
                .forEach((argument) -> passed.add(argument.substring(0, (argument + "=").indexOf('='))));
        }
        final Set<String> forgotten = new TreeSet<>();
        options.getCommandSpec().options().forEach((option) -> forgotten.add(option.longestName()));
        forgotten.removeAll(passed);

        // they are parts of --function
        assertThat(forgotten).containsExactly("--alpha", "--beta", "--l1", "--l2", "--rate");
    }

    @Test
    void shouldPassAnEmptyColumnNameToWorkers()
    {
        final TrainCommand train = parse(
            new Properties(), "train", "--data=pom.xml", "--format=csv", "--label=", "--number-columns=");
        final ClusterPlan plan = plan(new WorkerPlan(1, train.job.arguments(), "snapshotted", 0));

        final CommandLine worker = parsed(plan.worker(0, Path.of("/a")));

        assertThat(worker.<WorkerCommand>getCommand().job.arguments()).isEqualTo(train.job.arguments())
            .contains("--label=", "--number-columns=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--function=sgd --rate=0.25 --data=pom.xml", "--l1=0.1 --examples=10", "--data=pom.xml",
        "--model=fm", "--data=pom.xml --format=csv --label=y --function=sgd"})
    void shouldPassNoOptionThatAWorkerWouldRefuse(final String options)
    {
        final TrainCommand train = parse(new Properties(), ("train " + options).split(" "));
        final CommandLine worker = parsed(plan(new WorkerPlan(2, train.job.arguments(), "snapshotted", 0))
            .worker(1, Path.of("/a")));

        assertThatCode(() -> new IdleOptions(GivenOptions.named(worker.getParseResult()))
            .check(worker.<WorkerCommand>getCommand().job)).doesNotThrowAnyException();
    }

    @Test
    void shouldLetPropertiesBeThatAreForOtherCommands()
    {
        final Properties system = new Properties();
        system.setProperty("gradstream.examples", "10");
        system.setProperty("gradstream.alpha", "3");
        final CommandLine commandLine = Gradstream.commandLine();
        final String[] args = {"train", "--data=pom.xml", "--function=sgd"};
        commandLine.setDefaultValueProvider(PropertyDefaults.of(args, commandLine, system, (text) ->
        {
        }));
        final CommandLine train = commandLine.parseArgs(args).subcommand().commandSpec().commandLine();

        assertThat(train.<TrainCommand>getCommand().job.data.examples).isEqualTo(10);
        assertThatCode(() -> new IdleOptions(GivenOptions.named(train.getParseResult()))
            .check(train.<TrainCommand>getCommand().job)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "train --units 16 --staleness 0,--units contradicts --staleness 0",
        "train --units -1,invalid --units=-1",
        "train --units 16 --push-every 2,--push-every 2 contradicts --units",
        "train --push-every 0,invalid --push-every=0",
        "train --push-values half,invalid --push-values=half: must be float32",
        "train --pull-values half,invalid --pull-values=half: must be float32",
        "train --units 16 --local-steps 4 --local-rate 0.1 --function sgd,--local-steps 4 contradicts --units",
        "train --local-steps 4 --push-every 2,--local-steps contradicts --push-every",
        "train --local-steps 4,--local-steps needs --local-rate",
        "train --local-steps 4 --local-rate 0,invalid --local-rate=0.0",
        "train --local-steps 4 --local-rate 0.1,--local-steps needs --function",
        "train --local-rate 0.1,--local-rate without --local-steps",
        "train --workers 2 --stragglers 4:1@2,workers are 0 to 1",
        "train --cache 64m,--cache needs --staleness N",
        "train --cache 64m --staleness 0,--cache needs --staleness N",
        "train --cache 64m --staleness unbounded,--cache needs --staleness N",
        "train --cache 5 --staleness 2,invalid --cache=5: must be 0",
        "train --key-cache --push-every 2,--key-cache contradicts --cache",
        "train --key-cache --cache 64m --staleness 2,--key-cache contradicts --cache",
        "train --key-cache --filter skip:0.5,--key-cache contradicts --cache",
        "worker --coordinator 127.0.0.1:1 --aeron-dir /a --slot 0 --staleness 1 --cache 1m --backup,contradicts",
        "worker --coordinator 127.0.0.1:1 --aeron-dir /a --slot 0 --staleness 1 --filter kkt:1 --backup,must push",
        "train --filter significant,'--filter' ",
        "train --filter skip:1,invalid probability=1.0: must be 0.0..0.99",
        "train --filter skip:0.5 --filter skip:0.25,there are two of one kind",
        "train --filter significant:0.1 --staleness 0,--filter significant:0.1:8 contradicts --staleness 0",
        "train --filter kkt:1 --l1 0,--filter kkt:1.0 needs the function ftrl/1 with an l1 above 0",
        "train --filter kkt:1 --model fm,--filter kkt:1.0 needs the function ftrl/1",
        "train --filter skip:0.5 --function assign/1,'and the function assign/1 takes values'",
        "train --filter kkt:1 --pull-values float16,--filter kkt:1.0 contradicts --pull-values float16",
        "train --filter kkt:1 --local-steps 4 --local-rate 0.1 --function ftrl,contradicts --local-steps",
        "train --filter significant:1 --local-steps 4 --local-rate 0.1 --function sgd,contradicts --local-steps: they",
        "train --units 16 --resume /nowhere,no train.args is there",
        "worker --coordinator 127.0.0.1:1 --aeron-dir /a --work 2,--work without --units",
        "worker --coordinator 127.0.0.1:1 --aeron-dir /a --units 8 --work 0,invalid --work=0",
        "worker --coordinator 127.0.0.1:1 --aeron-dir /a --staleness 1 --backup,--backup needs --slot",
        "worker --coordinator 127.0.0.1:1 --aeron-dir /a --slot 0 --units 8 --staleness 1 --backup,contradicts"})
    void shouldRefuseWhatUnitsAndSlotsDoNotGoWith(final String line, final String problem)
    {
        assertThat(errorOf(line.split(" "))).contains(problem);
    }

    @Test
    void shouldRefuseToResumeWithUnits()
    {
        final TrainCommand train = parse(new Properties(), "train", "--units=16", "--resume=" + dir);

        assertThatThrownBy(train::validate).isInstanceOf(UsageException.class)
            .hasMessageContaining("--units with --resume").hasMessageContaining("use --from MODEL");
    }

    @Test
    void shouldTellWorkersOfTheirUnits()
    {
        assertThat(parse(new Properties(), "train", "--units=16").job.arguments()).contains("--units=16");
        assertThat(parse(new Properties(), "train").job.arguments()).noneMatch((line) -> line.startsWith("--units"));
    }

    @Test
    void shouldLeaveFunctionsOfUsersToServers()
    {
        final CommandLine worker = parsed(List.of("worker", "--coordinator=127.0.0.1:1", "--slot=0", "--aeron-dir=/a",
            "--function=mine/1 depth=3"));

        assertThatCode(() -> worker.<WorkerCommand>getCommand().job.validate(true)).doesNotThrowAnyException();
        assertThat(worker.<WorkerCommand>getCommand().job.table().function()).isEqualTo("mine/1 depth=3");
    }

    @Test
    void shouldUnderstandEachCommandThatTheLauncherStarts()
    {
        final ClusterPlan plan = plan(new WorkerPlan(2, List.of(), "recorded", 0));
        final Path dir = Path.of("/a");

        assertThat(List.of(plan.workersDriver(dir), plan.serversDriver(dir, dir), plan.coordinator(0, dir, dir),
            plan.server(0, dir, dir), plan.worker(1, dir)))
            .allSatisfy((arguments) -> assertThat(parsed(arguments).getCommandName()).isEqualTo(arguments.get(0)));
        assertThat(ClusterPlan.MAIN_CLASS).isEqualTo(Gradstream.class.getName());
    }

    private static ClusterPlan plan(final WorkerPlan workers)
    {
        return new ClusterPlan(List.of("127.0.0.1:1"), List.of("127.0.0.1:11"), 4, 9,
            ServerPlan.chain("dev", ServerPlan.FAST), workers);
    }

    private static CommandLine parsed(final List<String> arguments)
    {
        return Gradstream.commandLine().parseArgs(arguments.toArray(new String[0])).subcommand().commandSpec()
            .commandLine();
    }

    @Test
    void shouldChooseReplicasByMode()
    {
        assertThat(parse(new Properties(), "train").modes.replicas()).isEqualTo(1);
        assertThat(parse(new Properties(), "train", "--mode=chain").modes.replicas()).isEqualTo(2);
        assertThat(parse(new Properties(), "train", "--mode=chain+stateless").modes.replicas()).isEqualTo(2);
        assertThat(parse(new Properties(), "train", "--mode=chain", "--replicas=1").modes.replicas()).isEqualTo(1);
    }

    @Test
    void shouldChooseTheAcknowledgementByMode()
    {
        assertThat(ModeOptions.ackLevel(RecoveryMode.CHECKPOINT, null)).isEqualTo(AckLevel.APPLIED);
        assertThat(ModeOptions.ackLevel(RecoveryMode.REPLAY, null)).isEqualTo(AckLevel.RECORDED);
        assertThat(ModeOptions.ackLevel(RecoveryMode.CHAIN, null)).isEqualTo(AckLevel.REPLICATED);
        assertThat(ModeOptions.ackLevel(RecoveryMode.CHAIN, "recorded")).isEqualTo(AckLevel.RECORDED);
        assertThat(ModeOptions.ackLevel(RecoveryMode.STATELESS, "snapshotted")).isEqualTo(AckLevel.SNAPSHOTTED);
        assertThat(ModeOptions.ackLevel(RecoveryMode.CHAIN_STATELESS, null)).isEqualTo(AckLevel.SNAPSHOTTED);
    }

    @Test
    void shouldTakeKillsOfEachKind()
    {
        final TrainCommand train = parse(new Properties(), "train", "--kill=primary@20%", "--kill", "primary@60%",
            "--kill=all@3s", "--kill=coordinator@40%,server:1@4s", "--restart-after=1500ms",
            "--kill=worker@50%,worker:1@5s");

        assertThat(train.kills.orders).containsExactly(
            new KillOrder(KillOrder.Target.PRIMARY, KillOrder.NEXT, KillTime.parse("20%")),
            new KillOrder(KillOrder.Target.PRIMARY, KillOrder.NEXT, KillTime.parse("60%")),
            new KillOrder(KillOrder.Target.ALL, KillOrder.NEXT, KillTime.parse("3s")),
            new KillOrder(KillOrder.Target.COORDINATOR, KillOrder.NEXT, KillTime.parse("40%")),
            new KillOrder(KillOrder.Target.SERVER, 1, KillTime.parse("4s")),
            new KillOrder(KillOrder.Target.WORKER, KillOrder.NEXT, KillTime.parse("50%")),
            new KillOrder(KillOrder.Target.WORKER, 1, KillTime.parse("5s")));
        assertThat(train.kills.restartAfterMs).isEqualTo(1500);
    }

    @Test
    void shouldTakeServersThatComeAndGo()
    {
        final TrainCommand train = parse(new Properties(), "train", "--add-server=5s", "--add-server=40%",
            "--drain-server=60%,1@9s", "--mode=chain");
        train.validate();

        final FaultPlan faults = train.faults();
        assertThat(faults.resizes()).containsExactly(ResizeOrder.parseAdd("5s"), ResizeOrder.parseAdd("40%"),
            ResizeOrder.parseDrain("60%"), ResizeOrder.parseDrain("1@9s"));
        assertThat(faults.copies()).isEqualTo(2);
        assertThat(faults.chaos()).isNull();
        assertThat(train.allServers()).isEqualTo(4);
        assertThat(train.kills.heldBatches()).isEqualTo(1);
    }

    @Test
    void shouldTakeWorkersThatJoin()
    {
        final TrainCommand train = parse(new Properties(), "train", "--units=16", "--add-worker=5s",
            "--add-worker=40%", "--mode=checkpoint", "--staleness=unbounded", "--kill=worker:3@9s");
        train.validate();

        assertThat(train.faults().resizes())
            .containsExactly(ResizeOrder.parseAddWorker("5s"), ResizeOrder.parseAddWorker("40%"));
        assertThat(train.allWorkers()).isEqualTo(4);
        assertThat(train.job.arguments()).contains("--workers=2");
        assertThat(parse(new Properties(), "train", "--add-worker=5s").kills.heldBatches()).isEqualTo(1);
    }

    @Test
    void shouldRunCoordinatorsInTheirOwnProcessesWhereChaosMayStopThem()
    {
        final TrainCommand train = parse(new Properties(), "train", "--chaos=30s");
        train.validate();

        assertThat(train.kills.areCoordinatorsKilled()).isTrue();
        assertThat(train.faults().chaos()).isNotNull();
        assertThat(train.kills.heldBatches()).isEqualTo(1);
        assertThat(parse(new Properties(), "train").kills.heldBatches()).isZero();
    }

    @Test
    void shouldRefuseMoreKillsThanItTakes()
    {
        final TrainCommand train = parse(new Properties(), "train",
            "--kill=" + "coordinator@1s,".repeat(KillOptions.MAX_KILLS) + "coordinator@1s");

        assertThatThrownBy(train::validate)
            .isInstanceOf(UsageException.class)
            .hasMessageContaining("number of --kill=101: must be 0..100");
    }

    @Test
    void shouldNameTheLocaleWhereAFilesNameCannotBeUsed()
    {
        assertThat(errorOf("train", "--data", "d\0t.svm")).contains("--data", "LANG=C.UTF-8")
            .doesNotContain("Exception");
        assertThat(errorOf("predict", "--model", "d\0t")).contains("--model", "LANG=C.UTF-8")
            .doesNotContain("Exception");
        assertThat(errorOf("train", "--config", "d\0t")).contains("LANG=C.UTF-8").doesNotContain("Exception");
    }

    private static String errorOf(final String... args)
    {
        final StringWriter err = new StringWriter();
        final CommandLine commandLine = Gradstream.commandLine().setErr(new PrintWriter(err));

        assertThat(Gradstream.execute(commandLine, args)).isEqualTo(Failures.EXIT_USAGE);
        assertThat(err.toString().strip().lines()).hasSize(1);

        return err.toString();
    }

    private static TrainCommand parse(final Properties system, final String... args)
    {
        final CommandLine commandLine = Gradstream.commandLine();
        commandLine.setDefaultValueProvider(PropertyDefaults.of(args, commandLine, system, (text) ->
        {
        }));
        commandLine.parseArgs(args);
        return commandLine.getSubcommands().get("train").getCommand();
    }
}
