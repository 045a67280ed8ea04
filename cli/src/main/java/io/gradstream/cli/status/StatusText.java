// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.console.ClusterState;
import io.gradstream.console.ClusterState.Job;
import io.gradstream.console.ClusterState.Lease;
import io.gradstream.console.ClusterState.Node;
import io.gradstream.console.ClusterState.Partition;
import io.gradstream.console.ClusterState.Replica;
import io.gradstream.console.ClusterState.Role;
import io.gradstream.console.ClusterState.Slot;
import io.gradstream.console.ClusterState.Stragglers;
import io.gradstream.console.ClusterState.Table;
import io.gradstream.console.ClusterState.Work;

/**
 * The state of a cluster as text of at most {@link #WIDTH} columns.
 */
final class StatusText
{
    /** Longest line of the text. */
    static final int WIDTH = 120;

    private static final int MAX_ENDPOINT_WIDTH = 48;
    private static final int MAX_NAME_WIDTH = 24;
    private static final int MAX_FUNCTION_WIDTH = 28;
    private static final int MOST_NODES_NAMED = 16;
    private static final int MOST_SLOTS_NAMED = 3;
    private static final double STEP = 1_000;
    private static final double MAX_PLAIN = 9_999;
    private static final String UNITS = "kMGTPE";
    private static final String NODE_FORMAT = "%6s  %-" + MAX_ENDPOINT_WIDTH + "s  %-20s  %8s  %6s  %5s%n";
    private static final String PARTITION_FORMAT = "%6s  %5s  %-11s  %6s  %7s  %12s  %12s  %12s  %-19s  %7s%n";
    private static final String TABLE_FORMAT =
        "%6s  %-" + MAX_NAME_WIDTH + "s  %-7s  %5s  %12s  %12s  %10s  %-" + MAX_FUNCTION_WIDTH + "s%n";
    private static final String SLOT_FORMAT = "%6s  %20s  %12s  %12s  %12s%n";

    private final StringBuilder text = new StringBuilder();
    private final ClusterState state;

    private StatusText(final ClusterState state)
    {
        this.state = state;
    }

    static String of(final ClusterState state)
    {
        final StatusText text = new StatusText(state);
        text.line("coordinators  leader %d of %d (%s), term %d, map %d, failovers %d of which spurious %d%n",
            state.leader(), state.coordinators(), state.leaderEndpoint(), state.term(), state.mapVersion(),
            state.failovers(), state.spuriousFailovers());
        text.appendJob(state.job());
        text.appendWork(state.work());
        text.appendNodes();
        text.appendPartitions();
        text.appendTables();
        text.appendVerdict();

        return text.text.toString();
    }

    private void line(final String format, final Object... values)
    {
        text.append(String.format(Locale.ROOT, format, values));
    }

    private void appendJob(final Job job)
    {
        if (null == job)
        {
            line("job           none%n");
            return;
        }
        if (!ClusterMap.Job.DEFAULT_NAME.equals(job.name()))
        {
            line("job name      %s%n", job.name());
        }
        line("job           %d partitions of up to %d rows a table, %d %s, mode %s, repair after %.1f s%n",
            job.partitions(), job.rowCapacity(), job.copies(), 1 == job.copies() ? "copy" : "copies", job.mode(),
            job.repairDelayMs() / STEP);
        if (job.slots() > 0 || job.bounded())
        {
            line("consistency   staleness %s, slots %d%n", job.staleness(), job.slots());
        }
        if (job.maxRowBytes() > 0 || job.pushRate() > 0)
        {
            line("limits        %s%n", limits(job.maxRowBytes(), job.pushRate()));
        }
        if (job.bounded())
        {
            line("held back     %s%n", null != state.stragglers() ? heldBack(state.stragglers()) : "unknown: " +
                (null == state.undescribed() && state.notServed() > 0 ?
                "servers are not asked while partitions are not served, unless by --tables" : "no primary answers"));
        }
    }

    /** The limits of a job in words. */
    static String limits(final long rowBytes, final long pushRate)
    {
        return (0 == rowBytes ? "rows of any length" : "rows of at most " + rowBytes + " bytes") + ", " +
            (0 == pushRate ? "pushes at any rate" : "pushes of at most " + pushRate + " bytes a second a server");
    }

