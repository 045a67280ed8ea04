// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.usage.OptionGroup;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.kills.Chaos;
import io.gradstream.launcher.kills.FaultPlan;
import io.gradstream.launcher.kills.KillOrder;
import io.gradstream.launcher.kills.ResizeOrder;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that say which processes are killed, added and drained when, to show that training survives it. */
@OptionGroup(OptionGroup.Heading.FAULTS)
final class KillOptions
{
    static final int MAX_KILLS = 100;
    private static final long MIN_CHAOS_MS = 1000;

    @Option(names = "--kill", paramLabel = "TARGET@WHEN,...", split = CommonOptions.COMMA,
        converter = KillOrderConverter.class,
        description = "Kill with SIGKILL, and start again: the primary of the most partitions (primary), a server" +
            " (server: they take turns; server:1), all servers at once (all), the coordinators' leader" +
            " (coordinator), or a worker (worker: they take turns; worker:1). WHEN is a time after training began" +
            " (3s, 500ms) or a share of the batches (40%%): primary@40%%. Repeatable.")
    List<KillOrder> orders = List.of();

    @Option(names = "--restart-after", paramLabel = "DURATION", defaultValue = "0s",
        converter = DurationConverter.class,
        description = "Time from a kill until the process is started again: 10s, 500ms. Default: ${DEFAULT-VALUE}.")
    long restartAfterMs;

    @Advanced
    @Option(names = "--add-server", paramLabel = "WHEN,...", split = CommonOptions.COMMA,
        converter = AddConverter.class,
        description = "Start one server more, which gets its share of the partitions while training goes on. WHEN as" +
            " for --kill: 5s, 40%%. Repeatable.")
    private List<ResizeOrder> added = List.of();

    @Advanced
    @Option(names = "--drain-server", paramLabel = "[N@]WHEN,...", split = CommonOptions.COMMA,
        converter = DrainConverter.class,
        description = "Move all partitions of a server to others while training goes on, then stop it: server N, or" +
            " the one with the highest number. WHEN as for --kill: 5s, 1@40%%. Repeatable.")
    private List<ResizeOrder> drained = List.of();

    @Advanced
    @Option(names = "--add-worker", paramLabel = "WHEN,...", split = CommonOptions.COMMA,
        converter = AddWorkerConverter.class,
        description = "With --units: start one worker more, which takes part in the work that is left. WHEN as for" +
            " --kill: 5s, 40%%. Repeatable.")
    private List<ResizeOrder> addedWorkers = List.of();

    @Advanced
    @Option(names = "--chaos", paramLabel = "EVERY", converter = DurationConverter.class,
        description = "A fault drawn from --seed each so often, once all is whole after the one before: SIGKILL," +
            " or SIGSTOP for 1 to 20 s, of a server, a worker or the coordinators' leader, and where servers keep a" +
            " log and one can be done without, a server that is drained and comes back. At least 1s.")
    private Long chaosMs;

    /** True if coordinators are killed or stand still. */
    boolean areCoordinatorsKilled()
    {
        return hasChaos() ||
            orders.stream().anyMatch((order) -> KillOrder.Target.COORDINATOR == order.target());
    }

    /** True if faults are drawn. */
    boolean hasChaos()
    {
        return null != chaosMs;
    }

    /** Number of servers that are added. */
    int addedServers()
    {
        return added.size();
    }

    /** Number of workers that are added. */
    int addedWorkers()
    {
        return addedWorkers.size();
    }

    /** Number of last batches that each worker holds back, so that all that is asked for happens while it trains. */
    int heldBatches()
    {
        return !orders.isEmpty() ? orders.size() + TrainRun.SPARE_HELD_BATCHES :
            hasChaos() || added.size() + drained.size() + addedWorkers.size() > 0 ? 1 : 0;
    }

