// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * The specification of a table: its identity, shape, initial values and update function. Immutable for the life of the
 * job.
 *
 * @param tableId          number of the table in its job, from 0; negative numbers are system tables.
 * @param name             1 to 64 printable ASCII characters.
 * @param dim              values in a row, 1 to {@link #MAX_DIM}.
 * @param elementType      type of the values.
 * @param rows             fixed row count of a dense table, keys [0, rows); 0 for a sparse table.
 * @param initialiser      {@link #ZEROS}, {@link #UNIFORM} or {@link #NORMAL}.
 * @param initialiserSeed  with the key, what random initial values are made from.
 * @param initialiserScale half-width of the uniform, standard deviation of the normal distribution.
 * @param function         update function with its parameters: {@code ftrl/1 alpha=0.1 beta=1.0 l1=1.0 l2=1.0}.
 */
public record TableSpec(
    int tableId,
    String name,
    int dim,
    ElementType elementType,
    long rows,
    int initialiser,
    long initialiserSeed,
    float initialiserScale,
    String function)
{
    /** Rows begin as zeros. */
    public static final int ZEROS = 0;
    /** Rows begin uniform in [-scale, scale), from (seed, key). */
    public static final int UNIFORM = 1;
    /** Rows begin normal with standard deviation scale, from (seed, key). */
    public static final int NORMAL = 2;
    /** Longest row: one row with its headers fits one frame of the log. */
    public static final int MAX_DIM = 8192;
    /** Most tables of a job. */
    public static final int MAX_TABLES = 1024;
    /** Longest name. */
    public static final int MAX_NAME_LENGTH = 64;
    /** Longest function text. */
    public static final int MAX_FUNCTION_LENGTH = 256;

    /**
     * The system table that counts pushes: one row for each slot (key = slot) with the number of parts applied, the
     * sum of their sequences, the sum of their squares and the sum of {@link Sections#contentHash}. A copy stands in
     * every partition.
     */
    public static final TableSpec AUDIT =
        new TableSpec(-1, "_audit", 4, ElementType.INT64, 0, ZEROS, 0, 0f, "add/1");

    /**
     * A sparse table of floats that begin as zeros.
     *
     * @param tableId  number of the table.
     * @param name     of the table.
     * @param dim      values in a row.
     * @param function update function with parameters.
     * @return the specification.
     */
    public static TableSpec sparse(final int tableId, final String name, final int dim, final String function)
    {
        return new TableSpec(tableId, name, dim, ElementType.FLOAT32, 0, ZEROS, 0, 0f, function);
    }

    /**
     * A dense table of floats that begin as zeros.
     *
     * @param tableId  number of the table.
     * @param name     of the table.
     * @param rows     row count.
     * @param dim      values in a row.
     * @param function update function with parameters.
     * @return the specification.
     */
    public static TableSpec dense(
        final int tableId, final String name, final long rows, final int dim, final String function)
    {
        return new TableSpec(tableId, name, dim, ElementType.FLOAT32, rows, ZEROS, 0, 0f, function);
    }

    /**
     * The same table, whose rows begin with uniform random values: see {@link InitialValues}.
     *
     * @param seed      of the values, which differ by key.
     * @param halfWidth values are from -halfWidth to below halfWidth.
     * @return another specification.
     */
    public TableSpec withUniformValues(final long seed, final float halfWidth)
    {
        return new TableSpec(tableId, name, dim, elementType, rows, UNIFORM, seed, halfWidth, function);
    }

    /**
     * The same table, whose rows begin with normal random values: see {@link InitialValues}.
     *
     * @param seed      of the values, which differ by key.
     * @param deviation standard deviation of the values; their mean is 0.
     * @return another specification.
     */
    public TableSpec withNormalValues(final long seed, final float deviation)
    {
        return new TableSpec(tableId, name, dim, elementType, rows, NORMAL, seed, deviation, function);
    }

    /** Bytes of one row's values: dim times the size of an element. */
    public int valuesLength()
    {
        return dim * elementType.length();
    }

    /** True if the system owns the table; its rows are addressed by partition and not by key. */
    public boolean isSystem()
    {
        return tableId < 0;
    }

    /**
     * Find the problem of this specification, apart from its update function.
     *
     * @return one line that names the property, its value and what is allowed; null if nothing is wrong.
     */
    public String problem()
    {
        if (tableId < 0 || tableId >= MAX_TABLES)
        {
            return "invalid tableId=" + tableId + ": must be 0.." + (MAX_TABLES - 1);
        }
        if (!isPrintable(name, MAX_NAME_LENGTH))
        {
            return "invalid name='" + name + "': must be 1.." + MAX_NAME_LENGTH + " printable ASCII characters";
        }
        if (!isPrintable(function, MAX_FUNCTION_LENGTH))
        {
            return "invalid function='" + function + "': must be 1.." + MAX_FUNCTION_LENGTH +
                " printable ASCII characters";
        }
        if (null == elementType)
        {
            return "invalid elementType: must be FLOAT32 or INT64";
        }
        // not by valuesLength(): with a dimension out of range it overflows
        final int maxDim = MAX_DIM * Float.BYTES / elementType.length();
        if (dim < 1 || dim > maxDim)
        {
            return "invalid dim=" + dim + ": must be 1.." + maxDim +
                "; cut a larger tensor into equal rows";
        }
        if (rows < 0)
        {
            return "invalid rows=" + rows + ": must be 0 (sparse) or the row count";
        }
        if (initialiser < ZEROS || initialiser > NORMAL || !Float.isFinite(initialiserScale))
        {
            return "invalid initialiser=" + initialiser + " scale=" + initialiserScale +
                ": must be 0 (zeros), 1 (uniform) or 2 (normal) with a finite scale";
        }

        return null;
    }

    /**
     * Tell how another specification of the same table differs from this one.
     *
     * @param wanted the other.
     * @return such as {@code dim=2 instead of dim=3}, this one's value first; empty if nothing differs.
     */
    public String difference(final TableSpec wanted)
    {
        final StringJoiner differences = new StringJoiner(", ");
        differ(differences, "name", "'" + name + "'", "'" + wanted.name + "'");
        differ(differences, "dim", dim, wanted.dim);
        differ(differences, "elementType", elementType, wanted.elementType);
        differ(differences, "rows", rows, wanted.rows);
        differ(differences, "initialiser", initialiser, wanted.initialiser);
        differ(differences, "initialiserSeed", initialiserSeed, wanted.initialiserSeed);
        differ(differences, "initialiserScale", initialiserScale, wanted.initialiserScale);
        differ(differences, "function", "'" + function + "'", "'" + wanted.function + "'");

        return differences.toString();
    }

    private static void differ(
        final StringJoiner differences, final String property, final Object is, final Object wanted)
    {
        if (!Objects.equals(is, wanted))
        {
            differences.add(property + "=" + is + " instead of " + property + "=" + wanted);
        }
    }

    private static boolean isPrintable(final String text, final int maxLength)
    {
        return null != text && !text.isEmpty() && text.length() <= maxLength &&
            StandardCharsets.US_ASCII.newEncoder().canEncode(text) &&
            text.chars().allMatch((c) -> c >= ' ' && c < 0x7f);
    }
}
