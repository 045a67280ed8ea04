// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.Strictness;
import com.google.gson.annotations.SerializedName;
import com.google.gson.reflect.TypeToken;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The header of a safetensors file, read by the rules of its
 * <a href="https://github.com/huggingface/safetensors#format">published format</a>: 8 bytes of length, that many bytes
 * of JSON, then the bytes of all arrays with no hole between them.
 *
 * @param bytes    the header: the length, the JSON and the spaces after it.
 * @param metadata texts by name; empty if the file has none.
 * @param arrays   by name.
 */
record SafetensorsHeader(byte[] bytes, Map<String, String> metadata, Map<String, Array> arrays)
{
    /** Most bytes of JSON, as in the reference implementation. */
    static final int MAX_LENGTH = 100_000_000;
    /** Type of 4-byte floats. */
    static final String FLOAT32 = "F32";
    /** Type of 8-byte integers. */
    static final String INT64 = "I64";

    private static final Gson GSON =
        new GsonBuilder().disableHtmlEscaping().setStrictness(Strictness.STRICT).create();
    private static final String METADATA = "__metadata__";
    private static final int ALIGNMENT = Long.BYTES;
    /** "GRADMODL", with which files of the format before this one begin. */
    private static final long OLD_MODEL_FILE = 0x4c444f4d44415247L;

    /**
     * An array, with members called as in the header.
     *
     * @param dtype   type of its elements.
     * @param shape   its length in each dimension, in C order.
     * @param offsets where it begins and ends among the bytes of all arrays.
     */
    record Array(String dtype, List<Long> shape, @SerializedName("data_offsets") List<Long> offsets)
    {
        long begin()
        {
            return offsets.get(0);
        }

        long end()
        {
            return offsets.get(1);
        }

        /** True if another array has the same elements. */
        boolean isLike(final Array other)
        {
            return dtype.equals(other.dtype) && shape.equals(other.shape);
        }

        @Override
        public String toString()
        {
            return dtype + " " + shape;
        }

        private boolean hasRightLength()
        {
            return 2 == offsets.size() && shape.stream().allMatch((length) -> length >= 0) &&
                end() - begin() == shape.stream().reduce((long)elementLength(dtype), Math::multiplyExact);
        }
    }

    /**
     * Bytes of an element of a type.
     *
     * @throws IllegalArgumentException if it is neither of the two types that tables have.
     */
    static int elementLength(final String dtype)
    {
        return switch (dtype)
        {
            case FLOAT32 -> Float.BYTES;
            case INT64 -> Long.BYTES;
            default -> throw new IllegalArgumentException(
                "dtype " + dtype + " is neither " + FLOAT32 + " nor " + INT64 + ": convert the array");
        };
    }

    /** The header as a file has it, padded with spaces so that arrays begin aligned. */
    static byte[] bytes(final Map<String, String> metadata, final Map<String, Array> arrays)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put(METADATA, metadata);
        json.putAll(arrays);
        final byte[] text = GSON.toJson(json).getBytes(StandardCharsets.UTF_8);
        final int length = (text.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + length).order(MappedWindows.ORDER);
        bytes.putLong(length).put(text);
        while (bytes.hasRemaining())
        {
            bytes.put((byte)' ');
        }

