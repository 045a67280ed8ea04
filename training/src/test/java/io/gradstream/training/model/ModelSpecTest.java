// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import java.util.List;

import io.gradstream.training.Examples;
import io.gradstream.training.Loss;
import io.gradstream.training.Model;
import io.gradstream.training.metric.Metric;
import io.gradstream.training.metric.Metrics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ModelSpecTest
{
    private static final List<ModelSpec> ALL = List.of(ModelSpec.logistic(), ModelSpec.linear(), ModelSpec.softmax(3),
        ModelSpec.factorisationMachine(Loss.LOGISTIC, 4, 0, 0.5),
        ModelSpec.factorisationMachine(Loss.SQUARED, 4, 0, 0.5), ModelSpec.matrixFactorisation(-3.5298, 2, 0, 0.5));

    @Test
    void shouldBeKnownByItsTable()
    {
        assertThat(ALL).allSatisfy((spec) -> assertThat(
            ModelSpec.ofTable(spec.tableName(), spec.dim(), spec.initialDeviation())).isEqualTo(spec));
        assertThat(ALL).extracting(ModelSpec::tableName).doesNotHaveDuplicates();
    }

    @Test
    void shouldNotBeTakenForAnotherTable()
    {
        assertThat(List.of("bias", "softmax2", "fm", "fm loss=hinge", "mf", "mf mean=", "mf mean=x"))
            .allSatisfy((name) -> assertThat(ModelSpec.ofTable(name, 3, 0.5)).isNull());
    }

    @Test
    void shouldMakeAModelOfItsDimension()
    {
        final Examples ratings = new Examples.Builder().entry(0, 1f).entry(1, 1f).endExample(1).build();

        assertThat(ALL).allSatisfy((spec) ->
        {
            final Model model = spec.of(ratings);
            assertThat(model.dim()).isEqualTo(spec.dim());
            assertThat(model.initialDeviation()).isEqualTo(spec.initialDeviation());
        });
    }

    @Test
    void shouldFindTheMetricsThatGoWithIt()
    {
        assertThat(ModelSpec.logistic().metrics()).extracting(Metric::name)
            .containsExactly("log-loss", "accuracy", "auc");
        assertThat(Metrics.named("logloss", ModelSpec.softmax(3).metrics()).name()).isEqualTo("log-loss");
        assertThatThrownBy(() -> Metrics.named("auc", ModelSpec.softmax(3).metrics()))
            .hasMessage("invalid metric=auc: must be accuracy or logloss for this model");
    }
}
