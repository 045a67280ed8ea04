// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What holds for each property of a {@code Configuration}: a new Context begins with its value, and refuses one that is
 * not allowed by the property's name. Each module's test lists its properties.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ConfigurationContract
{
    /**
     * One property.
     *
     * @param value    of a new Context.
     * @param given    in the property.
     * @param expected then.
     * @param wrong    in the property.
     * @param allowed  what the message says instead.
     */
    public record Setting(
        String property, Supplier<Object> value, String given, Object expected, String wrong, String allowed)
    {
        @Override
        public String toString()
        {
            return property;
        }
    }

    protected abstract Stream<Setting> settings();

    /** The class whose properties must all be among them. */
    protected abstract Class<?> configuration();

    @ParameterizedTest
    @MethodSource("settings")
    void shouldBeginWithWhatThePropertySays(final Setting setting)
    {
        assertThat(setting.value().get()).isNotEqualTo(setting.expected());
        with(setting.property(), setting.given(),
            () -> assertThat(setting.value().get()).isEqualTo(setting.expected()));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldNameThePropertyAndWhatIsAllowedWhenItsValueIsNot(final Setting setting)
    {
        for (final String wrong : new String[]{setting.wrong(), "", "some"})
        {
            with(setting.property(), wrong, () -> assertThatThrownBy(() -> setting.value().get())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("invalid " + setting.property() + "=" + wrong + ": must be " + setting.allowed()));
        }
    }

    @Test
    void shouldListEachProperty()
    {
        assertThat(settings().map(Setting::property)).containsAll(Arrays.stream(configuration().getFields())
            .filter((field) -> field.getName().endsWith("_PROP_NAME")).map(ConfigurationContract::value).toList());
    }

    private static String value(final Field field)
    {
        try
        {
            return (String)field.get(null);
        }
        catch (final IllegalAccessException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void with(final String property, final String value, final Runnable check)
    {
        System.setProperty(property, value);
        try
        {
            check.run();
        }
        finally
        {
            System.clearProperty(property);
        }
    }
}
