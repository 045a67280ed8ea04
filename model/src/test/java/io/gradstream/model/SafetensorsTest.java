// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Files by the published format, and Python on the other side.
 */
@Timeout(60)
class SafetensorsTest
{
    private static final TableSpec TWO = TableSpec.sparse(4, "two", 2, "momentum/1 rate=1.0 momentum=0.9");
    private static final TableSpec DENSE = TableSpec.dense(5, "dense", 5, 1, "sgd/1 rate=1.0");
    private static final List<TableSpec> SPECS =
        List.of(TestModel.SPARSE, TWO, DENSE, TestModel.COUNTS);
    private static final String KEYS = "'two.keys':{'dtype':'I64','shape':[2],'data_offsets':[0,16]}";
    private static final String VALUES = "'two.values':{'dtype':'F32','shape':[2,2],'data_offsets':[16,32]}";
    private static final String STATE = "'two.state':{'dtype':'F32','shape':[2,2],'data_offsets':[32,48]}";

    @TempDir
    private Path dir;

    @Test
    void shouldReadWhatAnotherProgramWrote() throws IOException
    {
        final TestModel read = new TestModel();
        try (ModelFile model = ModelFile.openForeign(file("{" + KEYS + "," + VALUES + "}", 32), SPECS))
        {
            model.forEach(read);
            assertThat(model.tables()).containsExactly(new TableEntry(TWO, 0, 2));
            assertThat(model.origin().clock()).isEqualTo(ModelOrigin.NO_CLOCK);
            assertThat(model.indexOf(TWO.tableId(), 3)).isEqualTo(1);
        }
        assertThat(read.rows).containsExactly(
            new TestModel.Row(4, 2, "0202020202020202"), new TestModel.Row(4, 3, "0303030303030303"));

        // as the package writes it: in its own order, with metadata of its own
        final String json = "{'__metadata__':{'format':'np'}," + STATE + "," + VALUES + "," + KEYS + "}  ";
        try (ModelFile model = ModelFile.openForeign(file(json, 48), SPECS))
        {
            assertThat(model.tables()).containsExactly(new TableEntry(TWO, 8, 2));
        }
    }

