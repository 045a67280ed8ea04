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
package io.gradstream.cli;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LineTest
{
    @Test
    void shouldParseWhatItPrints()
    {
        final String text = new Line(Line.PROGRESS).with("slot", 3).with("loss", 0.25).with("a", "b=c d").toString();
        final Line line = Line.parse(text);

        assertThat(line.is(Line.PROGRESS)).isTrue();
        assertThat(line.number("slot")).isEqualTo(3);
        assertThat(line.decimal("loss")).isEqualTo(0.25);
        assertThat(line.text("a")).isEqualTo("b=c_d");
    }

    @Test
    void shouldIgnoreOtherLines()
    {
        assertThat(Line.parse("SLF4J: no binding")).isNull();
        assertThat(Line.parse("READY or not")).isNull();
        assertThat(Line.parse("")).isNull();
    }

    @Test
    void shouldNameAMissingField()
    {
        assertThatThrownBy(() -> Line.parse("READY").number("slot")).hasMessageContaining("slot");
    }
}