        return bytes.array();
    }

    /**
     * Read the header of a file, and check that arrays fill the rest of it.
     *
     * @throws ModelFileException if the file is none, is cut off or is damaged.
     */
    static SafetensorsHeader read(final Path file, final MappedWindows windows) throws ModelFileException
    {
        if (windows.length() < Long.BYTES)
        {
            throw cutOff(file, windows, Long.BYTES);
        }
        final long length = windows.getLong(0);
        if (OLD_MODEL_FILE == length)
        {
            throw new ModelFileException(file + " is a model file of Gradstream before 0.1.0 (it begins with" +
                " GRADMODL): export the model again with this version, from the cluster or its servers' directories");
        }
        if (length < 2 || length > MAX_LENGTH)
        {
            throw new ModelFileException(file + " is no model file: safetensors begin with the length of the header" +
                " (offset 0), 2.." + MAX_LENGTH + ", and this one with " + Long.toUnsignedString(length) +
                "; name a .safetensors file");
        }
        if (windows.length() - Long.BYTES < length)
        {
            throw cutOff(file, windows, Long.BYTES + length);
        }

        final byte[] bytes = windows.bytes((int)(Long.BYTES + length));
        final SafetensorsHeader header;
        try
        {
            header = parsed(bytes);
            header.checkArrays();
        }
        // gson and numbers fail in many ways
        catch (final CharacterCodingException | RuntimeException ex)
        {
            throw ModelFileException.damaged(
                file, "in its header (offsets 0.." + (bytes.length - 1) + "): " + ex.getMessage(), ex);
        }
        final long end = bytes.length + header.arrays.values().stream().mapToLong(Array::end).max().orElse(0);
        if (windows.length() < end)
        {
            throw cutOff(file, windows, end);
        }
        if (windows.length() > end)
        {
            throw new ModelFileException(file + " goes on after the end of the model: length=" + windows.length() +
                " instead of " + end + " bytes (offset " + end + ")" + ModelFileException.WHAT_TO_DO);
        }

        return header;
    }

    /** Offset of an array in the file; 0 if there is none. */
    long offset(final String name)
    {
        final Array array = arrays.get(name);
        return null == array ? 0 : bytes.length + array.begin();
    }

    private static SafetensorsHeader parsed(final byte[] bytes) throws CharacterCodingException
    {
        final String text = StandardCharsets.UTF_8.newDecoder()
            .decode(ByteBuffer.wrap(bytes, Long.BYTES, bytes.length - Long.BYTES)).toString();
        // gson refuses a name that is in a map twice
        final Map<String, Map<String, JsonElement>> json = GSON.fromJson(text, new TypeToken<>()
        {
        });
        final Map<String, String> metadata = new LinkedHashMap<>();
        final Map<String, Array> arrays = new LinkedHashMap<>();
        json.getOrDefault(METADATA, Map.of()).forEach((name, value) -> metadata.put(name, text(value)));
        json.forEach((name, members) ->
        {
            if (!METADATA.equals(name))
            {
                arrays.put(name, new Array(text(member(members, "dtype")), longs(members, "shape"),
                    longs(members, "data_offsets")));
            }
        });

        return new SafetensorsHeader(bytes, metadata, arrays);
    }

    private static List<Long> longs(final Map<String, JsonElement> members, final String name)
    {
        return member(members, name).getAsJsonArray().asList().stream()
            .map((number) -> Long.parseLong(number.getAsString())).toList();
    }

    private static String text(final JsonElement value)
    {
        if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isString())
        {
            throw new IllegalArgumentException(value + " is no text");
        }

        return value.getAsString();
    }

    private static JsonElement member(final Map<String, JsonElement> members, final String name)
    {
        return members.getOrDefault(name, JsonNull.INSTANCE);
    }

    private void checkArrays()
    {
        arrays.forEach((name, array) ->
        {
            if (!array.hasRightLength())
            {
                throw new IllegalArgumentException("array " + name + " is " + array + " and cannot be at offsets " +
                    array.offsets);
            }
        });
        final List<Map.Entry<String, Array>> inOrder = arrays.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.comparing(Array::begin).thenComparing(Array::end))).toList();
        long end = 0;
        for (final Map.Entry<String, Array> each : inOrder)
        {
            if (each.getValue().begin() != end)
            {
                throw new IllegalArgumentException("array " + each.getKey() + " begins at " +
                    each.getValue().begin() + " and not at " + end + ", where the one before it ends");
            }
            end = each.getValue().end();
        }
    }

    private static ModelFileException cutOff(final Path file, final MappedWindows windows, final long atLeast)
    {
        return new ModelFileException(file + " is cut off: it has " + windows.length() + " bytes, the model goes on " +
            "to " + atLeast + " at least" + ModelFileException.WHAT_TO_DO);
    }
}
