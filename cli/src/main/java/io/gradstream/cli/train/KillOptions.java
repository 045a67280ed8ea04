// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.UsageException;
import io.gradstream.launcher.kills.KillOrder;
import io.gradstream.launcher.kills.KillTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Options that say which servers are killed when, to show that training survives it.
 */
final class KillOptions
{
    static final int MAX_KILLS = 100;

    @Option(names = "--kill-server", paramLabel = "WHEN", split = CommonOptions.COMMA,
        converter = KillTimeConverter.class,
        description = "Kill a server with SIGKILL and start it again: 3s, 500ms after training began, or at 40%% of" +
            " the batches. Repeatable; servers take turns.")
    List<KillTime> servers = List.of();

    @Option(names = "--kill-primary", paramLabel = "WHEN", split = CommonOptions.COMMA,
        converter = KillTimeConverter.class,
        description = "The same with the server that is primary of the most partitions then. Repeatable.")
    List<KillTime> primaries = List.of();

    @Option(names = "--kill-all", paramLabel = "WHEN", split = CommonOptions.COMMA,
        converter = KillTimeConverter.class,
        description = "The same with all servers at once. Repeatable.")
    List<KillTime> all = List.of();

    @Option(names = "--kill-coordinator", paramLabel = "WHEN", split = CommonOptions.COMMA,
        converter = KillTimeConverter.class,
        description = "The same with the coordinators' leader; together with servers whose time is the same." +
            " Repeatable.")
    List<KillTime> coordinators = List.of();

    @Option(names = "--down", paramLabel = "DURATION", defaultValue = "0s", converter = DurationConverter.class,
        description = "How long who is killed stays away: 10s, 500ms. Default: ${DEFAULT-VALUE}.")
    long downMs;

    /**
     * All kills of servers asked for.
     */
    List<KillOrder> orders()
    {
        final List<KillOrder> orders = new ArrayList<>();
        servers.forEach((when) -> orders.add(new KillOrder(KillOrder.Target.SERVER, when)));
        primaries.forEach((when) -> orders.add(new KillOrder(KillOrder.Target.PRIMARY, when)));
        all.forEach((when) -> orders.add(new KillOrder(KillOrder.Target.ALL, when)));
        return orders;
    }

    /**
     * Number of kills asked for, of servers and of coordinators.
     */
    int count()
    {
        return orders().size() + coordinators.size();
    }

    /**
     * Check ranges.
     *
     * @throws UsageException naming the option, its value and what is allowed.
     */
    void validate()
    {
        CommonOptions.checkRange("number of --kill-server, --kill-primary and --kill-all",
            orders().size(), 0, MAX_KILLS);
        CommonOptions.checkRange("number of --kill-coordinator", coordinators.size(), 0, MAX_KILLS);
    }

    /**
     * Parses the time of a kill.
     */
    static final class KillTimeConverter implements ITypeConverter<KillTime>
    {
        @Override
        public KillTime convert(final String value)
        {
            try
            {
                return KillTime.parse(value);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new TypeConversionException(ex.getMessage());
            }
        }
    }
}
