// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.function.UpdateFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.function.LongToDoubleFunction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Each schedule beside its formula, written here once more, and what functions make of its factor.
 */
class RateScheduleTest
{
    private static final double TOLERANCE = 1e-7;
    private static final int STEPS = 1200;

    @Test
    void shouldStayWithoutAWarmUp()
    {
        check("constant", (t) -> 1);
        check("constant:warmup=0", (t) -> 1);
    }

    @Test
    void shouldRiseEvenlyInTheWarmUp()
    {
        check("constant:warmup=100", (t) -> Math.min(1, (t + 1) * 0.01));
        assertThat(RateSchedule.parse("constant:warmup=4").factor(0)).isEqualTo(0.25f);
        assertThat(RateSchedule.parse("constant:warmup=4").factor(3)).isEqualTo(1f);
    }

    @Test
    void shouldFallInSteps()
    {
        check("step:every=100:factor=0.5", (t) -> halved(t / 100));
        check("step:every=100:factor=0.5:floor=0.125", (t) -> Math.max(0.125, halved(t / 100)));
        check("step:every=100:factor=0.5:warmup=50", (t) -> t < 50 ? (t + 1) / 50.0 : halved((t - 50) / 100));
        assertThat(RateSchedule.parse("step:every=1:factor=0.5").factor(RateSchedule.MAX_STEPS)).isZero();
        assertThat(RateSchedule.parse("step:every=10:factor=0").factor(10)).isZero();
    }

    @Test
    void shouldFallAlongACosine()
    {
        check("cosine:steps=1000", (t) -> t >= 1000 ? 0 : sinSquare(t / 1000.0));
        check("cosine:steps=1000:warmup=200:floor=0.25", (t) -> t < 200 ? (t + 1) / 200.0 :
            t >= 1000 ? 0.25 : 0.25 + 0.75 * sinSquare((t - 200) / 800.0));
        assertThat(RateSchedule.parse("cosine:steps=10:floor=0.25").factor(Long.MAX_VALUE - 1)).isEqualTo(0.25f);
    }

    /** Half of a cosine by another formula. */
    private static double sinSquare(final double share)
    {
        final double sine = Math.sin(Math.PI / 2 * (1 - share));

        return sine * sine;
    }

    private static double halved(final long times)
    {
        return Math.scalb(1.0, (int)-times);
    }

    private static void check(final String text, final LongToDoubleFunction formula)
    {
        final RateSchedule schedule = RateSchedule.parse(text);
        for (int t = 0; t < STEPS; t++)
        {
            assertThat((double)schedule.factor(t)).as("%s step=%d", text, t)
                .isEqualTo(formula.applyAsDouble(t), within(TOLERANCE)).isBetween(0.0, 1.0);
        }
    }

    /** What a released schedule gives never changes: logs do not depend on it, but what users see does. */
    @ParameterizedTest
    @CsvSource({
        "cosine:steps=1000:warmup=100:floor=0.01, 0x1.47ae14p-7, 0x1.f62ea2p-1, 0x1.518f96p-7",
        "step:every=100:factor=0.9, 0x1.0p0, 0x1.ccccccp-1, 0x1.8cb7eep-2"
    })
    void shouldGiveTheSameBitsForEver(final String text, final String first, final String second, final String third)
    {
        final RateSchedule schedule = RateSchedule.parse(text);

        assertThat(Float.toHexString(schedule.factor(0))).isEqualTo(first);
        assertThat(Float.toHexString(schedule.factor(180))).isEqualTo(second);
        assertThat(Float.toHexString(schedule.factor(990))).isEqualTo(third);
    }

    /** A function with a factor does what the same function with the product as its rate does. */
    @ParameterizedTest
    @CsvSource({
        "sgd/1 rate=0.5, sgd/1 rate=0.125",
        "sgd/2 rate=0.5 momentum=0.9 nesterov decay=0.1, sgd/2 rate=0.125 momentum=0.9 nesterov decay=0.1",
        "adagrad/1 rate=0.5 clip=1, adagrad/1 rate=0.125 clip=1",
        "adam/1 rate=0.5 decay=0.25, adam/1 rate=0.125 decay=0.25",
        "adamw/1 rate=0.5 decay=0.25, adamw/1 rate=0.125 decay=0.25"
    })
    void shouldMultiplyTheRate(final String text, final String scaled)
    {
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(text + " schedule=constant:warmup=4");
        final UpdateFunction expected = UpdateFunctions.BUILT_IN.parse(scaled);
        final float[][] rows = {{1f, -2f}, {1f, -2f}};
        final float[][] states = new float[2][2 * function.statePerValue()];
        for (int i = 1; i <= 5; i++)
        {
            function.updateFloats(rows[0], states[0], new float[]{0.3f * i, -0.7f}, 2, 0.25f);
            expected.updateFloats(rows[1], states[1], new float[]{0.3f * i, -0.7f}, 2, 1f);
        }

        assertThat(rows[0]).containsExactly(rows[1]);
        assertThat(states[0]).containsExactly(states[1]);
        assertThat(rows[0]).doesNotContain(1f, -2f);
    }

    @Test
    void shouldRefuseAScheduleWhereThereIsNoRate()
    {
        assertRefused("ftrl/1 alpha=1 beta=1 l1=0 l2=0 schedule=constant", "alpha is inside of the z");
        assertRefused("add/1 schedule=constant", "add/1 has no rate");
        assertRefused("assign/1 schedule=constant", "assign/1 has no rate");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "linear", "", "step:every=10", "step:factor=0.5", "step:every=0:factor=0.5", "step:every=1.5:factor=0.5",
        "step:every=10:factor=1.5", "cosine", "cosine:steps=10:warmup=10", "cosine:steps=10:floor=-1", "cosine:steps",
        "cosine:steps=10:steps=20", "constant:every=10", "constant:warmup=x", "cosine:steps=10:floor=NaN",
        "cosine:steps=9999999999999"
    })
    void shouldRefuseASchedule(final String schedule)
    {
        assertRefused("sgd/1 rate=1 schedule=" + schedule, "schedule");
    }

    @Test
    void shouldRefuseASecondSchedule()
    {
        assertRefused("sgd/1 rate=1 schedule=constant schedule=constant", "schedule=constant");
    }

    private static void assertRefused(final String text, final String why)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> UpdateFunctions.BUILT_IN.parse(text))
            .withMessageStartingWith("invalid function='" + text + "'").withMessageContaining(why);
    }
}
