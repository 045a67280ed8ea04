// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The header of a model file: what safetensors say of the arrays, and what Gradstream adds as metadata.
 * docs/MODELS.md is its reference.
 *
 * @param origin      of the model.
 * @param tables      by ascending id.
 * @param description of the program that trained the model; empty if there is none.
 */
record ModelHeader(ModelOrigin origin, List<TableEntry> tables, String description)
{
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
    /** Versions 1 and 2 were of a format of Gradstream's own. */
    private static final String VERSION = "3";
    private static final String GRADSTREAM = "gradstream";
    private static final String CHECKSUM = "crc32c";
    private static final String TABLES = "tables";
    private static final String DESCRIPTION = "description";
    private static final byte[] NO_CHECKSUM = "00000000".getBytes(StandardCharsets.US_ASCII);
    /** The checksum of the header always stands here. Its digits count as zeros in it. */
    private static final int CHECKSUM_OFFSET = Long.BYTES + ("{\"__metadata__\":{\"" + CHECKSUM + "\":\"").length();
    private static final ModelOrigin ELSEWHERE = new ModelOrigin(0, ModelOrigin.NO_CLOCK, 0, 0, 0);

    /**
     * The header as the file has it. Its length does not depend on the checksums.
     *
     * @param checksums of arrays by their names; those that are missing count as 0.
     * @throws ModelFileException if it is longer than a header may be.
     */
    byte[] bytes(final Map<String, Integer> checksums) throws ModelFileException
    {
        final Map<String, String> metadata = new LinkedHashMap<>();
        final Map<String, SafetensorsHeader.Array> arrays = new LinkedHashMap<>();
        metadata.put(CHECKSUM, digits(0));
        metadata.put(GRADSTREAM, VERSION);
        metadata.put("job", Integer.toString(origin.jobId()));
        metadata.put("clock", Long.toString(origin.clock()));
        metadata.put("partitions", Integer.toString(origin.partitions()));
        metadata.put("servers", Integer.toString(origin.servers()));
        metadata.put("exportedAtMs", Long.toString(origin.exportedAtMs()));
        metadata.put(TABLES, GSON.toJson(tables.stream().map(TableEntry::spec).toList()));
        for (final ModelArray array : ModelArray.of(tables))
        {
            metadata.put(CHECKSUM + "." + array.name(), digits(checksums.getOrDefault(array.name(), 0)));
            arrays.put(array.name(), array.header());
        }
        if (!description.isEmpty())
        {
            metadata.put(DESCRIPTION, description);
        }

        final byte[] bytes = SafetensorsHeader.bytes(metadata, arrays);
        if (bytes.length - Long.BYTES > SafetensorsHeader.MAX_LENGTH)
        {
            throw new ModelFileException("the header would be " + bytes.length + " bytes long, and safetensors have" +
                " at most " + SafetensorsHeader.MAX_LENGTH + ": use fewer tables or a shorter description");
        }
        final byte[] checksum = digits(checksum(bytes)).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(checksum, 0, bytes, CHECKSUM_OFFSET, checksum.length);

        return bytes;
    }

