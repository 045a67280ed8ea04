/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
