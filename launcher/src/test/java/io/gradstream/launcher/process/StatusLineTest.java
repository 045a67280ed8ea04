// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StatusLineTest
{
    @Test
    void shouldParseWhatItPrints()
    {
        final String text = new StatusLine(StatusLine.PROGRESS)
            .with("slot", 3).with("loss", 0.25).with("a", "b=c d").toString();
        final StatusLine line = StatusLine.parse(text);

        assertThat(line.is(StatusLine.PROGRESS)).isTrue();
        assertThat(line.number("slot")).isEqualTo(3);
        assertThat(line.decimal("loss")).isEqualTo(0.25);
        assertThat(line.text("a")).isEqualTo("b=c_d");
    }

    @Test
    void shouldIgnoreOtherLines()
    {
        assertThat(StatusLine.parse("SLF4J: no binding")).isNull();
        assertThat(StatusLine.parse("READY or not")).isNull();
        assertThat(StatusLine.parse("")).isNull();
    }

    @Test
    void shouldNameAMissingField()
    {
        assertThatThrownBy(() -> StatusLine.parse("READY").number("slot")).hasMessageContaining("slot");
    }
}
