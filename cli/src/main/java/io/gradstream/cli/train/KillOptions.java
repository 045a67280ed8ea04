// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.List;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.usage.OptionGroup;
import io.gradstream.cli.options.UsageException;
import io.gradstream.launcher.kills.KillOrder;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that say which processes are killed when, to show that training survives it. */
@OptionGroup(OptionGroup.Heading.FAULTS)
final class KillOptions
{
    static final int MAX_KILLS = 100;

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

    /** True if coordinators are killed. */
    boolean areCoordinatorsKilled()
    {
        return orders.stream().anyMatch((order) -> KillOrder.Target.COORDINATOR == order.target());
    }

    /** Check ranges. */
    void validate(final int servers, final int workers)
    {
        CommonOptions.checkRange("number of --kill", orders.size(), 0, MAX_KILLS);
        requireNumbers(KillOrder.Target.SERVER, "server", servers);
        requireNumbers(KillOrder.Target.WORKER, "worker", workers);
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

    /** Parses a kill. */
    static final class KillOrderConverter implements ITypeConverter<KillOrder>
    {
        @Override
        public KillOrder convert(final String value)
        {
            try
            {
                return KillOrder.parse(value);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new TypeConversionException(ex.getMessage());
            }
        }
    }
}
