// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table's specification as a JSON object whose members are called as those of {@link TableSpec}.
 */
final class TableJson
{
    private static final Pattern MEMBER =
        Pattern.compile("\\s*\"(\\w+)\"\\s*:\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([-+.\\w]+))\\s*([,}])");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|(.))");

    private TableJson()
    {
    }

    static String of(final TableSpec spec)
    {
        return "{\"tableId\": " + spec.tableId() +
            ", \"name\": " + quoted(spec.name()) +
            ", \"dim\": " + spec.dim() +
            ", \"elementType\": " + quoted(spec.elementType().name()) +
            ", \"rows\": " + spec.rows() +
            ", \"initialiser\": " + spec.initialiser() +
            ", \"initialiserSeed\": " + spec.initialiserSeed() +
            ", \"initialiserScale\": " + spec.initialiserScale() +
            ", \"function\": " + quoted(spec.function()) + "}";
    }

    /**
     * Read a specification; members that it does not know are left out.
     *
     * @throws ModelFileException if it is none.
     */
    static TableSpec parse(final String json) throws ModelFileException
    {
        final Map<String, String> members = members(json);
        final TableSpec spec;
        try
        {
            spec = new TableSpec(
                Integer.parseInt(member(members, "tableId")), member(members, "name"),
                Integer.parseInt(member(members, "dim")), ElementType.valueOf(member(members, "elementType")),
                Long.parseLong(member(members, "rows")), Integer.parseInt(member(members, "initialiser")),
                Long.parseLong(member(members, "initialiserSeed")),
                Float.parseFloat(member(members, "initialiserScale")), member(members, "function"));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ModelFileException("is no table specification: " + ex.getMessage() + " in " + json, ex);
        }
        final String problem = spec.problem();
        if (null != problem)
        {
            throw new ModelFileException("is no table specification: " + problem);
        }

        return spec;
    }

    private static Map<String, String> members(final String json) throws ModelFileException
    {
        final Map<String, String> members = new HashMap<>();
        final String text = json.trim();
        final Matcher member = MEMBER.matcher(text);
        int begin = 1;
        while (text.startsWith("{") && member.find(begin) && member.start() == begin)
        {
            members.put(member.group(1), null == member.group(2) ? member.group(3) : unescaped(member.group(2)));
            begin = member.end();
            if ("}".equals(member.group(4)) && text.length() == begin)
            {
                return members;
            }
        }

        throw new ModelFileException("is no table specification: offset " + begin + " of " + text);
    }

    private static String member(final Map<String, String> members, final String name)
    {
        final String value = members.get(name);
        if (null == value)
        {
            throw new IllegalArgumentException("no " + name);
        }

        return value;
    }

    private static String quoted(final String text)
    {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String unescaped(final String text)
    {
        return ESCAPE.matcher(text).replaceAll((escape) -> Matcher.quoteReplacement(
            null == escape.group(1) ? escape.group(2) : Character.toString(Integer.parseInt(escape.group(1), 16))));
    }
}