    private void appendWork(final Work work)
    {
        if (0 != work.id())
        {
            line("work          number %d: %d of %d batches done%s%s%s%s%n", work.id(), work.batchesDone(),
                work.batches(), counted(work.batchesDropped(), "dropped"), counted(work.batchesLeftOut(), "left out"),
                counted(work.unitsReissued(), "units given again"), counted(work.slotsAdopted(), "slots adopted"));
        }
        if (!work.leases().isEmpty())
        {
            final List<Integer> held = work.leases().stream().filter(Lease::held).map(Lease::slot).toList();
            final List<Integer> free = work.leases().stream().filter((lease) -> !lease.held()).map(Lease::slot)
                .toList();
            line("workers       %s%s%n", held.isEmpty() ? "none is heard" : "in slots " + named(held, MOST_SLOTS_NAMED),
                free.isEmpty() ? "" : "; not heard any more: " + named(free, MOST_SLOTS_NAMED));
        }
    }

    private static String counted(final long count, final String what)
    {
        return 0 == count ? "" : ", " + count + " " + what;
    }

    private String heldBack(final Stragglers stragglers)
    {
        final int size = state.partitions().size();
        final int silent = state.undescribed().size();

        return (stragglers.slots().isEmpty() ? "nobody" : byWhom(stragglers)) +
            (0 == silent ? "" : ", as " + (size - silent) + " of " + size + " partitions tell");
    }

    private static String byWhom(final Stragglers stragglers)
    {
        final int size = stragglers.slots().size();
        final boolean isWaited = stragglers.pullWaitMs() > 0;

        return (1 == size ? "by slot " : "by slots ") + named(stragglers.slots(), MOST_SLOTS_NAMED) +
            (stragglers.notBegun() == size ? 1 == size ? ", which has not begun" : ", which have not begun" :
            ", at iteration " + stragglers.slowest() +
            (0 == stragglers.notBegun() ? "" : ", " + stragglers.notBegun() + " not begun")) +
            (isWaited ? String.format(Locale.ROOT, ", for %.1f s", stragglers.pullWaitMs() / STEP) : "") +
            (stragglers.fastest() > stragglers.slowest() ? " (others up to " + stragglers.fastest() :
            " (no other is ahead") + (isWaited ? ")" : ", no pull waits)");
    }

    private void appendNodes()
    {
        if (!state.nodes().isEmpty())
        {
            line("%n" + NODE_FORMAT, "node", "endpoint", "started", "heard ms", "places", "heads");
        }
        for (final Node node : state.nodes())
        {
            line(NODE_FORMAT, node.id(), endOf(node.endpoint()), node.started(),
                node.heardMs() < 0 ? "never" : node.heardMs(), node.places(), node.heads());
        }
    }

    private void appendPartitions()
    {
        if (!state.placed())
        {
            return;
        }
        line("%n" + PARTITION_FORMAT, "part", "epoch", "chain", "joiner", "copies", "applied", "replicated", "recorded",
            "lag of each", "log B/s");
        for (final Partition partition : state.partitions())
        {
            final Replica head = partition.head();
            final boolean isKnown = null != head && head.applied() >= 0;
            line(PARTITION_FORMAT, partition.id(), partition.epoch(),
                null == head ? "none" :
                partition.chain().stream().map(String::valueOf).collect(Collectors.joining(">")),
                partition.joiner() < 0 ? "-" : partition.joiner(),
                partition.chain().size() + " of " + partition.wanted(),
                isKnown ? head.applied() : "-", isKnown ? head.replicated() : "-", isKnown ? head.recorded() : "-",
                lags(partition),
                Double.isNaN(partition.logBytesPerSecond()) ? "-" : brief(partition.logBytesPerSecond()));
        }
    }

    private static String lags(final Partition partition)
    {
        final String lags = partition.replicas().stream().filter((replica) -> Role.HEAD != replica.role())
            .map((replica) -> replica.node() + ":" + (replica.lag() < 0 ? "?" : brief(replica.lag())))
            .collect(Collectors.joining(" "));

        return lags.isEmpty() ? "-" : lags;
    }

    private void appendTables()
    {
        if (null == state.tables())
        {
            return;
        }
        line("%n" + TABLE_FORMAT, "table", "name", "type", "dim", "rows", "present", "not finite", "function");
        for (final Table table : state.tables())
        {
            line(TABLE_FORMAT, table.id(), startOf(table.name(), MAX_NAME_WIDTH), table.elementType(), table.dim(),
                0 == table.rows() ? "sparse" : table.rows(), table.rowsPresent(), table.rowsNotFinite(),
                startOf(table.function(), MAX_FUNCTION_WIDTH));
        }
        line("%n" + SLOT_FORMAT, "slot", "incarnation", "clock", "ended", "parts");
        for (final Slot slot : state.slots())
        {
            line(SLOT_FORMAT, slot.id(), slot.incarnation(), clock(slot.clock()), clock(slot.ended()), slot.parts());
        }
        for (final int partition : state.undescribed())
        {
            final Replica head = state.partitions().get(partition).head();
            line("partition %d: %s%n", partition, null == head ? "no primary" : "no answer from its primary " +
                head.node() + " within " + StatusSession.DESCRIBE_TIMEOUT_NS / 1_000_000_000 + " s");
        }
    }

