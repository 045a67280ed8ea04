/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.training.read;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What each column of one file is, found by its name.
 */
final class CsvColumns
{
    static final int LEFT_OUT = -1;
    static final int LABEL = -2;
    static final int CATEGORY = -3;

    /** Most columns that a message lists. */
    private static final int MAX_NAMED = 50;

    private final List<String> names;
    private final int[] roles;
    private final byte[][] prefixes;

    /**
     * Find the columns of a format.
     *
     * @param names of the columns of the file.
     * @throws IllegalArgumentException if one that the format names is absent, or a name occurs twice.
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

    List<String> names()
    {
        return names;
    }

    String name(final int column)
    {
        return names.get(column);
    }

    /** {@link #LEFT_OUT}, {@link #LABEL}, {@link #CATEGORY}, or, of a column of numbers, its feature. */
    int role(final int column)
    {
        return roles[column];
    }

    /** What stands before a value of the column when it is hashed. */
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
