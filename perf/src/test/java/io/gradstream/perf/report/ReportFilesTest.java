// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.console.Chart;
import io.gradstream.perf.measure.Summary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReportFilesTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldWriteAllFormsIntoADirectoryThatItMakes() throws IOException
    {
        final Path out = directory.resolve("a/b");
        final TargetReport report = new TargetReport("all", Map.of(), new Machine("two", "17", "abc"),
            List.of(TargetLine.target("T1", "push", "us", new Summary(1, 1, 1), 1, Bound.atMost(1.3), "")));

        new ReportFiles(out).write(report,
            Map.of("goodput", Chart.ofCategories(
                "Goodput", Chart.Form.BARS, List.of("4 KiB"), Map.of("ours", List.of(1.0)))));

        assertThat(out.resolve("report.json")).hasContent(report.json());
        assertThat(out.resolve("report.csv")).hasContent(report.csv());
        assertThat(out.resolve("report.md")).hasContent(report.markdown());
        assertThat(out.resolve("goodput.png")).isNotEmptyFile();
    }

    @Test
    void shouldRefuseAPlaceWhereNoDirectoryCanBe() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> new ReportFiles(file))
            .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("invalid --out=" + file);
    }
}