    /**
     * The faults of a run.
     *
     * @param seed     from which faults are drawn.
     * @param mayDrain true if servers keep a log, so that one can be drained.
     * @param copies   wanted of each partition.
     */
    FaultPlan plan(final long seed, final boolean mayDrain, final int copies)
    {
        final List<ResizeOrder> resizes = new ArrayList<>(added);
        resizes.addAll(drained);
        resizes.addAll(addedWorkers);
        return new FaultPlan(orders, restartAfterMs, resizes,
            hasChaos() ? new Chaos(seed, chaosMs, mayDrain) : null, copies);
    }

    /** Check ranges. */
    void validate(final int servers, final int workers)
    {
        CommonOptions.checkRange("number of --kill", orders.size(), 0, MAX_KILLS);
        requireNumbers(KillOrder.Target.SERVER, "server", servers);
        requireNumbers(KillOrder.Target.WORKER, "worker", workers);
        UsageException.refuseIf(hasChaos() && chaosMs < MIN_CHAOS_MS, "invalid --chaos=" + chaosMs +
            "ms: must be at least 1s");
        UsageException.refuseIf(hasChaos() && !orders.isEmpty(),
            "--chaos and --kill: faults are drawn, or named; leave one out");
    }

    /**
     * Check that servers can come and go.
     *
     * @param servers first.
     * @param copies  wanted of each partition.
     */
    void validateResizes(final RecoveryMode mode, final int servers, final int copies)
    {
        final String option = added.isEmpty() ? "--drain-server" : "--add-server";
        UsageException.refuseIf(added.size() + drained.size() > 0 && !mode.keepsLog(),
            option + " with --mode " + mode.label() + ": it keeps no log, from which another server could take what" +
                " it is to have; use --mode replay or chain");
        final int all = servers + added.size();
        UsageException.refuseIf(all - drained.size() < copies,
            "invalid number of --drain-server=" + drained.size() + ": of " + all + " servers at least " + copies +
                " must be left, one for each copy; use more --servers or --add-server");
        drained.stream().filter((order) -> order.number() >= all).findFirst().ifPresent((order) ->
        {
            throw new UsageException(
                "--drain-server " + order.number() + ": servers are 0 to " + (all - 1));
        });
    }

    /** Check that workers can be added to what these options have workers do. */
    void validateAddedWorkers(final JobOptions job)
    {
        UsageException.refuseIf(!addedWorkers.isEmpty() && 0 == job.units,
            "--add-worker without --units: each worker has its own share of the data then, and nothing divides the" +
                " rest anew; add --units 16");
        UsageException.refuseIf(!addedWorkers.isEmpty() && job.consistency().isBounded(),
            "--add-worker with --staleness " + job.consistency().label() + ": the others would wait for the new" +
                " worker until it has done as many batches as they; leave --staleness out, or use unbounded");
    }

    private void requireNumbers(final KillOrder.Target target, final String name, final int count)
    {
        orders.stream().filter((order) -> target == order.target() && order.number() >= count).findFirst()
            .ifPresent((order) ->
            {
                throw new UsageException(
                    "--kill " + name + ":" + order.number() + ": " + name + "s are 0 to " + (count - 1));
            });
    }

    private static <T> T converted(final Function<String, T> parse, final String value)
    {
        try
        {
            return parse.apply(value);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new TypeConversionException(ex.getMessage());
        }
    }

    /** Parses a kill. */
    static final class KillOrderConverter implements ITypeConverter<KillOrder>
    {
        @Override
        public KillOrder convert(final String value)
        {
            return converted(KillOrder::parse, value);
        }
    }

    /** Parses the time at which a server is added. */
    static final class AddConverter implements ITypeConverter<ResizeOrder>
    {
        @Override
        public ResizeOrder convert(final String value)
        {
            return converted(ResizeOrder::parseAdd, value);
        }
    }

    /** Parses the time at which a worker is added. */
    static final class AddWorkerConverter implements ITypeConverter<ResizeOrder>
    {
        @Override
        public ResizeOrder convert(final String value)
        {
            return converted(ResizeOrder::parseAddWorker, value);
        }
    }

    /** Parses which server is drained, and when. */
    static final class DrainConverter implements ITypeConverter<ResizeOrder>
    {
        @Override
        public ResizeOrder convert(final String value)
        {
            return converted(ResizeOrder::parseDrain, value);
        }
    }
}
