// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.launcher.JsonText;
import io.gradstream.coordinator.client.CoordinatorStatus;

/**
 * A status as text of at most {@link #WIDTH} columns, or as one JSON object. The JSON is complete, and the text is a
 * brief form of it.
 */
final class StatusReport
{
    /** Longest line of the text. */
    static final int WIDTH = 120;

    private static final JsonText JSON = new JsonText(6);
    private static final int MAX_ENDPOINT_WIDTH = 48;
    private static final int MOST_NAMED = 16;
    private static final double STEP = 1_000;
    private static final double MAX_PLAIN = 9_999;
    private static final String UNITS = "kMGTPE";
    private static final String NODE_FORMAT = "%6s  %-" + MAX_ENDPOINT_WIDTH + "s  %-20s  %8s  %6s  %5s%n";
    private static final String PARTITION_FORMAT = "%6s  %5s  %-11s  %6s  %7s  %12s  %12s  %12s  %-19s  %7s%n";

    private final List<String> coordinators;
    private final StatusSample sample;
    private final StatusSample earlier;

    /**
     * A report to be written.
     *
     * @param coordinators host:port of each, by member id.
     * @param sample       of now.
     * @param earlier      the one before, for rates, or null.
     */
    StatusReport(final List<String> coordinators, final StatusSample sample, final StatusSample earlier)
    {
        this.coordinators = coordinators;
        this.sample = sample;
        this.earlier = earlier;
    }

    String text()
    {
        final StringBuilder text = new StringBuilder();
        final CoordinatorStatus status = sample.status();
        text.append(String.format(Locale.ROOT,
            "coordinators  leader %d of %d (%s), term %d, map %d, failovers %d of which" +
            " spurious %d%n", status.leader(), coordinators.size(), coordinators.get(status.leader()),
            status.leadershipTerm(), status.mapVersion(), status.failovers(), status.spuriousFailovers()));
        appendJob(text);
        if (0 != sample.registered())
        {
            appendNodes(text);
        }
        if (null != sample.map().job() && sample.map().isPlaced())
        {
            appendPartitions(text);
        }
        new TablesReport(sample).append(text);
        appendVerdict(text);

        return text.toString();
    }

    String json()
    {
        final CoordinatorStatus status = sample.status();
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("leader", status.leader());
        json.put("coordinators", coordinators.size());
        json.put("term", status.leadershipTerm());
        json.put("mapVersion", status.mapVersion());
        json.put("failovers", status.failovers());
        json.put("spuriousFailovers", status.spuriousFailovers());
        json.put("job", job());
        json.put("placed", sample.map().isPlaced());
        json.put("notServed", sample.notServed());
        json.put("degraded", sample.degraded());
        if (sample.isBounded())
        {
            HeldBack.append(json, sample.heldBack());
        }
        json.put("nodes", nodes());
        json.put("partitions", partitions());
        if (sample.isWithTables())
        {
            new TablesReport(sample).append(json);
        }

        return JSON.of(json);
    }

    private void appendJob(final StringBuilder text)
    {
        final JobSpec job = sample.map().job();
        text.append(null == job ? String.format(Locale.ROOT, "job           none%n") :
            String.format(Locale.ROOT,
                "job           %d partitions of up to %d rows a table, %d %s, mode %s, repair after %s s%n",
                job.partitions(), job.rowCapacity(), job.copies(), 1 == job.copies() ? "copy" : "copies",
                job.mode().label(), String.format(Locale.ROOT, "%.1f", job.repairDelayMs() / STEP)));
        if (null != job && !Consistency.EVENTUAL.equals(job.consistency()))
        {
            text.append(String.format(Locale.ROOT, "consistency   staleness %s, slots %d%n",
                job.consistency().label(), job.consistency().slots()));
        }
        if (sample.isBounded())
        {
            text.append(String.format(Locale.ROOT, "held back     %s%n", heldBack()));
        }
    }

    private String heldBack()
    {
        final HeldBack heldBack = sample.heldBack();
        if (null == heldBack)
        {
            return "unknown: " + (null == sample.description() && sample.notServed() > 0 ?
                "servers are not asked while partitions are not served, unless by --tables" : "no primary answers");
        }
        final int size = sample.description().partitions().size();
        final int silent = sample.description().undescribed().size();

        return heldBack.text() + (0 == silent ? "" : ", as " + (size - silent) + " of " + size + " partitions tell");
    }

