// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.LinkedHashMap;
import java.util.Map;

/** The newest of a history in the text format 0.0.4 of Prometheus. */
final class PrometheusText
{
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double US_PER_S = 1e6;
    private static final double MS_PER_S = 1e3;
    private static final String GAUGE = "gauge";
    private static final String COUNTER = "counter";

    private final StringBuilder text = new StringBuilder();

    private PrometheusText()
    {
    }

    static String of(final HistoryView view, final long nowMs)
    {
        final PrometheusText text = new PrometheusText();
        text.family("gradstream_events_total", COUNTER, "Events seen, by kind.");
        view.counts().forEach((kind, count) ->
            text.sample("gradstream_events_total", count, "kind", HistoryJson.label(kind)));
        if (null != view.newest())
        {
            text.append(view.newest());
        }
        text.appendMetrics(view);
        if (null != view.cluster())
        {
            text.append(view.cluster());
            text.appendNodes(view, nowMs);
            text.appendReplicas(view.cluster());
        }

        return text.text.toString();
    }

    private void append(final ProgressSample sample)
    {
        single("gradstream_training_batches_total", COUNTER, "Batches that all workers have pushed.", sample.batches());
        single("gradstream_training_batches_planned", GAUGE, "Batches that all workers are going to push.",
            sample.planned());
        single("gradstream_training_examples_total", COUNTER, "Examples trained on, each pass counted.",
            sample.examples());
        single("gradstream_training_examples_per_second", GAUGE, "Examples trained on in a second, recently.",
            sample.examplesPerSecond());
        single("gradstream_training_loss", GAUGE, "Recent mean loss, each batch before its own update.", sample.loss());
        single("gradstream_training_staleness_batches", GAUGE, "Batches by which pulled weights were behind, mean.",
            sample.staleness());
        final String push = "gradstream_push_latency_seconds";
        family(push, GAUGE, "Recent time from a push to its acknowledgement, by quantile.");
        sample(push, sample.pushP50Us() / US_PER_S, "quantile", "0.5");
        sample(push, sample.pushP99Us() / US_PER_S, "quantile", "0.99");
    }

    private void appendMetrics(final HistoryView view)
    {
        final Map<String, MetricSample> newest = new LinkedHashMap<>();
        view.metrics().forEach((point) -> newest.put(point.value().name(), point.value()));
        if (newest.isEmpty())
        {
            return;
        }
        family("gradstream_model_metric", GAUGE, "Newest value of a metric of the model.");
        newest.forEach((name, metric) -> sample("gradstream_model_metric", metric.value(), "metric", name));
        family("gradstream_model_metric_at_best", GAUGE, "The metric when the model was best.");
        view.best().forEach((metric) ->
            sample("gradstream_model_metric_at_best", metric.value(), "metric", metric.name()));
    }

    private void append(final ClusterState cluster)
    {
        single("gradstream_cluster_seen_timestamp_seconds", GAUGE, "When the cluster was looked at last.",
            cluster.timeMs() / MS_PER_S);
        single("gradstream_coordinator_leader", GAUGE, "Coordinator that leads.", cluster.leader());
        single("gradstream_coordinator_term", GAUGE, "Term of its leadership.", cluster.term());
        single("gradstream_failovers_total", COUNTER, "Processes that lost a leadership to another.",
            cluster.failovers());
        single("gradstream_failovers_spurious_total", COUNTER, "Those of them that turned out to be alive.",
            cluster.spuriousFailovers());
        single("gradstream_partitions", GAUGE, "Partitions of the job.", cluster.partitions().size());
        single("gradstream_partitions_served", GAUGE, "Partitions that a server serves.",
            cluster.partitions().size() - cluster.notServed());
        single("gradstream_partitions_degraded", GAUGE, "Partitions with fewer copies in sync than wanted.",
            cluster.degraded());
        append(cluster.work());
    }

