// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.FloatArrays;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.cache.CachedRows;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.cache.ProcessCache;
import io.gradstream.worker.session.Spool;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The encoding of what is pushed: what a spool holds, what a cache is told, and what is refused. */
class PushRequestTest
{
    private static final int DIM = 3;
    private static final TableSpec SPEC = TableSpec.sparse(3, "rows", DIM, "add/1");
    private static final int PARTITIONS = 4;
    private static final int ROWS = 40;

    private final PushRequest request = new PushRequest(PARTITIONS);
    private final Spool spool = new Spool(64 * 1024, 16);
    private final long[] keys = new long[ROWS];
    private final float[] gradients = new float[ROWS * DIM];

    PushRequestTest()
    {
        for (int i = 0; i < ROWS; i++)
        {
            keys[i] = 1_000L * i;
        }
        for (int i = 0; i < gradients.length; i++)
        {
            gradients[i] = (0 == i % 2 ? 1f : -1f) / (i + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(ValueEncoding.class)
    void shouldWriteAnArrayAndABufferAsTheyAreEncoded(final ValueEncoding encoding)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 + gradients.length * Float.BYTES]);
        FloatArrays.write(gradients, 0, gradients.length, buffer, 1);
        assertWritten(encoding, request.of(SPEC, keys, 0, ROWS).as(encoding).values(gradients));
        assertWritten(encoding, request.of(SPEC, keys, 0, ROWS).as(encoding).values(buffer, 1));
        assertWritten(encoding, request.ofRange(SPEC, 5, ROWS).as(encoding).values(gradients));
        assertWritten(encoding, request.ofRange(SPEC, 5, ROWS).as(encoding).values(buffer, 1));

        assertThat(request.of(SPEC, keys, 0, ROWS).encoding()).as("of the next push").isEqualTo(Sections.RAW);
        assertThat(request.rowLength()).isEqualTo(SPEC.valuesLength());
    }

    private void assertWritten(final ValueEncoding encoding, final PushRequest written)
    {
        assertThat(written.encoding()).isEqualTo(encoding.wire());
        assertThat(written.rowLength()).isEqualTo(DIM * encoding.elementLength());
        final float[] row = new float[DIM];
        int rows = 0;
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            final int begin = written.plan().begin(partition);
            final int count = written.plan().end(partition) - begin;
            final int offset = spool.claim(1 + count * written.rowLength());
            written.copyRows(begin, count, spool, offset);
            for (int i = 0; i < count; i++, rows++)
            {
                encoding.decode(spool.buffer(), offset + i * written.rowLength(), row, 0, DIM);
                for (int j = 0; j < DIM; j++)
                {
                    assertThat(row[j])
                        .isEqualTo(encoding.rounded(gradients[written.plan().row(begin + i) * DIM + j]));
                }
            }
        }
        assertThat(rows).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource(ValueEncoding.class)
    void shouldTellACacheWhatServersDecode(final ValueEncoding encoding)
    {
        final ProcessCache cache = new ProcessCache(2);
        cache.consistency(new Consistency(2, 2));
        cache.add(SPEC, 1 << 20, OwnPushes.AT_ONCE);
        final CachedRows rows = cache.of(SPEC.tableId());
        rows.put(0, keys[1], new float[DIM], 0, 5, rows.onAsked());
        request.of(SPEC, keys, 0, ROWS).as(encoding).values(gradients).cache(rows, 0, ROWS);

        final float[] row = new float[DIM];
        assertThat(rows.take(0, keys[1], 5, row, 0)).isEqualTo(5);
        for (int j = 0; j < DIM; j++)
        {
            assertThat(row[j]).isEqualTo(encoding.rounded(gradients[DIM + j]));
        }
    }

    @Test
    void shouldRefuseWhatTheEncodingMakesInfinite()
    {
        gradients[2 * DIM + 1] = -65_520;
        assertThatThrownBy(() -> request.of(SPEC, keys, 0, ROWS).as(ValueEncoding.FLOAT16).values(gradients))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("gradient -65520.0 at row 2 element 1 is infinite as FLOAT16: push BFLOAT16 or RAW, or " +
                "smaller gradients");
        request.of(SPEC, keys, 0, ROWS).as(ValueEncoding.BFLOAT16).values(gradients);

        gradients[0] = Float.MAX_VALUE;
        assertThatThrownBy(() -> request.of(SPEC, keys, 0, ROWS).as(ValueEncoding.BFLOAT16).values(gradients))
            .hasMessageContaining("is infinite as BFLOAT16: push RAW, or smaller gradients");
        request.of(SPEC, keys, 0, ROWS).as(ValueEncoding.RAW).values(gradients);

        gradients[0] = Float.NaN;
        assertThatThrownBy(() -> request.of(SPEC, keys, 0, ROWS).as(ValueEncoding.FLOAT16).values(gradients))
            .hasMessageContaining("invalid gradient NaN at row 0 element 0: must be finite");
    }
}
