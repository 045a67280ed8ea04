// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.gradstream.launcher.JsonText;
import io.gradstream.server.aeron.ReplicaCounter;
import org.agrona.concurrent.status.CountersReader;

/** A report on the replicas of the servers at a media driver, read from its counters. */
final class ReplicasReport
{
    private static final String FORMAT = "%6s  %6s  %-14s  %-6s  %6s  %12s  %12s  %12s  %10s  %10s  %5s  %7s%n";
    private static final Set<ReplicaCounter> YES_OR_NO = EnumSet.of(ReplicaCounter.LEASE, ReplicaCounter.ANSWERS);
    private static final JsonText JSON = new JsonText(6);

    /** Replicas by node and partition. */
    private final Map<Long, ReplicaCounters> replicas;

    private final long silentMs;

    /**
     * A report on what the counters show now.
     *
     * @param silentMs time since the media driver's last sign of life, 0 if it lives.
     */
    ReplicasReport(final CountersReader counters, final long silentMs)
    {
        this.silentMs = silentMs;
        replicas = ReplicaCounters.read(counters);
    }

    String text()
    {
        if (replicas.isEmpty())
        {
            return String.format(Locale.ROOT,
                "no server shows a replica here: none runs at this media driver, or none has a map" +
                " yet%n");
        }
        final StringBuilder text = new StringBuilder();
        if (silentMs > 0)
        {
            text.append(String.format(Locale.ROOT,
                "the media driver gave its last sign of life %d s ago: this is what it left%n",
                silentMs / 1_000));
        }
        text.append(String.format(Locale.ROOT, FORMAT, "node", "part", "state", "role", "epoch",
            "applied", "replicated", "recorded", "lag", "queue", "lease", "answers"));
        for (final ReplicaCounters shown : replicas.values())
        {
            text.append(String.format(Locale.ROOT, FORMAT, shown.node(), shown.partition(), shown.state(), shown.role(),
                shown.of(ReplicaCounter.EPOCH), shown.of(ReplicaCounter.APPLIED),
                shown.of(ReplicaCounter.REPLICATED), shown.of(ReplicaCounter.RECORDED),
                shown.of(ReplicaCounter.LAG), shown.of(ReplicaCounter.QUEUE),
                shown.yesOrNo(ReplicaCounter.LEASE), shown.yesOrNo(ReplicaCounter.ANSWERS)));
        }

        return text.toString();
    }

    String json()
    {
        final List<Map<String, Object>> all = replicas.values().stream().map((shown) ->
        {
            final Map<String, Object> json = new LinkedHashMap<>();
            json.put("node", shown.node());
            json.put("partition", shown.partition());
            json.put("state", shown.state());
            json.put("role", shown.role());
            for (final ReplicaCounter counter : ReplicaCounter.values())
            {
                if (ReplicaCounter.STATE != counter && ReplicaCounter.ROLE != counter)
                {
                    json.put(counter.name().toLowerCase(Locale.ROOT),
                        YES_OR_NO.contains(counter) ? 0 != shown.of(counter) : shown.of(counter));
                }
            }
            return json;
        }).toList();

        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("driverSilentMs", silentMs);
        json.put("replicas", all);

        return JSON.of(json);
    }
}
