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
package io.gradstream.perf.load;

import java.util.Map;

/**
 * Everything measured at one size.
 *
 * @param size      bytes of a transfer.
 * @param rate      transfers a second at the fixed rate.
 * @param series    by measure, in the order they were taken.
 * @param busyCores during the measures of pushes with several outstanding.
 */
record SizeResult(int size, double rate, Map<Measure, Series> series, Map<Measure, CpuLoad> busyCores)
{
}
