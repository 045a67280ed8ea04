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
 * What of a {@link ClusterSample} is kept as a curve.
 *
 * @param timeMs            when, ms since 1970 UTC.
 * @param served            partitions that somebody serves.
 * @param logBytesPerSecond by which all logs grow; NaN with the first sample.
 * @param maxLag            largest lag of a copy in sync, in bytes.
 */
record ClusterLoad(long timeMs, long served, double logBytesPerSecond, long maxLag)
{
}
