// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.measure.Summary;

import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The settings that the measurement of any target takes.
 *
 * @param profile   how processes wait.
 * @param directory below which logs are kept meanwhile.
 * @param windows   of each measure.
 * @param windowNs  length of a window.
 */
public record GoalSettings(DriverProfile profile, Path directory, int windows, long windowNs)
{
    private static final int MAX_WINDOWS = 100;
    private static final long MAX_WINDOW_NS = TimeUnit.SECONDS.toNanos(60);

    public GoalSettings
    {
        check(windows >= 1 && windows <= MAX_WINDOWS, "windows", windows, "1.." + MAX_WINDOWS);
        check(windowNs >= TimeUnit.MILLISECONDS.toNanos(1) && windowNs <= MAX_WINDOW_NS, "window-seconds",
            windowNs / 1e9, "0.001..60");
    }

    /** The profile's name on a command line. */
    String profileName()
    {
        return profile.name().toLowerCase(Locale.ROOT);
    }

    /** Measure all windows. */
    Summary each(final IntToDoubleFunction window)
    {
        return Summary.of(IntStream.range(0, windows).mapToDouble(window).toArray());
    }

    static void check(final boolean isValid, final String name, final Object value, final String allowed)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException("invalid --" + name + "=" + value + ": must be " + allowed);
        }
    }
}
