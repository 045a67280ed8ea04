// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.training.DivergedException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PulledRangeTest
{
    private static final int DIM = 2;
    private static final long[] KEYS = {7, 9};

    @Test
    void shouldRefuseAWeightThatServersHoldAndFloat16CannotSay()
    {
        final PulledRange range = new PulledRange(ValueEncoding.FLOAT16, DIM);
        assertThatCode(() -> range.check(KEYS, 2, sent(ValueEncoding.FLOAT16, 1, -65_504, 65_519, 0)))
            .doesNotThrowAnyException();
        assertThatThrownBy(() -> range.check(KEYS, 2, sent(ValueEncoding.FLOAT16, 1, 2, -65_520, 3)))
            .isInstanceOf(DivergedException.class)
            .hasMessage("the weight of feature 9 is beyond 65504, the most that --pull-values=float16 can say,");
        assertThatCode(() -> range.check(KEYS, 1, sent(ValueEncoding.FLOAT16, 1, 2, 70_000, 3)))
            .as("of the batch before").doesNotThrowAnyException();
    }

    @Test
    void shouldLeaveToTheModelWhatOtherEncodingsBring()
    {
        for (final ValueEncoding encoding : new ValueEncoding[]{ValueEncoding.RAW, ValueEncoding.BFLOAT16})
        {
            assertThatCode(() -> new PulledRange(encoding, DIM).check(KEYS, 2, sent(encoding, 1, 2, 1e30f,
                Float.POSITIVE_INFINITY))).doesNotThrowAnyException();
        }
    }

    private static float[] sent(final ValueEncoding encoding, final float... weights)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[weights.length * Float.BYTES]);
        for (int i = 0; i < weights.length; i++)
        {
            message.putFloat(i * Float.BYTES, weights[i], ByteOrder.LITTLE_ENDIAN);
        }
        encoding.encodeInPlace(message, 0, weights.length);
        final float[] received = new float[weights.length];
        encoding.decode(message, 0, received, 0, weights.length);

        return received;
    }
}
