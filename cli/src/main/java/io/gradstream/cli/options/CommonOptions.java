// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.List;

import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.DriverProfile;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Option;

/** Options that every command has. */
public final class CommonOptions
{
    /**
     * Separates the values of an option. A comma at the end separates nothing: it stays, so that the value that it
     * spoils is refused. ({@link String#split(String)} would leave out what is empty at the end.)
     */
    public static final String COMMA = ",(?!$)";

    private static final double MAX_PARAMETER = 1e6;

    @Option(names = "--profile", paramLabel = "dev|latency", defaultValue = "dev",
        description = "How processes wait: dev sleeps (shared machine), latency yields. Default: ${DEFAULT-VALUE}.")
    public String profile;

    @OptionGroup.Advanced
    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "" + ChannelMtu.OF_INTERFACE,
        description = "Longest datagram, a multiple of 32. Default: what fits the network interface, at most " +
            ChannelMtu.MAX_DEFAULT_LENGTH + ", on loopback " + ChannelMtu.MAX_LENGTH + ".")
    private int mtu;

    /** Longest datagram, or {@link ChannelMtu#OF_INTERFACE}. */
    public int mtu()
    {
        UsageException.refuseIf(!ChannelMtu.isAllowed(mtu),
            "invalid --mtu=" + mtu + ": must be " + ChannelMtu.allowed());

        return mtu;
    }

    public DriverProfile profile()
    {
        return UsageException.refusing(() -> DriverProfile.parse(profile));
    }

    /** Refuse a number out of range; null is none. */
    public static void checkRange(final String option, final Number number, final double min, final double max)
    {
        final double value = null == number ? min : number.doubleValue();
        UsageException.refuseIf(!(value >= min && value <= max),
            "invalid --" + option + "=" + text(value) + ": must be " + text(min) + ".." + text(max));
    }

    /** Refuse a parameter that is not above 0. */
    static void checkPositive(final String option, final double value)
    {
        UsageException.refuseIf(!(value > 0 && value <= MAX_PARAMETER),
            "invalid --" + option + "=" + value + ": must be above 0 and at most 1000000");
    }

    /** Refuse a word that is not one of those allowed. */
    public static void checkWord(final String option, final String value, final String... allowed)
    {
        UsageException.refuseIf(!List.of(allowed).contains(value),
            "invalid --" + option + "=" + value + ": must be " + String.join(" or ", allowed));
    }

    private static String text(final double value)
    {
        return value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE ?
            Long.toString((long)value) : Double.toString(value);
    }
}