    /** Bytes that a description takes in the header. */
    static int length(final String description)
    {
        return GSON.toJson(description).getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * Take what a header says of a model, after checking all of the file but the order of keys.
     *
     * @param specs of the tables if another program wrote the file; null if Gradstream wrote it.
     * @throws ModelFileException if anything is wrong with the file.
     */
    static ModelHeader of(
        final Path file, final SafetensorsHeader header, final MappedWindows windows, final List<TableSpec> specs)
        throws ModelFileException
    {
        final Map<String, String> metadata = header.metadata();
        final boolean isOurs = metadata.containsKey(GRADSTREAM);
        if (isOurs != (null == specs))
        {
            throw new ModelFileException(file +
                (isOurs ? " is a model file of Gradstream: leave --schema-from out; if" +
                " another program changed its values, save them there without the metadata" :
                " was not written by Gradstream (no metadata '" + GRADSTREAM + "' at offset 8): values of another" +
                " program go into a cluster by model import --schema-from FILE"));
        }
        if (isOurs)
        {
            checkBytes(file, header, windows);
        }
        try
        {
            return new ModelHeader(isOurs ? origin(metadata) : ELSEWHERE,
                tables(isOurs ? specs(metadata) : specs, header.arrays(), isOurs),
                isOurs ? metadata.getOrDefault(DESCRIPTION, "") : "");
        }
        // text and numbers that are missing or wrong fail in many ways
        catch (final RuntimeException ex)
        {
            throw new ModelFileException(file + " has a header (offset 8) that makes no model: " + ex.getMessage() +
                "; docs/MODELS.md says how it must be", ex);
        }
    }

    private static void checkBytes(final Path file, final SafetensorsHeader header, final MappedWindows windows)
        throws ModelFileException
    {
        final Map<String, String> metadata = header.metadata();
        if (!VERSION.equals(metadata.get(GRADSTREAM)))
        {
            throw new ModelFileException(file + " is of version " + metadata.get(GRADSTREAM) + " of the model file" +
                " (offset 8), this program reads version " + VERSION + "; use the program that wrote it, or export" +
                " the model again");
        }
        final byte[] bytes = header.bytes().clone();
        System.arraycopy(NO_CHECKSUM, 0, bytes, Math.min(CHECKSUM_OFFSET, bytes.length - NO_CHECKSUM.length),
            NO_CHECKSUM.length);
        check(file, "its header", 0, bytes.length, metadata.get(CHECKSUM), checksum(bytes));
        for (final Map.Entry<String, SafetensorsHeader.Array> each : header.arrays().entrySet())
        {
            final CRC32C crc = new CRC32C();
            final long begin = bytes.length + each.getValue().begin();
            final long end = bytes.length + each.getValue().end();
            windows.checksum(crc, begin, end);
            check(file, "array " + each.getKey(), begin, end, metadata.get(CHECKSUM + "." + each.getKey()),
                (int)crc.getValue());
        }
    }

    private static void check(
        final Path file,
        final String where,
        final long begin,
        final long end,
        final String recorded,
        final int computed) throws ModelFileException
    {
        if (!digits(computed).equals(recorded))
        {
            throw ModelFileException.damaged(file, "in " + where + " (offsets " + begin + ".." + (end - 1) +
                "): checksum recorded=" + recorded + " computed=" + digits(computed), null);
        }
    }

    private static ModelOrigin origin(final Map<String, String> metadata)
    {
        return new ModelOrigin(Integer.parseInt(metadata.get("job")), Long.parseLong(metadata.get("clock")),
            Integer.parseInt(metadata.get("partitions")), Integer.parseInt(metadata.get("servers")),
            Long.parseLong(metadata.get("exportedAtMs")));
    }

    private static List<TableSpec> specs(final Map<String, String> metadata)
    {
        final List<TableSpec> specs = new ArrayList<>();
        for (final JsonElement element : JsonParser.parseString(metadata.get(TABLES)).getAsJsonArray())
        {
            final JsonObject json = element.getAsJsonObject();
            specs.add(new TableSpec(json.get("tableId").getAsInt(), json.get("name").getAsString(),
                json.get("dim").getAsInt(), ElementType.valueOf(json.get("elementType").getAsString()),
                json.get("rows").getAsLong(), json.get("initialiser").getAsInt(),
                json.get("initialiserSeed").getAsLong(), json.get("initialiserScale").getAsFloat(),
                json.get("function").getAsString()));
        }

        return specs;
    }

    /**
     * Tables, with the number of rows and the length of state that their arrays have.
     *
     * @param isEach true if there must be arrays of each table.
     */
    private static List<TableEntry> tables(
        final List<TableSpec> specs, final Map<String, SafetensorsHeader.Array> arrays, final boolean isEach)
    {
        final List<TableEntry> tables = new ArrayList<>();
        final Map<String, SafetensorsHeader.Array> others = new TreeMap<>(arrays);
        int lastId = -1;
        for (final TableSpec spec : specs)
        {
            final SafetensorsHeader.Array keys = arrays.get(ModelArray.Part.KEYS.of(spec));
            final SafetensorsHeader.Array state = arrays.get(ModelArray.Part.STATE.of(spec));
            require(null != keys || !isEach, "there is no array " + ModelArray.Part.KEYS.of(spec));
            if (null != keys)
            {
                final long stateLength = null == state ? 0 :
                    Math.multiplyExact(state.shape().get(state.shape().size() - 1), Float.BYTES);
                final TableEntry table = new TableEntry(spec, Math.toIntExact(stateLength), keys.shape().get(0));
                require(null == table.problem(), table.problem());
                require(spec.tableId() > lastId, "tableId=" + spec.tableId() + " comes after tableId=" + lastId);
                lastId = spec.tableId();
                tables.add(table);
            }
        }
        for (final ModelArray wanted : ModelArray.of(tables))
        {
            final SafetensorsHeader.Array array = others.remove(wanted.name());
            require(null != array, "there is no array " + wanted.name());
            require(wanted.header().isLike(array), "array " + wanted.name() + " is " + array + ", must be " +
                wanted.header());
        }
        require(others.isEmpty(), "arrays " + others.keySet() +
            " are not of tables " + specs.stream().map(TableSpec::name).toList());

        return List.copyOf(tables);
    }

    private static void require(final boolean isRight, final String problem)
    {
        if (!isRight)
        {
            throw new IllegalArgumentException(problem);
        }
    }

    private static int checksum(final byte[] bytes)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int)crc.getValue();
    }

    private static String digits(final int checksum)
    {
        return HexFormat.of().toHexDigits(checksum);
    }
}
