// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ByteSizeTest
{
    @ParameterizedTest
    @CsvSource({"4k, 4096", "64K, 65536", "1m, 1048576", "512, 512", "1024m, 1073741824", "1g, 1073741824"})
    void shouldParseWhenWrittenAsPeopleDo(final String text, final int bytes)
    {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "4kb", "-4k", "2g", "1025m", "99999999999"})
    void shouldRefuseWhenItIsNoSize(final String text)
    {
        assertThatThrownBy(() -> ByteSize.parse(text))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("'" + text + "'");
    }

    @Test
    void shouldParseMoreThanAnArrayHoldsWhenALongIsWanted()
    {
        assertThat(ByteSize.parseLong("4g")).isEqualTo(4L << 30);
    }

    @Test
    void shouldWriteTheLargestUnitWhenItFits()
    {
        assertThat(ByteSize.text(4096)).isEqualTo("4 KiB");
        assertThat(ByteSize.text(1 << 20)).isEqualTo("1 MiB");
        assertThat(ByteSize.text(100)).isEqualTo("100 B");
    }
}
