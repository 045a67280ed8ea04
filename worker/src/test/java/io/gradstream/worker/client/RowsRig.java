// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client in a simulated world, whose server keeps the rows of one table of floats, and what was said to it. */
final class RowsRig
{
    static final int MAX_IN_FLIGHT = 4;
    static final long INCARNATION = 7;

    /** What the server does with a gradient. */
    interface Update
    {
        void apply(long key, float[] row, float[] gradient);
    }

    final TableSpec spec;
    final GradstreamClient client;
    final ToldCoordinators coordinators;
    final SimulatedServers servers = new SimulatedServers();
    final SimulatedWaits waits = new SimulatedWaits(servers, this::answer);
    final Map<Long, float[]> rows = new HashMap<>();
    /** What came in its order: {@code key=gradients}, or {@code clock N} once for all partitions. */
    final List<String> said = new ArrayList<>();
    /** Gradients that came, of all rows. */
    int rowsPushed;
    /** By partition: false if it acknowledges nothing. */
    final boolean[] isTaking;
    Update update = (key, row, gradient) ->
    {
        for (int i = 0; i < row.length; i++)
        {
            row[i] += gradient[i];
        }
    };
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final Sections sections = new Sections();
    private final long[] sequences;

    RowsRig(final TableSpec spec, final int partitions, final Consistency consistency)
    {
        this(spec, partitions, consistency, new ClientContext());
    }

    RowsRig(final TableSpec spec, final int partitions, final Consistency consistency, final ClientContext context)
    {
        this.spec = spec;
        sequences = new long[partitions];
        isTaking = new boolean[partitions];
        Arrays.fill(isTaking, true);
        coordinators = ToldCoordinators.serving(partitions, SimulatedWaits.SERVER).bind(2, partitions, consistency);
        client = GradstreamClient.connect(waits.of(context)
            .coordinatorChannel(coordinators::open)
            .incarnation(INCARNATION)
            .maxInFlight(MAX_IN_FLIGHT)
            .operationTimeoutNs(100 * SimulatedWaits.STEP_NS));
    }

    /** A key of a partition, and of those the n-th. */
    long keyOf(final int partition, final int n)
    {
        final PartitionFunction function = new PartitionFunction(sequences.length);
        long key = 0;
        while (function.partitionOf(spec.tableId(), key) != partition)
        {
            key = PartitionFunction.blockEnd(key);
        }

        return key + n;
    }

    /** Let the server hear what was said. */
    void poll()
    {
        client.poll();
        waits.serve();
        client.poll();
    }

    float[] row(final long key)
    {
        return rows.computeIfAbsent(key, (absent) -> new float[spec.dim()]);
    }

    private void answer(final UnsafeBuffer message)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case PushDecoder.TEMPLATE_ID -> push(message);
            case ClockDoneDecoder.TEMPLATE_ID ->
            {
                final ClockDoneDecoder clock = new ClockDoneDecoder().wrapAndApplyHeader(message, 0, header);
                final String text = Consistency.FINISHED == clock.clock() ? "finish" : "clock " + clock.clock();
                if (!said.contains(text))
                {
                    said.add(text);
                }
                take(clock.partition(), clock.sequence());
            }
            case PullDecoder.TEMPLATE_ID -> pull(message);
            default -> waits.greet(message);
        }
    }

    private void push(final UnsafeBuffer message)
    {
        final PushDecoder push = new PushDecoder().wrapAndApplyHeader(message, 0, header);
        if (push.sequence() <= sequences[push.partition()])
        {
            return;
        }
        sections.wrap(message, push.limit(), message.capacity() - push.limit());
        while (sections.next())
        {
            for (int i = 0; i < sections.rowCount(); i++)
            {
                final float[] gradient = new float[spec.dim()];
                for (int j = 0; j < gradient.length; j++)
                {
                    gradient[j] = sections.elements().getFloat(sections.elementsOffset() +
                        (i * spec.dim() + j) * Float.BYTES, MessageHeaderDecoder.BYTE_ORDER);
                }
                rowsPushed++;
                said.add(sections.key(i) + "=" + (1 == gradient.length ? gradient[0] : Arrays.toString(gradient)));
                update.apply(sections.key(i), row(sections.key(i)), gradient);
            }
        }
        take(push.partition(), push.sequence());
    }

    private void take(final int partition, final long sequence)
    {
        sequences[partition] = sequence;
        if (isTaking[partition])
        {
            servers.watermarksOf(partition, INCARNATION, sequence);
        }
    }

    /** Acknowledge what a partition has taken. */
    void acknowledge(final int partition)
    {
        isTaking[partition] = true;
        servers.watermarksOf(partition, INCARNATION, sequences[partition]);
    }

    private void pull(final UnsafeBuffer message)
    {
        final PullDecoder pull = new PullDecoder().wrapAndApplyHeader(message, 0, header);
        final int keys = pull.limit() + PullDecoder.bodyHeaderLength();
        final float[] floats = new float[pull.rowCount() * spec.dim()];
        for (int i = 0; i < pull.rowCount(); i++)
        {
            System.arraycopy(row(KeyForm.read(pull.keyForm(), message, keys, i)), 0, floats, i * spec.dim(),
                spec.dim());
        }
        servers.rows(pull.requestId(), pull.partition(), pull.rowCount(), floats, 0,
            ValueEncoding.ofWire(pull.encoding()));
    }
}
