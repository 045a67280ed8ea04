// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;

/**
 * Writes maps, lists, records and numbers as JSON on one line, and reads them. A double has a fixed number of decimals,
 * and is null if it is not finite, which JSON cannot say.
 */
public final class JsonText
{
    private final Gson gson;

    /** A writer of so many decimals of each double. */
    public JsonText(final int decimals)
    {
        final JsonSerializer<Double> number = (value, type, context) -> !Double.isFinite(value) ? JsonNull.INSTANCE :
            new JsonPrimitive(BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP));
        gson = new GsonBuilder().serializeNulls().disableHtmlEscaping()
            .registerTypeAdapter(Double.class, number).registerTypeAdapter(double.class, number).create();
    }

    /** An object as text: one line without its end. */
    public String of(final Object object)
    {
        return gson.toJson(object);
    }

    /** The members of an object by name, in their order, as {@link #of} writes them among those of another object. */
    public Map<String, ?> members(final Object object)
    {
        return gson.toJsonTree(object).getAsJsonObject().asMap();
    }

    /**
     * An object out of its text. Members that the type does not have are left out.
     *
     * @throws IllegalArgumentException if the text is no object of the type.
     */
    public <T> T read(final String text, final Class<T> type)
    {
        try
        {
            final T object = gson.fromJson(text, type);
            if (null == object)
            {
                throw new IllegalArgumentException("no JSON");
            }
            return object;
        }
        catch (final JsonParseException ex)
        {
            throw new IllegalArgumentException(ex.getMessage(), ex);
        }
    }
}
