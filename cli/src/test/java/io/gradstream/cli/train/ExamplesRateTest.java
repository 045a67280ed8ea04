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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExamplesRateTest
{
    private final ExamplesRate rate = new ExamplesRate(1000);

    @Test
    void shouldBeThatSinceTheBeginningInAShortRun()
    {
        rate.onBegan(5000);

        assertThat(rate.of(0, 5000)).isZero();
        assertThat(rate.of(400, 5100)).isEqualTo(4000);
        assertThat(rate.of(3000, 5600)).isEqualTo(5000);
    }

    @Test
    void shouldBeThatOfTheLastIntervalThatWasLongEnough()
    {
        rate.onBegan(5000);

        assertThat(rate.of(2000, 6000)).isEqualTo(2000);
        assertThat(rate.of(2001, 6100)).isEqualTo(2000);
        assertThat(rate.of(5000, 7000)).isEqualTo(3000);
        assertThat(rate.of(5000, 8000)).isZero();
    }
}
