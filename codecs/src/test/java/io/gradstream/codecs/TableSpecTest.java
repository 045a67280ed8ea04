// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TableSpecTest
{
    @ParameterizedTest
    @CsvSource({"FLOAT32, 0x40000002, 8192", "FLOAT32, 8193, 8192", "INT64, 0x20000001, 4096", "INT64, 4097, 4096"})
    void shouldFindADimensionTooLargeAlsoWhenItsBytesOverflow(
        final ElementType elementType, final String dim, final int maxDim)
    {
        assertThat(spec(elementType, Integer.decode(dim)).problem())
            .contains("invalid dim=" + Integer.decode(dim) + ": must be 1.." + maxDim);
        assertThat(spec(elementType, maxDim).problem()).isNull();
    }

    @Test
    void shouldNameEachPropertyThatDiffers()
    {
        final TableSpec one = new TableSpec(0, "t", 1, ElementType.FLOAT32, 5, TableSpec.ZEROS, 0, 0f, "add/1");
        final TableSpec other = new TableSpec(0, "u", 2, ElementType.INT64, 6, TableSpec.NORMAL, 7, 0.5f, "assign/1");

        assertThat(one.difference(other)).isEqualTo("name='t' instead of name='u', dim=1 instead of dim=2, " +
            "elementType=FLOAT32 instead of elementType=INT64, rows=5 instead of rows=6, " +
            "initialiser=0 instead of initialiser=2, initialiserSeed=0 instead of initialiserSeed=7, " +
            "initialiserScale=0.0 instead of initialiserScale=0.5, " +
            "function='add/1' instead of function='assign/1'");
        assertThat(one.difference(one)).isEmpty();
    }

    private static TableSpec spec(final ElementType elementType, final int dim)
    {
        return new TableSpec(0, "t", dim, elementType, 0, TableSpec.ZEROS, 0, 0f, "add/1");
    }
}
