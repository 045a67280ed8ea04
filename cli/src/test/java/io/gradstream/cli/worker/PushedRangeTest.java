// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.training.DivergedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PushedRangeTest
{
    private static final long[] KEYS = {7, 9};

    @Test
    void shouldRefuseAGradientThatItsEncodingMakesInfinite()
    {
        final PushedRange half = new PushedRange(ValueEncoding.FLOAT16, 2);
        assertThatCode(() -> half.check(KEYS, 2, new float[]{1, -65_504, 65_519, 0})).doesNotThrowAnyException();
        assertThatThrownBy(() -> half.check(KEYS, 2, new float[]{1, 2, -65_520, 3}))
            .isInstanceOf(DivergedException.class).hasMessage("the gradient -65520.0 of feature 9 is beyond 65504," +
                " the most that --push-values=float16 can say,");
        assertThatCode(() -> half.check(KEYS, 1, new float[]{1, 2, -65_520, 3})).as("of the batch before")
            .doesNotThrowAnyException();
        assertThat(half.holds(1, new float[]{1, 65_504, -65_520, 3})).isTrue();
        assertThat(half.holds(2, new float[]{1, 65_504, -65_520, 3})).isFalse();
        assertThat(new PushedRange(ValueEncoding.RAW, 1).holds(1, new float[]{Float.NaN})).isFalse();

        assertThatThrownBy(() -> new PushedRange(ValueEncoding.BFLOAT16, 1)
            .check(KEYS, 1, new float[]{Float.MAX_VALUE})).hasMessageContaining("--push-values=bfloat16");
        assertThatCode(() -> new PushedRange(ValueEncoding.RAW, 1).check(KEYS, 1, new float[]{Float.MAX_VALUE}))
            .doesNotThrowAnyException();
    }
}
