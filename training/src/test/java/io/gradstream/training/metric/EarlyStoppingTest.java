// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

import io.gradstream.training.metric.EarlyStopping.Verdict;
import org.junit.jupiter.api.Test;

import static io.gradstream.training.metric.EarlyStopping.Verdict.IMPROVED;
import static io.gradstream.training.metric.EarlyStopping.Verdict.STOP;
import static io.gradstream.training.metric.EarlyStopping.Verdict.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EarlyStoppingTest
{
    private static Verdict[] verdicts(final EarlyStopping rule, final double... values)
    {
        final Verdict[] verdicts = new Verdict[values.length];
        for (int i = 0; i < values.length; i++)
        {
            verdicts[i] = rule.onValue(values[i]);
        }
        return verdicts;
    }

    @Test
    void shouldStopWhenPatienceIsOver()
    {
        final EarlyStopping rule = new EarlyStopping(2, 0.125, false);
        assertThat(verdicts(rule, 1.0, 0.875, 0.75, 0.75, 0.5, 0.6, 0.4))
            .containsExactly(IMPROVED, WAIT, IMPROVED, WAIT, IMPROVED, WAIT, STOP);
        assertThat(rule.best()).isEqualTo(0.5);
        assertThat(rule.bestIndex()).isEqualTo(4);
    }

    @Test
    void shouldTakeHigherForBetterWhenTold()
    {
        assertThat(verdicts(new EarlyStopping(1, 0, true), 0.5, 0.6, 0.6)).containsExactly(IMPROVED, IMPROVED, STOP);
        assertThat(verdicts(new EarlyStopping(1, 0, true), -5, -4, -6)).containsExactly(IMPROVED, IMPROVED, STOP);
    }

    @Test
    void shouldNeverTakeWhatIsNotANumberForBetter()
    {
        assertThat(verdicts(new EarlyStopping(2, 0, false), Double.NaN, Double.NaN, 1, Double.NaN, Double.NaN))
            .containsExactly(WAIT, STOP, IMPROVED, WAIT, STOP);
        assertThat(verdicts(new EarlyStopping(2, 0, true), Double.NaN, 1)).containsExactly(WAIT, IMPROVED);
    }

    @Test
    void shouldRefuseArgumentsOutOfRange()
    {
        assertThatThrownBy(() -> new EarlyStopping(0, 0, true)).hasMessageContaining("patience=0");
        assertThatThrownBy(() -> new EarlyStopping(1, -1, true)).hasMessageContaining("minDelta=-1");
        assertThatThrownBy(() -> new EarlyStopping(1, Double.NaN, true)).hasMessageContaining("minDelta=NaN");
    }
}
