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
package io.gradstream.perf.measure;

/**
 * The measurement of one window.
 *
 * @param transfers     completed.
 * @param transferBytes payload of one transfer.
 * @param elapsedNs     from the first start to the last completion.
 * @param p50Ns         median of the latency, NaN where none was taken.
 * @param p99Ns         99th percentile of the latency, NaN where none was taken.
 */
public record Sample(long transfers, long transferBytes, long elapsedNs, double p50Ns, double p99Ns)
{
    public double megabytesPerSecond()
    {
        return transfers * (double)transferBytes * 1_000 / elapsedNs;
    }

    public double transfersPerSecond()
    {
        return transfers * 1e9 / elapsedNs;
    }
}
