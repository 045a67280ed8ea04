// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntHashMap;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of parameters as training defines it ({@code parametersSha256}): each row adds its table id (int32), key
 * (int64) and values, all little endian, in ascending order of (table id, key). State is not part of it.
 */
final class ParametersHash implements ModelHandler
{
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final MessageDigest digest = sha256();
    private final Int2IntHashMap valuesLengths = new Int2IntHashMap(-1);
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH).order(MappedWindows.ORDER);

    @Override
    public void onTable(final TableSpec spec, final int stateLength)
    {
        valuesLengths.put(spec.tableId(), spec.valuesLength());
    }

    @Override
    public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
    {
        final int length = valuesLengths.get(tableId);
        if (buffer.remaining() < Integer.BYTES + Long.BYTES + length)
        {
            drain();
        }
        buffer.putInt(tableId).putLong(key);
        row.getBytes(offset, buffer, length);
    }

    String finish()
    {
        drain();
        return HexFormat.of().formatHex(digest.digest());
    }

    private void drain()
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
