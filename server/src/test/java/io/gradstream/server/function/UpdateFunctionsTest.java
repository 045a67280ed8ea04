// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.function.Supplier;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class UpdateFunctionsTest
{
    private static final float[] NO_STATE = {};

    @Test
    void shouldAddFloatsAndLongs()
    {
        final UpdateFunction add = UpdateFunctions.BUILT_IN.parse("add/1");
        final float[] values = {1f, 2f};
        add.updateFloats(values, NO_STATE, new float[]{0.5f, -2f}, 2, 1f);
        assertThat(values).containsExactly(1.5f, 0f);

        final long[] counts = {Long.MAX_VALUE - 1, 7};
        add.updateLongs(counts, new long[]{1, -7}, 2);
        assertThat(counts).containsExactly(Long.MAX_VALUE, 0);
    }

    @Test
    void shouldAssign()
    {
        final UpdateFunction assign = UpdateFunctions.BUILT_IN.parse("assign/1");
        final float[] values = {1f, 2f};
        assign.updateFloats(values, NO_STATE, new float[]{9f, 8f}, 2, 1f);
        assertThat(values).containsExactly(9f, 8f);
    }

    @Test
    void shouldDescendByTheRate()
    {
        final UpdateFunction sgd = UpdateFunctions.BUILT_IN.parse("sgd/1 rate=0.5");
        final float[] values = {1f, 2f};
        sgd.updateFloats(values, NO_STATE, new float[]{1f, -2f}, 2, 1f);
        assertThat(values).containsExactly(0.5f, 3f);
        assertThat(sgd.supports(ElementType.INT64)).isFalse();
    }

    @Test
    void shouldFollowThePaperForFtrl()
    {
        final UpdateFunction ftrl = UpdateFunctions.BUILT_IN.parse("ftrl/1 alpha=0.5 beta=1 l1=0.25 l2=2");
        final float[] values = {0f, 0f};
        final float[] state = new float[4];
        ftrl.updateFloats(values, state, new float[]{3f, 0.125f}, 2, 1f);

        assertThat(state).containsExactly(3f, 0.125f, 9f, 0.015625f);
        assertThat(values[0]).isEqualTo(-(3f - 0.25f) / ((1f + 3f) / 0.5f + 2f));
        assertThat(values[1]).as("|z| below l1").isZero();

        final float before = values[0];
        ftrl.updateFloats(values, state, new float[]{4f, 0f}, 2, 1f);
        assertThat(state[2]).isEqualTo(25f);
        assertThat(state[0]).isEqualTo(3f + 4f - (5f - 3f) / 0.5f * before);
    }

    @Test
    void shouldClipByElement()
    {
        final UpdateFunction sgd = UpdateFunctions.BUILT_IN.parse("sgd/1 rate=0.5 clip=2");
        final float[] values = {0f, 0f, 0f};
        sgd.updateFloats(values, NO_STATE, new float[]{8f, -8f, 1f}, 3, 1f);
        assertThat(values).containsExactly(-1f, 1f, -0.5f);
        assertThat(sgd.supports(ElementType.FLOAT32)).isTrue();
        assertThat(sgd.supports(ElementType.INT64)).isFalse();
        assertThat(UpdateFunctions.BUILT_IN.parse("add/1 clip=1").supports(ElementType.INT64)).isFalse();
        assertThat(sgd.statePerValue()).isZero();
        assertThat(UpdateFunctions.BUILT_IN.parse("ftrl/1 alpha=1 beta=1 l1=1 l2=1 clip=1").statePerValue())
            .isEqualTo(2);
    }

    @Test
    void shouldClipByTheNormOfARow()
    {
        final UpdateFunction sgd = UpdateFunctions.BUILT_IN.parse("sgd/1 rate=1 clip-norm=0.5");
        final float[] values = new float[2];
        sgd.updateFloats(values, NO_STATE, new float[]{3f, -4f}, 2, 1f);
        assertThat(values).containsExactly(-0.3f, 0.4f);
        sgd.updateFloats(values, NO_STATE, new float[]{-0.3f, 0.4f}, 2, 1f);
        assertThat(values).as("a norm of C stays").containsExactly(0f, 0f);
        sgd.updateFloats(values, NO_STATE, new float[]{Float.MAX_VALUE, 0f}, 2, 1f);
        assertThat(values).as("whose square is no float").containsExactly(-0.5f, 0f);
        sgd.updateFloats(values, NO_STATE, new float[]{-0.25f, 0.125f}, 2, 1f);
        assertThat(values).as("a smaller norm is let alone").containsExactly(-0.25f, -0.125f);

        assertThat(sgd.isPerValue()).isFalse();
        assertThat(UpdateFunctions.BUILT_IN.parse("sgd/1 rate=1 clip=0.5").isPerValue()).isTrue();
        assertThat(UpdateFunctions.BUILT_IN.parse("add/1 clip-norm=1").supports(ElementType.INT64)).isFalse();
    }

    @Test
    void shouldClipByElementBeforeByNorm()
    {
        final UpdateFunction add = UpdateFunctions.BUILT_IN.parse("add/1 clip-norm=2.5 clip=3");
        final float[] values = new float[2];
        add.updateFloats(values, NO_STATE, new float[]{3f, -40f}, 2, 1f);
        final float clipped = (float)(2.5 / Math.sqrt(2));
        assertThat(values).containsExactly(clipped, -clipped);
    }

    @ParameterizedTest
    @CsvSource({
        "sgd/2 rate=0.1, 0", "sgd/2 rate=0.1 momentum=0.9, 1", "adagrad/1 rate=0.1, 1", "adam/1 rate=0.1, 3",
        "adam/1 rate=0.1 decay=0.01, 3", "adamw/1 rate=0.1 decay=0.01, 3", "ftrl/1 alpha=0.1 beta=1 l1=1 l2=1, 2"})
    void shouldTakeEveryGuard(final String text, final int statePerValue)
    {
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(text);
        final UpdateFunction guarded = UpdateFunctions.BUILT_IN.parse(text + " clip=2 clip-norm=1 refuse-non-finite");
        final float[][] rows = new float[4][];
        rows[0] = new float[2];
        rows[1] = new float[2 * statePerValue];
        rows[2] = rows[0].clone();
        rows[3] = rows[1].clone();
        guarded.updateFloats(rows[0], rows[1], new float[]{3f, -400f}, 2, 1f);
        final float clipped = (float)(2 / Math.sqrt(8));
        function.updateFloats(rows[2], rows[3], new float[]{clipped, -clipped}, 2, 1f);

        assertThat(rows[0]).containsExactly(rows[2]);
        assertThat(rows[1]).containsExactly(rows[3]);
        assertThat(guarded.statePerValue()).isEqualTo(function.statePerValue()).isEqualTo(statePerValue);
        assertThat(guarded.refusesNonFinite()).isTrue();
        assertThat(function.refusesNonFinite()).isFalse();
        assertThat(function.supports(ElementType.FLOAT32)).isTrue();
        assertThat(function.supports(ElementType.INT64)).isFalse();
    }

    @Test
    void shouldSayWhichParameterIsWrong()
    {
        assertThatIllegalArgumentException().isThrownBy(() -> UpdateFunctions.BUILT_IN.parse("adam/1 beta1=0.9"))
            .withMessage("invalid function='adam/1 beta1=0.9': needs rate=number");
        assertThatIllegalArgumentException().isThrownBy(() -> UpdateFunctions.BUILT_IN.parse("sgd/2 rate=1 nesterov"))
            .withMessageEndingWith(": nesterov needs momentum above 0");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> UpdateFunctions.BUILT_IN.parse("sgd/1 rate=1 nesterov l1=1"))
            .withMessageEndingWith(": unknown parameters [l1, nesterov]");
        assertThatIllegalArgumentException().isThrownBy(() -> UpdateFunctions.BUILT_IN.parse("adam/1 rate=1 beta2=1"))
            .withMessageEndingWith(": beta2 must be 0 to below 1");
    }

    @Test
    void shouldRefuseRowsThatAreNotFiniteOnlyWhereToldTo()
    {
        assertThat(UpdateFunctions.BUILT_IN.parse("sgd/1 rate=1 refuse-non-finite").refusesNonFinite()).isTrue();
        assertThat(UpdateFunctions.BUILT_IN.parse("assign/1 refuse-non-finite").refusesNonFinite()).isTrue();
        assertThat(UpdateFunctions.BUILT_IN.parse("sgd/1 rate=1 clip=3").refusesNonFinite()).isFalse();
        assertThat(UpdateFunctions.BUILT_IN.parse("add/1").refusesNonFinite()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "adam/2 rate=1", "sgd/3 rate=1", "sgd/1", "sgd/1 rate=0", "sgd/1 rate=-1", "sgd/1 rate=NaN", "sgd/1 rate=x",
        "sgd/1 rate=1 rate=2",
        "sgd/1 rate=1 clip=0", "sgd/1 rate=1 clip=-1", "sgd/1 rate=1 clip", "assign/1 clip=1", "assign/1 clip-norm=1",
        "sgd/1 rate=1 clip-norm=0", "sgd/1 rate=1 clip-norm=Infinity",
        "sgd/1 rate=1 refuse-non-finite=1", "sgd/1 rate=1 refuse",
        "sgd/1 rate", "sgd/1 rate=1 momentum=0.9", "ftrl/1 alpha=0 beta=1 l1=1 l2=1", "ftrl/1 alpha=1 beta=1 l1=1",
        "sgd/1 rate=1 nesterov", "sgd/1 rate=1 decay=0.1", "sgd/2", "sgd/2 rate=1 momentum=1",
        "sgd/2 rate=1 momentum=-0.1", "sgd/2 rate=1 nesterov", "sgd/2 rate=1 momentum=0.9 nesterov=1",
        "sgd/2 rate=1 decay=-1", "sgd/2 rate=1 beta1=0.9", "adagrad/1", "adagrad/1 rate=1 epsilon=0",
        "adagrad/1 rate=1 epsilon=1e-60", "adagrad/1 rate=1 initial=-1", "adagrad/1 rate=1 decay=0.1", "adam/1",
        "adam/1 rate=1 beta1=1", "adam/1 rate=1 beta2=1", "adam/1 rate=1 beta2=0.99999999", "adam/1 rate=1 epsilon=0",
        "adam/1 rate=1 nesterov", "adamw/1 rate=1", "adamw/1 rate=1 decay=0", "adamw/1 rate=2 decay=0.5",
        "adamw/1 decay=0.1", "momentum/1 rate=1"})
    void shouldRefuseWhatItDoesNotKnow(final String text)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> UpdateFunctions.BUILT_IN.parse(text));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldRefuseATextWhoseProviderFails(final Throwable failure, final String why)
    {
        assertRefused(() ->
        {
            throw sneaky(failure);
        }, why);
    }

    private static Stream<Arguments> failures()
    {
        return Stream.of(
            Arguments.of(new IllegalArgumentException("no such rate"), "no such rate"),
            Arguments.of(new IllegalArgumentException(), "IllegalArgumentException"),
            Arguments.of(new IllegalStateException("oh"), "oh"),
            Arguments.of(new NoClassDefFoundError("my/Missing"), "my/Missing"),
            Arguments.of(new StackOverflowError(), "StackOverflowError"),
            Arguments.of(new AssertionError("never"), "never"));
    }

    @Test
    void shouldRefuseAFunctionThatCannotBeServed()
    {
        assertRefused(() -> null, "returns null");
        assertRefused(() -> new Doubling()
        {
            @Override
            public int statePerValue()
            {
                return 5;
            }
        }, "5 elements beside a value: must be 0..4");
        assertRefused(() -> new Doubling()
        {
            @Override
            public boolean isPerValue()
            {
                throw new IllegalStateException("not thought of");
            }
        }, "not thought of");
        assertRefused(() -> new OfLongs(1, false), "INT64, whose rows have no state");
        assertRefused(() -> new OfLongs(0, true), "INT64, whose rows are always finite");
        assertThat(of(() -> new OfLongs(0, false)).parse("mine/1").supports(ElementType.INT64)).isTrue();
    }

    @Test
    void shouldKeepAFunctionsOwnRefusalBehindGuards()
    {
        final UpdateFunctions functions = of(() -> new Doubling()
        {
            @Override
            public boolean refusesNonFinite()
            {
                return true;
            }
        });

        assertThat(functions.parse("mine/1").refusesNonFinite()).isTrue();
        assertThat(functions.parse("mine/1 clip=1").refusesNonFinite()).isTrue();
    }

    private static UpdateFunctions of(final Supplier<UpdateFunction> creation)
    {
        return UpdateFunctions.BUILT_IN.with(new UserProvider("mine", 1, (parameters) -> creation.get()));
    }

    private static void assertRefused(final Supplier<UpdateFunction> creation, final String why)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> of(creation).parse("mine/1"))
            .withMessageStartingWith("update function mine/1 of ").withMessageContaining(why);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(final Throwable failure) throws T
    {
        throw (T)failure;
    }

    private static final class OfLongs extends Doubling
    {
        private final int statePerValue;
        private final boolean refusesNonFinite;

        OfLongs(final int statePerValue, final boolean refusesNonFinite)
        {
            this.statePerValue = statePerValue;
            this.refusesNonFinite = refusesNonFinite;
        }

        @Override
        public int statePerValue()
        {
            return statePerValue;
        }

        @Override
        public boolean supports(final ElementType type)
        {
            return true;
        }

        @Override
        public boolean refusesNonFinite()
        {
            return refusesNonFinite;
        }
    }
}
