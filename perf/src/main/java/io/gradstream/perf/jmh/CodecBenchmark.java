// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.jmh;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.PushEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/** Measures the cost of writing a push of one range of rows, and of finding the gradients in it again. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark
{
    private static final int ROW_LENGTH = 1024;
    private static final int SLACK = 256;

    /** Floats of gradients in the push. */
    @Param({"1024", "16384"})
    public int floats;

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final PushEncoder encoder = new PushEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final PushDecoder decoder = new PushDecoder();
    private final Sections sections = new Sections();
    private UnsafeBuffer message;
    private UnsafeBuffer body;
    private int length;

    @Setup
    public void setUp()
    {
        body = new UnsafeBuffer(ByteBuffer.allocateDirect(Long.BYTES + floats * Float.BYTES));
        for (int i = 0; i < floats; i++)
        {
            body.putFloat(Long.BYTES + i * Float.BYTES, i, ByteOrder.LITTLE_ENDIAN);
        }
        message = new UnsafeBuffer(ByteBuffer.allocateDirect(body.capacity() + SLACK));
        length = encode();
    }

    /** Header, part, one section, gradients copied from off heap. */
    @Benchmark
    public int encode()
    {
        final PushEncoder.SectionsEncoder entries = encoder.wrapAndApplyHeader(message, 0, headerEncoder)
            .epoch(1)
            .sequence(2)
            .acknowledgedThrough(1)
            .incarnation(3)
            .clock(0)
            .partition(0)
            .slot(0)
            .sectionsCount(1);
        entries.next()
            .tableId(0)
            .rowCount(floats / ROW_LENGTH)
            .valuesLength(floats * Float.BYTES)
            .keyForm((short)KeyForm.RANGE)
            .encoding((short)Sections.RAW);
        encoder.putBody(body, 0, body.capacity());

        return encoder.limit();
    }

    /** Header, part, check of the sections, first and last gradient in place. */
    @Benchmark
    public double decode()
    {
        decoder.wrapAndApplyHeader(message, 0, headerDecoder);
        final int begin = decoder.limit();
        sections.wrap(message, begin, length - begin);
        if (sections.isMalformed() || !sections.next())
        {
            throw new IllegalStateException("length=" + length + ": the push cannot be read");
        }
        final int offset = sections.valuesOffset();

        return decoder.sequence() + message.getFloat(offset, ByteOrder.LITTLE_ENDIAN) +
            message.getFloat(offset + sections.valuesLength() - Float.BYTES, ByteOrder.LITTLE_ENDIAN);
    }
}
