// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.ClockDoneEncoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Draws parts and writes them as frames: small counts for a few rows with the audit row, now and then a value that is
 * no number, a part that a primary may refuse and the next one take, and clocks.
 */
public final class Workload
{
    /** Parts of each slot at each partition. */
    public static final int PARTS = 100;
    public static final TableSpec COUNTS = TableSpec.sparse(0, "counts", 1, "add/1");
    /** Where there is one, each part brings -1 to its only row: that is the sum of the factors of its updates. */
    public static final TableSpec RATED =
        TableSpec.sparse(1, "rated", 1, "sgd/1 rate=1 schedule=cosine:steps=120:warmup=20:floor=0.1");
    private static final int RATED_LENGTH = Long.BYTES + Float.BYTES;
    private static final float UNIT = 0.1f;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final int partition;
    private final long firstKey;
    private final long ratedKey;
    private final SplittableRandom random;
    private final ScenarioConfig config;
    private final boolean hasEachForm;
    private final History history;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PushEncoder push = new PushEncoder();
    private final ClockDoneEncoder clockDone = new ClockDoneEncoder();

    Workload(
        final int partition,
        final long firstKey,
        final SplittableRandom random,
        final ScenarioConfig config,
        final boolean hasEachForm,
        final History history)
    {
        this.config = config;
        this.hasEachForm = hasEachForm;
        this.partition = partition;
        this.firstKey = firstKey;
        ratedKey = config.firstKey(RATED, partition);
        this.random = random;
        this.history = history;
    }

    public History history()
    {
        return history;
    }

    public int nextBurst()
    {
        return random.nextInt(10) == 0 ? 1 + random.nextInt(4) : 0;
    }

    public History.Part nextPart(final long sequence)
    {
        final long clock = config.clock(sequence);
        final int rows = 0 == sequence % config.clockEvery() ? 0 : 1 + random.nextInt(3);
        final int[] keys = new int[rows];
        final int[] values = new int[rows];
        final int first = random.nextInt(History.KEYS - 3);
        for (int i = 0; i < rows; i++)
        {
            keys[i] = first + i;
            values[i] = 1 + random.nextInt(7);
        }
        final boolean isRefused = rows > 0 && random.nextInt(config.bounds().refusedOneOf()) == 0;
        if (rows > 0 && random.nextInt(6) == 0)
        {
            values[0] = -values[0];
        }

        return new History.Part(keys, values, isRefused, clock);
    }

    /** Returns what is pushed to a row: where clocks are added up, a value whose sums depend on the order. */
    public static float gradient(final ScenarioConfig config, final int value)
    {
        return config.encoding().rounded(config.isOrdered() ? value * UNIT : value);
    }

    /** Returns the value that was pushed as a gradient. */
    public static int value(final ScenarioConfig config, final float gradient)
    {
        return Math.round(config.isOrdered() ? gradient / UNIT : gradient);
    }

    public int length(final History.Part part)
    {
        return MessageHeaderEncoder.ENCODED_LENGTH + (part.isClock() ? ClockDoneEncoder.BLOCK_LENGTH :
            PushEncoder.BLOCK_LENGTH + Sections.lengthOf(sectionCount(), bodyLength(part)));
    }

    private int bodyLength(final History.Part part)
    {
        final int rowLength = config.encoding().elementLength();

        return (int)KeyForm.length(keyForm(part), part.keys().length) + part.keys().length * rowLength +
            Long.BYTES + TableSpec.AUDIT.valuesLength() + (config.isRateScheduled() ? RATED_LENGTH : 0);
    }

    private int sectionCount()
    {
        return config.isRateScheduled() ? 3 : 2;
    }

    /** Any of the forms where slots are bound, else whole keys: the keys of a part are consecutive. */
    private int keyForm(final History.Part part)
    {
        return hasEachForm ? KeyForm.KEYS + part.keys()[0] % KeyForm.OFFSETS_32 : KeyForm.KEYS;
    }

    /**
     * Write a part as a frame.
     *
     * @return its content hash, 0 for a clock.
     */
    public long encode(
        final History.Part part,
        final int slot,
        final long sequence,
        final MutableDirectBuffer buffer,
        final int offset)
    {
        if (part.isClock())
        {
            clockDone.wrapAndApplyHeader(buffer, offset, header)
                .epoch(0).sequence(sequence).acknowledgedThrough(0).incarnation(0).clock(part.clock())
                .partition(partition).slot(slot);
            return 0;
        }
        final int rows = part.keys().length;
        final ValueEncoding encoding = config.encoding();
        final PushEncoder.SectionsEncoder sections = push.wrapAndApplyHeader(buffer, offset, header)
            .epoch(0).sequence(sequence).acknowledgedThrough(0).incarnation(0).clock(part.clock())
            .partition(partition).slot(slot).keyList(config.isKeyCached() ? KeyLists.WANTED : KeyLists.NONE)
            .sectionsCount(sectionCount());
        sections.next().tableId(COUNTS.tableId()).rowCount(rows).valuesLength(rows * encoding.elementLength())
            .keyForm((short)keyForm(part)).encoding((short)encoding.wire());
        if (config.isRateScheduled())
        {
            sections.next().tableId(RATED.tableId()).rowCount(1).valuesLength(Float.BYTES)
                .keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        }
        sections.next().tableId(TableSpec.AUDIT.tableId()).rowCount(1).valuesLength(TableSpec.AUDIT.valuesLength())
            .keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        final int begin = offset + MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;
        buffer.putInt(push.limit(), bodyLength(part), ORDER);
        int to = push.limit() + Sections.BODY_LENGTH_LENGTH;
        final long[] keys = IntStream.of(part.keys()).mapToLong((key) -> firstKey + key).toArray();
        KeyForm.write(keyForm(part), keys, 0, rows, keys[0], buffer, to);
        to += (int)KeyForm.length(keyForm(part), rows);
        final float[] gradients = new float[rows];
        for (int i = 0; i < rows; i++)
        {
            gradients[i] = part.isRefused() ? Float.NaN : gradient(config, part.values()[i]);
        }
        encoding.encode(gradients, 0, buffer, to, rows);
        to += rows * encoding.elementLength();
        if (config.isRateScheduled())
        {
            buffer.putLong(to, ratedKey, ORDER);
            buffer.putFloat(to + Long.BYTES, -1, ORDER);
            to += RATED_LENGTH;
        }
        final long contentHash = Sections.contentHash(buffer, begin, to - begin, sequence);
        buffer.putLong(to, slot, ORDER);
        buffer.putLong(to + Long.BYTES, 1, ORDER);
        buffer.putLong(to + 2 * Long.BYTES, sequence, ORDER);
        buffer.putLong(to + 3 * Long.BYTES, sequence * sequence, ORDER);
        buffer.putLong(to + 4 * Long.BYTES, contentHash, ORDER);

        return contentHash;
    }
}