    private void appendNodes(final StringBuilder text)
    {
        text.append(String.format(Locale.ROOT,
            "%n" + NODE_FORMAT, "node", "endpoint", "started", "heard ms", "places", "heads"));
        for (int node = 0; node < sample.map().endpoints().size(); node++)
        {
            final String endpoint = sample.map().endpoints().get(node);
            if (!endpoint.isEmpty())
            {
                final long heardMs = sample.heardMs(node);
                text.append(String.format(Locale.ROOT, NODE_FORMAT, node, cut(endpoint), started(node),
                    heardMs < 0 ? "never" : heardMs, sample.places(node), sample.heads(node)));
            }
        }
    }

    private void appendPartitions(final StringBuilder text)
    {
        text.append(String.format(Locale.ROOT,
            "%n" + PARTITION_FORMAT, "part", "epoch", "chain", "joiner", "copies", "applied",
            "replicated", "recorded", "lag of each", "log B/s"));
        for (int partition = 0; partition < sample.map().chains().chains().size(); partition++)
        {
            final Chain chain = sample.chain(partition);
            final CoordinatorStatus.Replica head = sample.head(partition);
            final double rate = sample.rate(partition, earlier);
            text.append(String.format(Locale.ROOT, PARTITION_FORMAT, partition, chain.epoch(), chain(chain),
                Chain.NONE == chain.joiner() ? "-" : chain.joiner(),
                chain.members().size() + " of " + chain.wanted(),
                null == head ? "-" : head.applied(), null == head ? "-" : head.replicated(),
                null == head ? "-" : head.recorded(), lags(chain, partition),
                Double.isNaN(rate) ? "-" : brief(rate)));
        }
    }

    private void appendVerdict(final StringBuilder text)
    {
        final JobSpec job = sample.map().job();
        final int size = sample.map().chains().chains().size();
        if (null == job)
        {
            text.append(String.format(Locale.ROOT, "%nno job is known: a coordinator that starts defines it%n"));
        }
        else if (!sample.map().isPlaced())
        {
            text.append(String.format(Locale.ROOT,
                "%nnothing is placed: %d of %d servers have registered, start the others%n",
                sample.registered(), job.nodes()));
        }
        else if (sample.notServed() > 0)
        {
            appendMissing(text);
            text.append(String.format(Locale.ROOT,
                "%nNOT SERVED: %d of %d partitions have no primary that is heard; %d degraded" +
                " in all%n", sample.notServed(), size, sample.degraded()));
        }
        else
        {
            text.append(0 == sample.degraded() ? String.format(Locale.ROOT,
                "%nall partitions have all their copies%n") :
                String.format(Locale.ROOT, "%nDEGRADED: %d of %d partitions have fewer copies than they should%n",
                    sample.degraded(), size));
        }
    }

    /** Appends the servers that keep partitions from being served: those not heard, and those that may lack pushes. */
    private void appendMissing(final StringBuilder text)
    {
        final Set<Integer> silent = new TreeSet<>();
        final Set<Integer> refused = new TreeSet<>();
        for (int partition = 0; partition < sample.map().chains().chains().size(); partition++)
        {
            final Chain chain = sample.chain(partition);
            final List<Integer> awaited = chain.members().isEmpty() ? chain.needed() : chain.members().subList(0, 1);
            awaited.stream().filter(sample::isSilent).forEach(silent::add);
            refused.addAll(chain.refused());
        }
        if (!silent.isEmpty())
        {
            text.append(String.format(Locale.ROOT, "%nnot heard for more than %d s, and needed: server %s%n",
                StatusSample.SILENT_MS / 1_000, brief(silent)));
        }
        if (!refused.isEmpty())
        {
            text.append(String.format(Locale.ROOT,
                "%nmay lack what was acknowledged, see its standard error: server %s%n",
                brief(refused)));
        }
    }

