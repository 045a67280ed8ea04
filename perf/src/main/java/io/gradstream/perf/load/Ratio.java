// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import java.util.Map;

/**
 * One figure of Gradstream's divided by another from the same run: raw Aeron's, or that without a standby.
 */
enum Ratio
{
    PUSH_P50("pushP50OverRawEcho", "push until applied p50 / raw echo p50", Measure.PUSH_APPLIED, Measure.RAW_ECHO),
    PUSH_SHAPE_P50("pushP50OverRawPush", "push until applied p50 / raw payload and short answer p50",
        Measure.PUSH_APPLIED, Measure.RAW_PUSH),
    RECORDED_P50("recordedP50OverRawEcho", "push until recorded p50 / raw echo p50",
        Measure.PUSH_RECORDED, Measure.RAW_ECHO),
    PULL_P50("pullP50OverRawEcho", "pull p50 / raw echo p50", Measure.PULL, Measure.RAW_ECHO),
    PULL_SHAPE_P50("pullP50OverRawPull", "pull p50 / raw short question and payload p50",
        Measure.PULL, Measure.RAW_PULL),
    PUSH_GOODPUT("pushGoodputOverRawStream",
        "push MB/s, depth 8 / raw one way", Measure.PUSH_DEPTH_8, Measure.RAW_STREAM),
    PULL_GOODPUT("pullGoodputOverRawStream",
        "pull MB/s, depth 8 / raw one way", Measure.PULL_DEPTH_8, Measure.RAW_STREAM),
    CHAIN_P50("chainP50OverRawEcho", "chain: push until replicated p50 / raw echo p50",
        Measure.CHAIN_REPLICATED, Measure.RAW_ECHO_BESIDE_CHAIN),
    CHAIN_GOODPUT("chainGoodputOverRawStream",
        "chain: push MB/s, depth 8 / raw one way", Measure.CHAIN_DEPTH_8, Measure.RAW_STREAM),
    CHAIN_GOODPUT_OVER_REPLAY("chainGoodputOverReplay",
        "chain: push MB/s, depth 8 / without standby", Measure.CHAIN_DEPTH_8, Measure.PUSH_DEPTH_8_BESIDE_CHAIN);

    private final String id;
    private final String title;
    private final Measure ours;
    private final Measure base;

    Ratio(final String id, final String title, final Measure ours, final Measure base)
    {
        this.id = id;
        this.title = title;
        this.ours = ours;
        this.base = base;
    }

    String id()
    {
        return id;
    }

    String title()
    {
        return title;
    }

    /**
     * The ratio of medians: of throughput where several transfers were outstanding, else of latency; NaN if either was
     * not measured.
     */
    double of(final Map<Measure, Series> series)
    {
        if (!series.containsKey(ours) || !series.containsKey(base))
        {
            return Double.NaN;
        }
        return value(series.get(ours)) / value(series.get(base));
    }

    private double value(final Series measured)
    {
        final boolean isGoodput = Measure.RAW_STREAM == base || Measure.PUSH_DEPTH_8_BESIDE_CHAIN == base;
        return isGoodput ? measured.megabytesPerSecond().median() : measured.p50Us().median();
    }
}
