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
 * A metric of the model on examples that nobody trains on.
 *
 * @param timeMs      when it was computed, ms since 1970 UTC.
 * @param batches     that all workers had pushed.
 * @param name        of the metric, such as {@code accuracy}.
 * @param value       of the metric.
 * @param isBestSoFar is the model better than at each earlier evaluation?
 */
public record MetricSample(long timeMs, long batches, String name, double value, boolean isBestSoFar)
{
}
