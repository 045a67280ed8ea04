// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples.sketch;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.FunctionParameters;
import io.gradstream.function.UpdateFunction;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.Locale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SketchFunctionTest
{
    private static UpdateFunction function(final float limit)
    {
        return new SketchFunction().create((FunctionParameters)Proxy.newProxyInstance(
            FunctionParameters.class.getClassLoader(), new Class<?>[]{FunctionParameters.class},
            (proxy, method, arguments) -> switch (method.getName())
            {
                case "positive" -> limit;
                default -> new IllegalArgumentException(String.format(Locale.ROOT, "invalid: %s", arguments));
            }));
    }

    @Test
    void shouldKeepCountersFromZeroToTheLimit()
    {
        final long[] values = {0, 5, 5, 990, 1000, 7};
        function(1000).updateLongs(values, new long[]{3, -4, -6, 11, Long.MAX_VALUE, Long.MIN_VALUE}, 6);

        assertThat(values).containsExactly(3, 1, 0, 1000, 1000, 0);
    }

    @Test
    void shouldNotOverflowWithoutALimit()
    {
        final long[] values = {Long.MAX_VALUE - 1, 0};
        function(Float.POSITIVE_INFINITY).updateLongs(values, new long[]{7, Long.MAX_VALUE}, 2);

        assertThat(values).containsOnly(Long.MAX_VALUE);
    }

    @Test
    void shouldTakeLongsAloneAndALimitThatCounts()
    {
        assertThat(function(1).supports(ElementType.INT64)).isTrue();
        assertThat(function(1).supports(ElementType.FLOAT32)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> function(0.5f)).withMessageContaining("1 or above");
    }
}
