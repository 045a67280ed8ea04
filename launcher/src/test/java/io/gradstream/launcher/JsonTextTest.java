// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JsonTextTest
{
    private final JsonText json = new JsonText(3);

    @Test
    void shouldKeepOrderAndWriteEachKindOfValue()
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("z", 1L << 60);
        object.put("a", List.of(1.0, 0.0005));
        object.put("n", null);
        object.put("b", true);
        object.put("r", new Pair(1e-9, "x<y"));
        object.put("empty", Map.of());

        assertThat(json.of(object)).isEqualTo("{\"z\":1152921504606846976,\"a\":[1.000,0.001],\"n\":null," +
            "\"b\":true,\"r\":{\"number\":0.000,\"text\":\"x<y\"},\"empty\":{}}");
        assertThat(new JsonText(6).of(List.of(1e-7, 2.5e9))).isEqualTo("[0.000000,2500000000.000000]");
    }

    @Test
    void shouldSayNullWhenANumberIsNotFinite()
    {
        assertThat(json.of(List.of(Double.NaN, Double.NEGATIVE_INFINITY))).isEqualTo("[null,null]");
    }

    @Test
    void shouldEscapeWhenTextHoldsQuotesAndLines()
    {
        assertThat(json.of(Map.of("a\"b", "c\\\n"))).isEqualTo("{\"a\\\"b\":\"c\\\\\\n\"}");
    }

    private record Pair(double number, String text)
    {
    }
}
