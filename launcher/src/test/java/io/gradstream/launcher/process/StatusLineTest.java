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
