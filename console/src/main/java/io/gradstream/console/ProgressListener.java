// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * Is told how a training run goes on, by one thread and in order of time. What it cannot do anything with it ignores;
 * it must not wait.
 */
public interface ProgressListener
{
    /**
     * Workers are so far; every second at least once while they train.
     */
    void onSample(ProgressSample sample);

    /**
     * The model was evaluated.
     */
    void onMetric(MetricSample metric);

    /**
     * Something happened.
     */
    void onEvent(ProgressEvent event);
}