    private static String brief(final Set<Integer> nodes)
    {
        return nodes.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", ")) +
            (nodes.size() > MOST_NAMED ? " and " + (nodes.size() - MOST_NAMED) + " more" : "");
    }

    private Map<String, Object> job()
    {
        final JobSpec job = sample.map().job();
        if (null == job)
        {
            return null;
        }
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("partitions", job.partitions());
        json.put("copies", job.copies());
        json.put("nodes", job.nodes());
        json.put("virtualNodes", job.virtualNodes());
        json.put("rowCapacity", job.rowCapacity());
        json.put("repairDelayMs", job.repairDelayMs());
        json.put("mode", job.mode().label());
        json.put("slots", job.consistency().slots());
        json.put("staleness", job.consistency().label());

        return json;
    }

    private List<Map<String, Object>> nodes()
    {
        final List<Map<String, Object>> nodes = new ArrayList<>();
        for (int node = 0; node < sample.map().endpoints().size(); node++)
        {
            final String endpoint = sample.map().endpoints().get(node);
            if (!endpoint.isEmpty())
            {
                final Map<String, Object> json = new LinkedHashMap<>();
                json.put("id", node);
                json.put("endpoint", endpoint);
                json.put("incarnation", sample.map().chains().incarnations().get(node));
                json.put("started", started(node));
                json.put("heardMs", sample.heardMs(node));
                json.put("silent", sample.isSilent(node));
                json.put("places", sample.places(node));
                json.put("heads", sample.heads(node));
                nodes.add(json);
            }
        }

        return nodes;
    }

    private List<Map<String, Object>> partitions()
    {
        final List<Map<String, Object>> partitions = new ArrayList<>();
        for (int partition = 0; partition < sample.map().chains().chains().size(); partition++)
        {
            final Chain chain = sample.chain(partition);
            final Map<String, Object> json = new LinkedHashMap<>();
            json.put("id", partition);
            json.put("epoch", chain.epoch());
            json.put("version", chain.version());
            json.put("chain", chain.members());
            json.put("joiner", chain.joiner());
            json.put("wanted", chain.wanted());
            json.put("needed", chain.needed());
            json.put("refused", chain.refused());
            json.put("assignment", sample.map().assignment().get(partition));
            json.put("degraded", chain.isDegraded());
            json.put("replicas", replicas(partition));
            json.put("logBytesPerSecond", sample.rate(partition, earlier));
            partitions.add(json);
        }

        return partitions;
    }

    private List<Map<String, Object>> replicas(final int partition)
    {
        final Chain chain = sample.chain(partition);
        return sample.status().replicas().stream()
            .filter((replica) -> replica.partition() == partition && chain.holds(replica.nodeId()))
            .map(this::replica).toList();
    }

    private Map<String, Object> replica(final CoordinatorStatus.Replica replica)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("node", replica.nodeId());
        json.put("applied", replica.applied());
        json.put("replicated", replica.replicated());
        json.put("recorded", replica.recorded());
        json.put("lag", sample.lag(replica.nodeId(), replica.partition()));

        return json;
    }

    private String started(final int node)
    {
        // a node's incarnation is the time of its start in nanoseconds since 1970
        return Instant.ofEpochSecond(0, sample.map().chains().incarnations().get(node))
            .truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String lags(final Chain chain, final int partition)
    {
        final List<String> lags = new ArrayList<>();
        final List<Integer> followers = new ArrayList<>(
            chain.members().isEmpty() ? List.of() : chain.members().subList(1, chain.members().size()));
        if (Chain.NONE != chain.joiner())
        {
            followers.add(chain.joiner());
        }
        for (final int node : followers)
        {
            final long lag = sample.lag(node, partition);
            lags.add(node + ":" + (lag < 0 ? "?" : brief(lag)));
        }

        return lags.isEmpty() ? "-" : String.join(" ", lags);
    }

    private static String chain(final Chain chain)
    {
        return chain.members().isEmpty() ? "none" :
            String.join(">", chain.members().stream().map(String::valueOf).toList());
    }

    private static String cut(final String endpoint)
    {
        return endpoint.length() <= MAX_ENDPOINT_WIDTH ? endpoint :
            "..." + endpoint.substring(endpoint.length() - MAX_ENDPOINT_WIDTH + 3);
    }

    /**
     * A number of bytes in at most six characters: as it is up to 9999, else with a unit of thousands.
     */
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
