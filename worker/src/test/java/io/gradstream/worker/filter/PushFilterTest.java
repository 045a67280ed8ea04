// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.filter;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PushFilterTest
{
    private static final String FTRL = "ftrl/1 alpha=0.1 beta=1 l1=0.5 l2=0";

    @ParameterizedTest
    @CsvSource({"significant:0.1, significant:0.1:8", "significant:0.25:0, significant:0.25:0", "skip:0.5, skip:0.5",
        "kkt:1, kkt:1.0"})
    void shouldBeReadFromItsText(final String text, final String whole)
    {
        final PushFilter filter = PushFilter.parse(text);

        assertThat(filter).hasToString(whole);
        assertThat(PushFilter.parse(whole)).isEqualTo(filter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "significant", "significant:", "significant:0.1:", "significant:0.1:1.5", "skip:half",
        "skip:0.5:1", "kkt", "top:3"})
    void shouldSayWhatItsTextMustBe(final String text)
    {
        assertThatThrownBy(() -> PushFilter.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage("'" + text + "' must be significant:THRESHOLD[:AGE], skip:PROBABILITY or kkt:SHARE");
    }

    @ParameterizedTest
    @CsvSource({"significant:0, invalid threshold=0.0: must be above 0", "significant:NaN, invalid threshold=NaN",
        "significant:1:-1, invalid age=-1: must be 0..1000000", "skip:1, invalid probability=1.0: must be 0.0..0.99",
        "skip:-0.1, invalid probability=-0.1", "kkt:0, invalid share=0.0: must be above 0",
        "kkt:1.1, invalid share=1.1"})
    void shouldRefuseNumbersThatAreOutOfRange(final String text, final String problem)
    {
        assertThatThrownBy(() -> PushFilter.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(problem);
    }

    @Test
    void shouldTakeSumsAboveAShareOfTheRowAndOfRowsThatNobodyKnows()
    {
        final PushFilter.Significant filter = new PushFilter.Significant(0.1, 8);

        assertThat(filter.isSignificant(1.0, 10)).isFalse();
        assertThat(filter.isSignificant(1.01, 10)).isTrue();
        assertThat(filter.isSignificant(0, 0)).isFalse();
        assertThat(filter.isSignificant(1e-9, 0)).isTrue();
        assertThat(filter.isSignificant(1e-9, Double.NaN)).isTrue();
    }

    @Test
    void shouldSkipRowsAsOftenAsSaidAndIndependently()
    {
        final PushFilter.RandomSkip filter = new PushFilter.RandomSkip(0.3);
        final int draws = 100_000;
        int skipped = 0;
        int both = 0;
        int ofOtherSlot = 0;
        int ofNextPush = 0;
        int ofOtherTable = 0;
        for (int i = 0; i < draws; i++)
        {
            final boolean isSkipped = filter.skips(1, i % 1000, 0, i / 1000, 0);
            skipped += isSkipped ? 1 : 0;
            both += isSkipped && filter.skips(1, i % 1000 + 1, 0, i / 1000, 0) ? 1 : 0;
            ofOtherSlot += isSkipped && filter.skips(1, i % 1000, 1, i / 1000, 0) ? 1 : 0;
            ofNextPush += isSkipped && filter.skips(1, i % 1000, 0, i / 1000, 1) ? 1 : 0;
            ofOtherTable += isSkipped && filter.skips(2, i % 1000, 0, i / 1000, 0) ? 1 : 0;
        }

        // four standard deviations
        assertThat(skipped / (double)draws).isBetween(0.294, 0.306);
        assertThat(both / (double)draws).isBetween(0.086, 0.094);
        assertThat(ofOtherSlot / (double)draws).isBetween(0.086, 0.094);
        assertThat(ofNextPush / (double)draws).isBetween(0.086, 0.094);
        assertThat(ofOtherTable / (double)draws).isBetween(0.086, 0.094);
    }

    @Test
    void shouldNeverSkipWithoutAProbability()
    {
        final PushFilter.RandomSkip filter = new PushFilter.RandomSkip(0);
        for (int key = 0; key < 10_000; key++)
        {
            assertThat(filter.skips(1, key, 0, 3, 0)).isFalse();
        }
        assertThat(filter.factor()).isEqualTo(1);
        assertThat(new PushFilter.RandomSkip(0.75).factor()).isEqualTo(4);
    }

    @Test
    void shouldTakeTheShareOfTheL1OfTheFunction()
    {
        assertThat(new PushFilter.Kkt(0.5).most(FTRL)).isEqualTo(0.25f);
    }

    @Test
    void shouldSayWhichTablesItIsNotFor()
    {
        final TableSpec floats = TableSpec.sparse(1, "weights", 1, FTRL);
        final TableSpec longs = new TableSpec(1, "counts", 1, ElementType.INT64, 0, 0, 0, 0, "add/1");

        for (final PushFilter filter : new PushFilter[]{
            PushFilter.significant(0.1), PushFilter.randomSkip(0.5), PushFilter.kkt(0.9)})
        {
            assertThat(filter.problem(floats)).isNull();
            assertThat(filter.problem(longs)).isEqualTo(
                "filter " + filter + " is for gradients, and the table holds INT64");
            assertThat(filter.problem("assign/1")).isEqualTo(
                "filter " + filter + " is for gradients, and the function assign/1 takes values");
        }
        assertThat(PushFilter.kkt(0.9).problem("ftrl/1 alpha=0.1 beta=1 l1=0 l2=0")).contains("an l1 above 0");
        assertThat(PushFilter.kkt(0.9).problem("adagrad/1 rate=0.1")).contains("needs the function ftrl/1");
        assertThat(PushFilter.significant(0.1).problem("adagrad/1 rate=0.1")).isNull();
    }
}
