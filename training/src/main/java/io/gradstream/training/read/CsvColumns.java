// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The roles of the columns of one file, each found by the column's name. */
final class CsvColumns
{
    static final int LEFT_OUT = -1;
    static final int LABEL = -2;
    static final int CATEGORY = -3;

    /** Most columns that a message lists. */
    private static final int MAX_NAMED = 50;
    private static final int MAX_LISTED = 10;

    private final List<String> names;
    private final List<Column> columns;
    private final int[] roles;
    private final byte[][] prefixes;

    /**
     * Find the columns of a format.
     *
     * @param names of the columns of the file.
     * @throws IllegalArgumentException if a column that the format names is absent, or occurs twice.
     */
    CsvColumns(final CsvFormat format, final List<String> names)
    {
        this.names = List.copyOf(names);
        roles = new int[names.size()];
        prefixes = new byte[names.size()][];
        for (int column = 0; column < roles.length; column++)
        {
            roles[column] = CATEGORY;
            prefixes[column] = (names.get(column) + "=").getBytes(StandardCharsets.UTF_8);
        }

        if (null != format.label() && (!format.isLabelIgnored() || names.contains(format.label())))
        {
            roles[find(format.label())] = format.isLabelIgnored() ? LEFT_OUT : LABEL;
        }
        format.leftOut().forEach((name) -> roles[find(name)] = LEFT_OUT);
        format.numbers().forEach((name) -> roles[find(name)] = 0);
        int feature = format.firstNumber();
        for (int column = 0; column < roles.length; column++)
        {
            if (roles[column] >= 0)
            {
                roles[column] = feature++;
            }
        }
        columns = IntStream.range(0, roles.length)
            .mapToObj((column) -> new Column(names.get(column), kind(format, names.get(column), roles[column])))
            .toList();
    }

    /**
     * Find the columns of a model, by their names.
     *
     * @param known columns that the model was trained on.
     * @param names of the columns of the file.
     * @throws IllegalArgumentException if the two do not have the same columns, in whatever order, or the format leaves
     *                                  out a column that the model was trained on.
     */
    CsvColumns(final CsvFormat format, final List<Column> known, final List<String> names)
    {
        this.names = List.copyOf(names);
        columns = known;
        roles = new int[names.size()];
        prefixes = new byte[names.size()][];
        final Map<String, Integer> roleByName = roles(format, known);
        final Set<String> leftOut = Set.copyOf(format.leftOut());
        final Map<String, Long> counts = counts(names.stream());
        final Map<String, Long> knownCounts = counts(known.stream().map(Column::name));
        final List<String> unknown = new ArrayList<>();
        for (int column = 0; column < roles.length; column++)
        {
            final String name = names.get(column);
            roles[column] = roleByName.getOrDefault(name, LEFT_OUT);
            prefixes[column] = (name + "=").getBytes(StandardCharsets.UTF_8);
            if (!roleByName.containsKey(name) && !leftOut.contains(name))
            {
                unknown.add(name);
            }
            else if (LEFT_OUT != roles[column] && !counts.get(name).equals(knownCounts.get(name)))
            {
                throw new IllegalArgumentException("more than one column '" + name + "'");
            }
        }
        checkSame(known.stream().map(Column::name)
            .filter((name) -> LEFT_OUT != roleByName.get(name) && !counts.containsKey(name)).toList(), unknown);
    }

    private static void checkSame(final List<String> absent, final List<String> unknown)
    {
        if (!absent.isEmpty() || !unknown.isEmpty())
        {
            throw new IllegalArgumentException("the columns are not those of the model, or of the first file:" +
                (absent.isEmpty() ? "" : " absent " + list(absent)) +
                (absent.isEmpty() || unknown.isEmpty() ? "" : ";") +
                (unknown.isEmpty() ? "" : " unknown " + list(unknown)) +
                (absent.isEmpty() ? "; what is not to be read is named by --exclude-columns" : ""));
        }
    }

