// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * Hears the progress of a training run, from one thread and in order of time. A listener ignores what it has no use
 * for; it must not wait.
 */
public interface ProgressListener
{
    /** Called with the workers' progress, at least once a second while they train. */
    void onSample(ProgressSample sample);

    /** The model was evaluated. */
    void onMetric(MetricSample metric);

    /** Something happened. */
    void onEvent(ProgressEvent event);
}
