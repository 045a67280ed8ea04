// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ExamplesTest
{
    private static Examples numbered(final int size)
    {
        final Examples.Builder builder = new Examples.Builder();
        for (int i = 0; i < size; i++)
        {
            builder.entry(i, i + 0.5f).entry(i + 10, 1.0f).endExample(i & 1);
        }
        return builder.build();
    }

    @Test
    void shouldKeepEntriesAndLabelsWhenArraysGrow()
    {
        final int size = 20_000;
        final Examples examples = numbered(size);

        assertThat(examples.size()).isEqualTo(size);
        assertThat(examples.entryCount()).isEqualTo(2 * size);
        assertThat(examples.featureCount()).isEqualTo(size + 10);
        for (int i = 0; i < size; i++)
        {
            final int entry = examples.firstEntry(i);
            assertThat(examples.endEntry(i) - entry).isEqualTo(2);
            assertThat(examples.feature(entry)).isEqualTo(i);
            assertThat(examples.value(entry)).isEqualTo(i + 0.5f);
            assertThat(examples.label(i)).isEqualTo(i & 1);
        }
    }

    @Test
    void shouldGiveEachExampleToOneWorkerWhenSharded()
    {
        final Examples examples = numbered(8);
        int total = 0;
        for (int worker = 0; worker < 3; worker++)
        {
            final Examples shard = examples.shard(worker, 3);
            assertThat(shard.featureCount()).isEqualTo(examples.featureCount());
            for (int i = 0; i < shard.size(); i++)
            {
                assertThat(shard.feature(shard.firstEntry(i))).isEqualTo(worker + 3 * i);
            }
            total += shard.size();
        }
        assertThat(total).isEqualTo(8);
    }

    @Test
    void shouldCopyRangeWhenSliced()
    {
        final Examples slice = numbered(8).slice(3, 5);
        assertThat(slice.size()).isEqualTo(2);
        assertThat(slice.feature(slice.firstEntry(0))).isEqualTo(3);
        assertThat(numbered(8).slice(8, 8).size()).isZero();
    }

    @Test
    void shouldRefuseWhenArgumentIsOutOfRange()
    {
        final Examples examples = numbered(4);
        assertThatThrownBy(() -> examples.shard(2, 2)).hasMessage("invalid worker=2: must be 0..1");
        assertThatThrownBy(() -> examples.shard(0, 0)).hasMessage("invalid workers=0: must be at least 1");
        assertThatThrownBy(() -> examples.slice(1, 5)).hasMessageContaining("must be within 0..4");

        final Examples.Builder builder = new Examples.Builder().entry(3, 1.0f);
        assertThatThrownBy(() -> builder.entry(3, 1.0f)).hasMessageContaining("invalid feature=3");
        assertThatThrownBy(() -> builder.entry(Integer.MAX_VALUE, 1.0f)).hasMessageContaining("0..2147483646");
        assertThatThrownBy(() -> builder.entry(4, Float.NaN)).hasMessageContaining("must be finite");
        assertThatThrownBy(() -> builder.endExample(2)).hasMessage("invalid label=2: must be 0 or 1");
        assertThat(builder.entry(Examples.MAX_FEATURE, 1.0f).endExample(1).build().featureCount())
            .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldKeepTargetsWhenTheyAreNotZeroOrOne()
    {
        final Examples examples = new Examples.Builder()
            .entry(0, 1f).endExampleOf(-2.5f)
            .endExampleOf(3f)
            .entry(4, 1f).endExample(1)
            .build();
        final Examples part = examples.shard(0, 2);

        assertThat(new float[]{ part.target(0), part.target(1) }).containsExactly(-2.5f, 1f);
        assertThat(examples.slice(1, 2).target(0)).isEqualTo(3f);
        assertThat(examples.label(1)).isEqualTo(3);
        assertThat(examples.isOfClasses(4)).isFalse();
        assertThat(examples.slice(1, 3).isOfClasses(4)).isTrue();
        assertThat(examples.slice(1, 3).isOfClasses(3)).isFalse();
        assertThatThrownBy(() -> new Examples.Builder().endExampleOf(Float.NaN)).hasMessageContaining("must be finite");
    }
}