    private void append(final ClusterState.Work work)
    {
        single("gradstream_slots_held", GAUGE, "Slots whose process was heard of late.", work.held());
        single("gradstream_work_batches", GAUGE, "Batches of the work that slots share.", work.batches());
        single("gradstream_work_batches_done_total", COUNTER, "Batches that slots have done.", work.batchesDone());
        single("gradstream_work_batches_dropped_total", COUNTER, "Batches that nobody does any more.",
            work.batchesDropped());
        single("gradstream_work_batches_left_out_total", COUNTER, "Batches of which partitions may lack parts.",
            work.batchesLeftOut());
        single("gradstream_work_units_reissued_total", COUNTER, "Units, and parts of them, that were given again.",
            work.unitsReissued());
        single("gradstream_work_slots_adopted_total", COUNTER, "Slots whose work was taken away from a process.",
            work.slotsAdopted());
        family("gradstream_slot_open_batches", GAUGE, "Batches that the slot was given and has not done.");
        work.leases().forEach((lease) ->
            sample("gradstream_slot_open_batches", lease.openBatches(), "slot", String.valueOf(lease.slot())));
    }

    private void appendNodes(final HistoryView view, final long nowMs)
    {
        final ClusterState cluster = view.cluster();
        final boolean isStale = view.isClusterStale(nowMs);
        family("gradstream_node_up", GAUGE, "1 if the server is heard, else 0; 0 if no coordinator says so any more.");
        for (final ClusterState.Node node : cluster.nodes())
        {
            sample("gradstream_node_up", node.silent() || isStale ? 0 : 1, "node", String.valueOf(node.id()),
                "endpoint", node.endpoint());
        }
        family("gradstream_node_heard_seconds", GAUGE, "Time since the server was heard last.");
        for (final ClusterState.Node node : cluster.nodes())
        {
            sample("gradstream_node_heard_seconds", node.heardMs() < 0 ? Double.NaN :
                (node.heardMs() + view.clusterAgeMs(nowMs)) / MS_PER_S, "node", String.valueOf(node.id()));
        }
        family("gradstream_node_heads", GAUGE, "Partitions that the server leads.");
        for (final ClusterState.Node node : cluster.nodes())
        {
            sample("gradstream_node_heads", node.heads(), "node", String.valueOf(node.id()));
        }
    }

    private void appendReplicas(final ClusterState cluster)
    {
        family("gradstream_partition_epoch", GAUGE, "Epoch of the partition's leadership.");
        for (final ClusterState.Partition partition : cluster.partitions())
        {
            sample("gradstream_partition_epoch", partition.epoch(), "partition", String.valueOf(partition.id()));
        }
        family("gradstream_replica_info", GAUGE, "1 for each copy, with its role, and its state if that can be read.");
        eachReplica(cluster, (partition, replica) -> sample("gradstream_replica_info", 1,
            "partition", partition, "node", String.valueOf(replica.node()), "role", HistoryJson.label(replica.role()),
            "state", replica.state()));
        family("gradstream_replica_applied_bytes", GAUGE, "Log position up to which the copy has applied.");
        eachReplica(cluster, (partition, replica) -> known("gradstream_replica_applied_bytes", replica.applied(),
            "partition", partition, "node", String.valueOf(replica.node())));
        family("gradstream_replica_lag_bytes", GAUGE, "Bytes by which the copy is behind the head.");
        eachReplica(cluster, (partition, replica) -> known("gradstream_replica_lag_bytes", replica.lag(),
            "partition", partition, "node", String.valueOf(replica.node())));
    }

    /** Does something with a partition's number and one of its copies. */
    private interface ReplicaConsumer
    {
        void accept(String partition, ClusterState.Replica replica);
    }

    private static void eachReplica(final ClusterState cluster, final ReplicaConsumer consumer)
    {
        for (final ClusterState.Partition partition : cluster.partitions())
        {
            for (final ClusterState.Replica replica : partition.replicas())
            {
                consumer.accept(String.valueOf(partition.id()), replica);
            }
        }
    }

    private void known(final String name, final long value, final String... labels)
    {
        if (ClusterState.UNKNOWN != value)
        {
            sample(name, value, labels);
        }
    }

    private void single(final String name, final String type, final String help, final double value)
    {
        family(name, type, help);
        sample(name, value);
    }

    private void family(final String name, final String type, final String help)
    {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void sample(final String name, final double value, final String... labels)
    {
        text.append(name);
        for (int i = 0; i < labels.length; i += 2)
        {
            text.append(0 == i ? '{' : ',').append(labels[i]).append("=\"").append(escaped(labels[i + 1])).append('"');
        }
        text.append(labels.length > 0 ? "} " : " ").append(number(value)).append('\n');
    }

    private static String number(final double value)
    {
        return value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE ? Long.toString((long)value) :
            Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
    }

    private static String escaped(final String label)
    {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
