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
package io.gradstream.cli.train;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RemainingTimeTest
{
    @ParameterizedTest
    @CsvSource({
        "0, 0, ''", "5000, 0.005, ''", "5000, 0.5, ETA 5s", "5000, 1, ''", "10000, 0.1, ETA 1m 30s",
        "61000, 0.5, ETA 1m 01s", "36000, 0.01, ETA 59m 24s", "72000, 0.01, ETA 1h 58m", "1, 0.99, ETA 1s"})
    void shouldSayWhatIsLeftInTheLargestUnits(final long elapsedMs, final double share, final String expected)
    {
        assertThat(RemainingTime.text(elapsedMs, share)).isEqualTo(expected);
    }
}
