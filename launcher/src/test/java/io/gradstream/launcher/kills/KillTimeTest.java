// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KillTimeTest
{
    @ParameterizedTest
    @CsvSource({"3s,3000", "500ms,500", "1.5s,1500", "1m,60000", "0s,0"})
    void shouldParseTimes(final String text, final long afterMs)
    {
        assertThat(KillTime.parse(text)).isEqualTo(new KillTime(afterMs, 0));
    }

    @Test
    void shouldParseShares()
    {
        assertThat(KillTime.parse("40%")).isEqualTo(new KillTime(KillTime.NOT_A_TIME, 0.4));
        assertThat(KillTime.parse("100%").isTime()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "s", "-1s", "101%", "40 %", "1h", "999999999m", "3s4", "NaN%"})
    void shouldRefuseWhenItIsNeither(final String text)
    {
        assertThatThrownBy(() -> KillTime.parse(text))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("must be a time after training began");
    }
}
