// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.TableSpec;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;

import static io.gradstream.server.recording.RecordedPartition.JOB;
import static io.gradstream.server.recording.RecordedPartition.PARTITION;
import static io.gradstream.server.recording.RecordedPartition.WEIGHTS;
import static io.gradstream.server.recording.RecordedPartition.WIDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class PartitionExportTest
{
    private static final float[] AWKWARD = {1e-45f, -0f, Float.MAX_VALUE, 0.1f, 1 / 3f, -123456.79f};

    @TempDir
    private Path dir;
    private RecordedPartition live;
    private PartitionRebuild rebuild;

    @BeforeEach
    void setUp()
    {
        live = new RecordedPartition(dir.resolve("node"));
        live.start();
        live.pushes(30);
        for (int i = 0; i < AWKWARD.length; i++)
        {
            live.push(WIDE, 1000 - i, AWKWARD[i]);
        }
        rebuild = PartitionRebuild.run(live.stopAndOpen(), JOB, PARTITION, PartitionRebuild.END);
    }

    @AfterEach
    void tearDown()
    {
        CloseHelper.closeAll(rebuild, live);
    }

    @Test
    void shouldWriteCsvThatGivesBackTheSameBits() throws IOException
    {
        final Path file = dir.resolve("state.csv");
        final long rows = new PartitionExport(rebuild, rebuild.tables()).write(file, PartitionExport.Format.CSV);

        final List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize((int)rows + 1);
        assertThat(lines.get(0)).startsWith("table,key,version,value0,value1,").endsWith(",value499");
        final UnsafeBuffer values = new UnsafeBuffer(new byte[WIDE.valuesLength()]);
        long lastKey = -1;
        String lastTable = "";
        for (final String line : lines.subList(1, lines.size()))
        {
            final String[] fields = line.split(",", -1);
            assertThat(fields).hasSize(3 + WIDE.dim());
            final TableSpec spec = "weights".equals(fields[0]) ? WEIGHTS : WIDE;
            final long key = Long.parseLong(fields[1]);
            assertThat(key).isGreaterThan(lastTable.equals(fields[0]) ? lastKey : -1);
            lastKey = key;
            lastTable = fields[0];
            live.partition.rows().read(spec.tableId(), key, values, 0);
            for (int i = 0; i < spec.dim(); i++)
            {
                assertThat(Float.floatToRawIntBits(Float.parseFloat(fields[3 + i])))
                    .isEqualTo(values.getInt(i * Float.BYTES, ByteOrder.LITTLE_ENDIAN));
            }
            assertThat(live.hashes).containsKey(Long.parseLong(fields[2]));
        }
    }

    @Test
    void shouldWriteTheBinaryFormAsDocumented() throws IOException
    {
        final Path file = dir.resolve("state.bin");
        new PartitionExport(rebuild, rebuild.tables()).write(file, PartitionExport.Format.BINARY);

        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        final CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, bytes.capacity() - 4);
        assertThat(bytes.getInt(bytes.capacity() - 4)).isEqualTo((int)crc.getValue());
        assertThat(text(bytes, 8)).isEqualTo("GRADPART");
        assertThat(List.of(bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt()))
            .containsExactly(1, JOB, PARTITION, 3);
        assertThat(List.of(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong()))
            .containsExactly(
                live.partition.cursor().position(), live.partition.cursor().index(), 1L,
                live.partition.cursor().chainHash(), live.partition.stateHash());
        assertTable(bytes, TableSpec.AUDIT, 2, 0, 0);
        assertTable(bytes, WEIGHTS, 1, 2 * 2 * Float.BYTES, 10);
        assertTable(bytes, WIDE, 1, 0, 0);
        assertThat(bytes.remaining()).isEqualTo(4);
    }

    @Test
    void shouldNotWriteOverAFileNorLeaveAPart() throws IOException
    {
        final Path file = Files.createFile(dir.resolve("state.csv"));
        final PartitionExport export = new PartitionExport(rebuild, rebuild.tables());

        assertThatThrownBy(() -> export.write(file, PartitionExport.Format.CSV))
            .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> export.write(dir.resolve("missing/state.csv"), PartitionExport.Format.CSV))
            .isInstanceOf(IOException.class);
        assertThat(dir).isDirectoryNotContaining("glob:**.part");
    }

    private void assertTable(
        final ByteBuffer bytes, final TableSpec spec, final int elementType, final int stateLength, final int rows)
    {
        assertThat(List.of(bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt()))
            .containsExactly(spec.tableId(), elementType, spec.dim(), stateLength);
        assertThat(bytes.getLong()).isZero();
        final long count = bytes.getLong();
        assertThat(count).isGreaterThanOrEqualTo(rows);
        assertThat(text(bytes, bytes.getInt())).isEqualTo(spec.name());
        assertThat(text(bytes, bytes.getInt())).isEqualTo(spec.function());
        final UnsafeBuffer values = new UnsafeBuffer(new byte[spec.valuesLength()]);
        final byte[] read = new byte[spec.valuesLength()];
        for (int i = 0; i < count; i++)
        {
            live.partition.rows().read(spec.tableId(), bytes.getLong(), values, 0);
            assertThat(live.hashes).containsKey(bytes.getLong());
            bytes.get(read);
            assertThat(read).isEqualTo(values.byteArray());
            bytes.position(bytes.position() + stateLength);
        }
    }

    private static String text(final ByteBuffer bytes, final int length)
    {
        final byte[] text = new byte[length];
        bytes.get(text);

        return new String(text, StandardCharsets.US_ASCII);
    }
}
