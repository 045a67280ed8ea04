// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of trained parameters ({@code parametersSha256}): of values by (table, key) only, so that it does not depend
 * on servers, partitions, epochs or the order in which rows arrived.
 * <p>
 * Each row adds: table id (int32), key (int64), then the raw bits of each value (float32), all little endian. Rows are
 * added in ascending order of (table id, key).
 */
public final class Fingerprint
{
    private static final int BUFFER_LENGTH = 8 * 1024;

    private final MessageDigest digest = sha256();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private boolean isEmpty = true;
    private int lastTableId;
    private long lastKey;

    /**
     * Fingerprint of one table.
     *
     * @param keys   in ascending order.
     * @param values {@code keyCount * dim} values, row after row.
     * @return 64 lower-case hexadecimal digits.
     * @throws IllegalArgumentException if the keys do not ascend.
     */
    public static String of(
        final int tableId, final long[] keys, final int keyCount, final float[] values, final int dim)
    {
        final Fingerprint fingerprint = new Fingerprint();
        for (int i = 0; i < keyCount; i++)
        {
            fingerprint.add(tableId, keys[i], values, i * dim, dim);
        }

        return fingerprint.finish();
    }

    /**
     * Add a row.
     *
     * @param tableId of the row, not below that of the row before.
     * @param key     of the row, above that of the row before when the table is the same.
     * @throws IllegalArgumentException if the row is out of order.
     */
    public void add(final int tableId, final long key, final float[] values, final int offset, final int dim)
    {
        if (!isEmpty && (tableId < lastTableId || (tableId == lastTableId && key <= lastKey)))
        {
            throw new IllegalArgumentException(
                "row out of order: tableId=" + tableId + " key=" + key +
                " after tableId=" + lastTableId + " key=" + lastKey);
        }

        isEmpty = false;
        lastTableId = tableId;
        lastKey = key;

        makeRoom(Integer.BYTES + Long.BYTES);
        buffer.putInt(tableId).putLong(key);
        for (int i = offset; i < offset + dim; i++)
        {
            makeRoom(Float.BYTES);
            buffer.putInt(Float.floatToRawIntBits(values[i]));
        }
    }

    /** The fingerprint of the rows added, 64 lower-case hexadecimal digits. This object is as new after it. */
    public String finish()
    {
        digestBuffer();
        isEmpty = true;
        return HexFormat.of().formatHex(digest.digest());
    }

    private void makeRoom(final int length)
    {
        if (buffer.remaining() < length)
        {
            digestBuffer();
        }
    }

    private void digestBuffer()
    {
        digest.update(buffer.flip());
        buffer.clear();
    }

    private static MessageDigest sha256()
    {
        try
        {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every Java platform must have SHA-256", ex);
        }
    }
}
