// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StragglersTest
{
    private static final int BATCHES = 10_000;

    @Test
    void shouldBeAsManyAsWantedAndTheSameForASeed()
    {
        final Stragglers stragglers = Stragglers.parse("4:0.1", 7);
        int slow = 0;
        int alike = 0;
        for (int batch = 0; batch < BATCHES; batch++)
        {
            final double factor = stragglers.factor(2, batch);
            assertThat(factor).isEqualTo(new Stragglers(4, 0.1, 7).factor(2, batch)).isIn(1.0, 4.0);
            slow += factor > 1 ? 1 : 0;
            alike += factor > 1 && stragglers.factor(3, batch) > 1 ? 1 : 0;
        }
        assertThat(slow).isBetween(900, 1_100);
        assertThat(alike).as("of two workers at once").isBetween(60, 140);
    }

    @Test
    void shouldBeNoneUnlessWanted()
    {
        assertThat(Stragglers.parse(null, 7).factor(0, 1)).isEqualTo(1);
        assertThat(Stragglers.parse("1:1", 7).factor(0, 1)).isEqualTo(1);
    }

    @Test
    void shouldBeOfOneWorkerAlone()
    {
        final Stragglers stragglers = Stragglers.parse("4:1@2", 7);

        assertThat(stragglers.factor(2, 5)).isEqualTo(4);
        assertThat(stragglers.factor(1, 5)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4", "4:", ":0.1", "0.5:0.1", "4:1.1", "4:-0.1", "4:0.1:2", "NaN:0.1", "4:NaN",
        "1001:0.1", "4@0.1:2", "4:0.1@", "4:0.1@-1", "4:0.1@0.5"})
    void shouldSayWhatIsWanted(final String text)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> Stragglers.parse(text, 1))
            .withMessageStartingWith("invalid stragglers=" + text + ": must be FACTOR:PROBABILITY, such as 4:0.1");
    }
}