    private void appendVerdict()
    {
        final int size = state.partitions().size();
        if (null == state.job())
        {
            line("%nno job is known: a coordinator that starts defines it%n");
        }
        else if (!state.placed())
        {
            line("%nnothing is placed: %d of %d servers have registered and are not drained, start the others%n",
                state.nodes().stream().filter((node) -> !node.silent() && !node.draining()).count(),
                state.job().nodes());
        }
        else if (state.notServed() > 0)
        {
            appendMissing();
            line("%nNOT SERVED: %d of %d partitions have no primary that is heard; %d degraded in all%n",
                state.notServed(), size, state.degraded());
        }
        else if (0 == state.degraded())
        {
            line("%nall partitions have all their copies%n");
        }
        else
        {
            line("%nDEGRADED: %d of %d partitions have fewer copies than they should%n", state.degraded(), size);
        }
        appendMoves();
    }

    private void appendMoves()
    {
        final long moving = state.partitions().stream()
            .filter((partition) -> !partition.assignment().containsAll(partition.chain())).count();
        if (moving > 0)
        {
            final long left = state.partitions().stream().flatMap((partition) -> partition.replicas().stream())
                .filter((replica) -> Role.JOINER == replica.role() && replica.lag() > 0).mapToLong(Replica::lag).sum();
            line("moving to other servers: %d partitions%s%n", moving,
                0 == left ? "" : ", " + brief(left) + " bytes of logs to catch up with");
        }
        for (final Node node : state.nodes())
        {
            if (node.draining())
            {
                line(0 == node.kept() ? "server %d is drained, and may be stopped%n" :
                    "server %d is being drained: %d partitions are left%n", node.id(), node.kept());
            }
        }
    }

    /** Appends the servers that keep partitions from being served: those not heard, and those that may lack pushes. */
    private void appendMissing()
    {
        final Set<Integer> silent = state.nodes().stream().filter(Node::silent).map(Node::id)
            .collect(Collectors.toCollection(TreeSet::new));
        final Set<Integer> awaited = new TreeSet<>();
        final Set<Integer> refused = new TreeSet<>();
        for (final Partition partition : state.partitions())
        {
            awaited.addAll(null == partition.head() ? partition.requiredReplicas() : List.of(partition.head().node()));
            refused.addAll(partition.staleReplicas());
        }
        awaited.retainAll(silent);
        if (!awaited.isEmpty())
        {
            line("%nnot heard for more than %d s, and needed: server %s%n",
                StateReader.SILENT_MS / 1_000, named(awaited, MOST_NODES_NAMED));
        }
        if (!refused.isEmpty())
        {
            line("%nmay lack what was acknowledged, see its standard error: server %s%n",
                named(refused, MOST_NODES_NAMED));
        }
    }

    private static String named(final Collection<Integer> numbers, final int most)
    {
        return numbers.stream().limit(most).map(String::valueOf).collect(Collectors.joining(", ")) +
            (numbers.size() > most ? " and " + (numbers.size() - most) + " more" : "");
    }

    private static String clock(final long clock)
    {
        return Consistency.FINISHED == clock ? "finished" : Long.toString(clock);
    }

    private static String startOf(final String text, final int width)
    {
        return text.length() <= width ? text : text.substring(0, width - 3) + "...";
    }

    private static String endOf(final String endpoint)
    {
        return endpoint.length() <= MAX_ENDPOINT_WIDTH ? endpoint :
            "..." + endpoint.substring(endpoint.length() - MAX_ENDPOINT_WIDTH + 3);
    }

    /** A number of bytes in at most six characters: as it is up to 9999, else with a unit of thousands. */
    static String brief(final double bytes)
    {
        if (bytes <= MAX_PLAIN)
        {
            return Long.toString(Math.round(bytes));
        }
        double rest = bytes / STEP;
        int unit = 0;
        while (rest >= STEP && unit < UNITS.length() - 1)
        {
            rest /= STEP;
            unit++;
        }

        return String.format(Locale.ROOT, "%.1f%c", rest, UNITS.charAt(unit));
    }
}