    /** The header has single quotation marks; {@code K}, {@code V} and {@code S} stand for its three arrays. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {K,V}                                       | 31 | is cut off: it has
        {K,V}                                       | 33 | goes on after the end of the model
        {K,V                                        | 32 | damaged in its header
        {K,V}}                                      | 32 | damaged in its header
        [K,V]                                       | 32 | damaged in its header
        {K,V,K}                                     | 32 | duplicate
        {K,V,'__metadata__':{'a':'b','a':'c'}}      | 32 | duplicate
        {K,V,'__metadata__':{'a':['b']}}            | 32 | damaged in its header
        {K,V,'__metadata__':{'a':1}}                | 32 | 1 is no text
        {K,V,'__metadata__':'text'}                 | 32 | damaged in its header
        {K,V,x:{}}                                  | 32 | damaged in its header
        {K,V,'x':{}}                                | 32 | damaged in its header
        {K,'two.values':{'dtype':'F32','shape':[2,2],'data_offsets':[16]}} | 32 | cannot be at offsets [16]
        {K,'two.values':{'dtype':'F32','shape':[2,2],'data_offsets':[17,33]}} | 33 | begins at 17 and not at 16
        {K,'two.values':{'dtype':'F32','shape':[2,2],'data_offsets':[8,24]}} | 32 | begins at 8 and not at 16
        {K,'two.values':{'dtype':'F32','shape':[2,2],'data_offsets':[16,31]}} | 32 | cannot be at offsets [16, 31]
        {K,'two.values':{'dtype':'F32','shape':[2,-2],'data_offsets':[16,32]}} | 32 | cannot be at offsets
        {K,'two.values':{'dtype':'F32','shape':[-2,-2],'data_offsets':[16,32]}} | 32 | cannot be at offsets
        {K,'two.values':{'dtype':'F32','shape':[4294967296,4294967296],'data_offsets':[16,32]}} | 32 | overflow
        {K,'two.values':{'dtype':'F32','shape':[2,2],'data_offsets':[-9223372036854775808,16]}} | 32 | damaged
        {K,'two.values':{'dtype':'F32','shape':[2,2.5],'data_offsets':[16,32]}} | 32 | 2.5
        {K,'two.values':{'dtype':'F16','shape':[2,2],'data_offsets':[16,24]}} | 24 | F16 is neither F32 nor I64
        {K}                                         | 16 | no array two.values
        {V,'two.kexs':{'dtype':'I64','shape':[2],'data_offsets':[0,16]}} | 32 | [two.kexs, two.values] are not of
        {K,'two.values':{'dtype':'F32','shape':[4],'data_offsets':[16,32]}} | 32 | is F32 [4], must be F32 [2, 2]
        {K,'two.values':{'dtype':'I64','shape':[2,1],'data_offsets':[16,32]}} | 32 | is I64 [2, 1], must be F32 [2, 2]
        {K,V,'two.state':{'dtype':'I64','shape':[2,1],'data_offsets':[32,48]}} | 48 | is I64 [2, 1], must be F32
        {K,V,'two.state':{'dtype':'F32','shape':[4],'data_offsets':[32,48]}} | 48 | is F32 [4], must be F32
        {K,V,'two.state':{'dtype':'F32','shape':[],'data_offsets':[32,36]}} | 36 | docs/MODELS.md says
        {V,'two.keys':{'dtype':'I64','shape':[],'data_offsets':[0,8]}} | 32 | begins at 16 and not at 8
        {'two.keys':{'dtype':'I64','shape':[],'data_offsets':[0,8]}} | 8 | docs/MODELS.md says
        {K,V,'__metadata__':{'gradstream':'3'}}     | 32 | is a model file of Gradstream: leave --schema-from out
        """)
    void shouldNameWhatIsWrongWithAFile(final String header, final int length, final String message) throws IOException
    {
        final String json = header.replace("K", KEYS).replace("V", VALUES).replace("S", STATE);
        assertThatThrownBy(() -> ModelFile.openForeign(file(json, length), SPECS))
            .isInstanceOf(ModelFileException.class).hasMessageContaining("by-hand").hasMessageContaining(message);
    }

    @Test
    void shouldRefuseKeysThatAreOutOfOrderOrOutsideTheTable() throws IOException
    {
        final String dense = "{'dense.keys':{'dtype':'I64','shape':[2],'data_offsets':[0,16]}," +
            "'dense.values':{'dtype':'F32','shape':[2,1],'data_offsets':[16,24]}}";
        for (final long[] keys : new long[][]{{4, 3}, {3, 3}, {4, 5}, {-1, 0}})
        {
            final Path file = file(dense, 24);
            final byte[] bytes = Files.readAllBytes(file);
            ByteBuffer.wrap(bytes, bytes.length - 24, 16).order(MappedWindows.ORDER).putLong(keys[0]).putLong(keys[1]);
            Files.write(file, bytes);
            assertThatThrownBy(() -> ModelFile.openForeign(file, SPECS)).isInstanceOf(ModelFileException.class)
                .hasMessageContaining(keys[1] <= keys[0] ? "rows out of order" : "is not in the table");
        }
    }

    @Test
    void shouldRefuseAHeaderThatIsLongerThanTheLimit() throws IOException
    {
        final int limit = 100_000_000;
        for (final int length : new int[]{limit, limit + 1})
        {
            final Path file = dir.resolve("long");
            final ByteBuffer bytes = ByteBuffer.allocate(8).order(MappedWindows.ORDER).putLong(0, length);
            Files.write(file, bytes.array());
            assertThatThrownBy(() -> ModelFile.open(file)).isInstanceOf(ModelFileException.class)
                .hasMessageContaining(length > limit ? "2..100000000, and this one with 100000001" : "is cut off");
        }
        // text that is nested so deep that a recursive reader would fail
        assertThatThrownBy(() -> ModelFile.openForeign(file("{'x':{'a':" + "[".repeat(100_000), 0), SPECS))
            .isInstanceOf(ModelFileException.class).hasMessageContaining("damaged in its header");
    }

    /** The program is the one of docs/MODELS.md. */
    @Test
    void shouldBeReadByFiveLinesOfPython() throws Exception
    {
        final TestModel model = TestModel.ofAllKinds();
        model.write(dir.resolve("weights.safetensors"));
        final Matcher program = Pattern.compile("```python\n(import json, numpy, struct\n.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/MODELS.md")));
        assertThat(program.find()).isTrue();
        assertThat(program.group(1).lines()).hasSizeLessThanOrEqualTo(5);

        final String printed = python(program.group(1) + """
            for table in json.loads(header["__metadata__"]["tables"]):
                parts = [arrays.get(table["name"] + part) for part in (".keys", ".values", ".state")]
                for row in range(len(parts[0])):
                    bits = b"".join(part[row].tobytes() for part in parts[1:] if part is not None)
                    print(table["tableId"], parts[0][row], bits.hex())
            """);
        final List<String> rows = model.sorted().stream()
            .map((row) -> row.tableId() + " " + row.key() + " " + row.hex()).toList();
        assertThat(printed.lines().toList()).isEqualTo(rows);
    }

    @Test
    void shouldReadWhatPythonWrites() throws Exception
    {
        python("""
            import json, numpy, struct
            arrays = {"weights.keys": numpy.array([-3, 7]), "weights.values": numpy.float32([[1, 2], [3, 4.5]])}
            header, data = {}, b""
            for name, array in sorted(arrays.items(), reverse=True):
                header[name] = {"dtype": {"f": "F32", "i": "I64"}[array.dtype.kind], "shape": array.shape,
                    "data_offsets": [len(data), len(data) + array.nbytes]}
                data += array.tobytes()
            text = json.dumps(header).encode()
            open("weights.safetensors", "wb").write(struct.pack("<Q", len(text)) + text + data)
            """);
        final float[] values = new float[2];
        try (ModelFile model = ModelFile.openForeign(dir.resolve("weights.safetensors"), SPECS))
        {
            assertThat(model.tables()).containsExactly(new TableEntry(TestModel.SPARSE, 0, 2));
            assertThat(model.readFloats(TestModel.SPARSE.tableId(), 7, values, 0)).isTrue();
        }
        assertThat(values).containsExactly(3, 4.5f);
    }

    /** Runs a program in the directory; the test is skipped where there is no Python with NumPy. */
    private String python(final String program) throws IOException, InterruptedException
    {
        assumeTrue(run("import numpy").isSuccess(), "python3 with numpy");
        final Run run = run(program);
        assertThat(run.isSuccess()).as(run.printed()).isTrue();
        return run.printed();
    }

    private Run run(final String program) throws IOException, InterruptedException
    {
        final Path printed = Files.createTempFile(dir, "python", ".txt");
        try
        {
            final Process process = new ProcessBuilder("python3", "-c", program).directory(dir.toFile())
                .redirectErrorStream(true).redirectOutput(printed.toFile()).start();
            try
            {
                final boolean isSuccess = process.waitFor(30, TimeUnit.SECONDS) && 0 == process.exitValue();
                return new Run(isSuccess, Files.readString(printed));
            }
            finally
            {
                process.destroyForcibly();
            }
        }
        catch (final IOException ex)
        {
            return new Run(false, ex.toString());
        }
    }

    /**
     * The outcome of a program.
     */
    private record Run(boolean isSuccess, String printed)
    {
    }

    /**
     * A file with a header, and data that are 2 and 3 as keys, rows of bytes 2 and 3 then.
     */
    private Path file(final String json, final int length) throws IOException
    {
        final byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        final ByteBuffer bytes = ByteBuffer.allocate(8 + text.length + length).order(MappedWindows.ORDER);
        bytes.putLong(text.length).put(text);
        for (int i = 0; i < length; i++)
        {
            bytes.put((byte)(i < 16 ? (0 == i % 8 ? 2 + i / 8 : 0) : 2 + (i - 16) / 8 % 2));
        }
        return Files.write(dir.resolve("by-hand.safetensors"), bytes.array());
    }
}