    /** The roles of the columns of a model, by name. */
    private static Map<String, Integer> roles(final CsvFormat format, final List<Column> known)
    {
        final Set<String> leftOut = Set.copyOf(format.leftOut());
        final Map<String, Integer> roles = new HashMap<>();
        int feature = format.firstNumber();
        for (final Column column : known)
        {
            final int role = switch (column.kind())
            {
                case NUMBER -> feature++;
                case CATEGORY -> CATEGORY;
                case LABEL -> format.isLabelIgnored() ? LEFT_OUT : LABEL;
                case LEFT_OUT -> LEFT_OUT;
            };
            if (LEFT_OUT != role && leftOut.contains(column.name()))
            {
                throw new IllegalArgumentException(
                    "column '" + column.name() + "' was trained on: it cannot be left out");
            }
            roles.put(column.name(), role);
        }
        return roles;
    }

    private static Map<String, Long> counts(final Stream<String> names)
    {
        return names.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private static Column.Kind kind(final CsvFormat format, final String name, final int role)
    {
        if (name.equals(format.label()))
        {
            return Column.Kind.LABEL;
        }
        return role >= 0 ? Column.Kind.NUMBER : CATEGORY == role ? Column.Kind.CATEGORY : Column.Kind.LEFT_OUT;
    }

    private static String list(final List<String> all)
    {
        return all.stream().limit(MAX_LISTED).map((name) -> "'" + name + "'").collect(Collectors.joining(", ")) +
            (all.size() > MAX_LISTED ? " and " + (all.size() - MAX_LISTED) + " more" : "");
    }

    /**
     * Names of the columns of a file without a header.
     *
     * @param known columns of the model, in the order of the file; empty if there is no model. If only the label is
     *              absent from the file, the other columns keep their names.
     * @throws IllegalArgumentException if there are more or fewer columns than there must be.
     */
    static List<String> numbered(final CsvFormat format, final List<Column> known, final int count)
    {
        final boolean isLabelAbsent = format.isLabelIgnored() && count == CsvFormat.CRITEO_COLUMNS - 1;
        if (format.isCriteo() && CsvFormat.CRITEO_COLUMNS != count && !isLabelAbsent)
        {
            throw new IllegalArgumentException(count + " columns, where Criteo's logs have " +
                CsvFormat.CRITEO_COLUMNS + ", with tabs between, of which the first is the label: " +
                (CsvFormat.CRITEO_COLUMNS - 1 == count ? "predict takes data without labels by --no-labels" :
                "is it of another --format?"));
        }
        if (format.isLabelIgnored() && count == known.size() - 1)
        {
            return known.stream().filter((column) -> Column.Kind.LABEL != column.kind()).map(Column::name).toList();
        }
        final List<String> names = known.stream().map(Column::name).toList();
        if (names.isEmpty() || names.equals(numbered(1, names.size())))
        {
            return numbered(format.firstColumn(count), count);
        }
        if (count != names.size())
        {
            throw new IllegalArgumentException(count + " columns without names, where there should be " +
                names.size() + ", in the same order");
        }
        return names;
    }

    /** Names of columns that have none. */
    static List<String> numbered(final int first, final int count)
    {
        final List<String> names = new ArrayList<>();
        for (int column = 0; column < count; column++)
        {
            names.add(Integer.toString(first + column));
        }
        return names;
    }

    int count()
    {
        return roles.length;
    }

    /** Columns of the model: those of this file, or those that this file was compared with. */
    List<Column> columns()
    {
        return columns;
    }

    String name(final int column)
    {
        return names.get(column);
    }

    /** {@link #LEFT_OUT}, {@link #LABEL}, {@link #CATEGORY}, or the feature of a column of numbers. */
    int role(final int column)
    {
        return roles[column];
    }

    /** The bytes that precede a value of the column when the value is hashed. */
    byte[] prefix(final int column)
    {
        return prefixes[column];
    }

    private int find(final String name)
    {
        final int column = names.indexOf(name);
        if (column < 0)
        {
            throw new IllegalArgumentException(
                "no column '" + name + "' among " + roles.length + " columns: " + known());
        }
        if (column != names.lastIndexOf(name))
        {
            throw new IllegalArgumentException("more than one column '" + name + "'");
        }
        return column;
    }

    private String known()
    {
        final String first = names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return first + (names.size() > MAX_NAMED ? ", ..." : 1 == names.size() ? " (is the separator right?)" : "");
    }
}
