// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FingerprintTest
{
    @Test
    void shouldMatchDigestOfStatedLayoutWhenRowsExceedBuffer() throws NoSuchAlgorithmException
    {
        final int dim = 3;
        final int rows = 5000;
        final long[] keys = new long[rows];
        final float[] values = new float[rows * dim];
        final ByteBuffer layout = ByteBuffer.allocate(rows * (12 + 4 * dim)).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < rows; row++)
        {
            keys[row] = row * 7L - 100;
            layout.putInt(4).putLong(keys[row]);
            for (int i = 0; i < dim; i++)
            {
                values[row * dim + i] = row / 3.0f + i;
                layout.putFloat(values[row * dim + i]);
            }
        }

        final byte[] expected = MessageDigest.getInstance("SHA-256").digest(layout.array());
        assertThat(Fingerprint.of(4, keys, rows, values, dim)).isEqualTo(HexFormat.of().formatHex(expected));
    }

    @Test
    void shouldDifferWhenOneBitDiffers()
    {
        final long[] keys = { 1, 2 };
        final String fingerprint = Fingerprint.of(1, keys, 2, new float[]{ 0.0f, 1.0f }, 1);
        assertThat(fingerprint).hasSize(64).isEqualTo(Fingerprint.of(1, keys, 2, new float[]{ 0.0f, 1.0f }, 1));
        assertThat(Fingerprint.of(1, keys, 2, new float[]{ -0.0f, 1.0f }, 1)).isNotEqualTo(fingerprint);
        assertThat(Fingerprint.of(2, keys, 2, new float[]{ 0.0f, 1.0f }, 1)).isNotEqualTo(fingerprint);
        assertThat(Fingerprint.of(1, keys, 1, new float[]{ 0.0f, 1.0f }, 1)).isNotEqualTo(fingerprint);
    }

    @Test
    void shouldRefuseWhenRowsAreOutOfOrder()
    {
        final Fingerprint fingerprint = new Fingerprint();
        fingerprint.add(2, 5, new float[1], 0, 1);
        fingerprint.add(3, 4, new float[1], 0, 1);
        assertThatThrownBy(() -> fingerprint.add(3, 4, new float[1], 0, 1)).hasMessageContaining("out of order");
        assertThatThrownBy(() -> fingerprint.add(2, 9, new float[1], 0, 1)).hasMessageContaining("out of order");
    }

    @Test
    void shouldStartAgainWhenFinished()
    {
        final Fingerprint fingerprint = new Fingerprint();
        fingerprint.add(2, 5, new float[1], 0, 1);
        final String first = fingerprint.finish();
        fingerprint.add(2, 5, new float[1], 0, 1);
        assertThat(fingerprint.finish()).isEqualTo(first);
    }
}
