// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import io.gradstream.launcher.kills.ResizeOrder.Change;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ResizeOrderTest
{
    @ParameterizedTest
    @CsvSource({"5s,-1,5s", "40%,-1,40%", "1@40%,1,40%", "server:3@500ms,3,500ms"})
    void shouldParseWhichServerIsDrainedAndWhen(final String text, final int number, final String when)
    {
        assertThat(ResizeOrder.parseDrain(text))
            .isEqualTo(new ResizeOrder(Change.DRAIN, number, KillTime.parse(when)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "1@", "@5s", "one@5s", "worker:1@5s", "1@2@5s"})
    void shouldRefuseWhatIsNoTime(final String text)
    {
        assertThatThrownBy(() -> ResizeOrder.parseDrain(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("must be a time");
    }

    @Test
    void shouldParseWhenAWorkerIsAdded()
    {
        assertThat(ResizeOrder.parseAddWorker("5s"))
            .isEqualTo(new ResizeOrder(Change.ADD_WORKER, KillOrder.NEXT, KillTime.parse("5s")));
        assertThatThrownBy(() -> ResizeOrder.parseAddWorker("1@40%")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldParseWhenAServerIsAdded()
    {
        assertThat(ResizeOrder.parseAdd("40%"))
            .isEqualTo(new ResizeOrder(Change.ADD, KillOrder.NEXT, KillTime.parse("40%")));
        assertThatThrownBy(() -> ResizeOrder.parseAdd("1@40%")).isInstanceOf(IllegalArgumentException.class);
    }
}
