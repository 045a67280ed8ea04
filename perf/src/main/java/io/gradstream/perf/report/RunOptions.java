// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.codecs.Check;
import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.measure.Summary;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The options of every measurement. A measurement that has no windows of a fixed length, or no warm-up of one, does not
 * have the option for it.
 */
public final class RunOptions
{
    /** In place of a number of seconds: the option does not exist. */
    public static final double NONE = Double.NaN;

    private static final String WINDOWS = "--windows";
    private static final String WINDOW_SECONDS = "--window-seconds";
    private static final String WARMUP_SECONDS = "--warmup-seconds";
    /** Options that say nothing of what is measured. */
    private static final List<String> UNTOLD = List.of("--help", "--json", "--dir", "--out", "--peers");
    private static final int MAX_WINDOWS = 10_000;
    private static final double MIN_SECONDS = 0.001;
    private static final double MAX_SECONDS = 600;
    private static final double NS_PER_SECOND = 1e9;
    private static final long FLOOR_BYTES = 1L << 30;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Option(names = "--profile", defaultValue = "dev", paramLabel = "dev|latency",
        description = "How all processes wait: dev sleeps, latency yields. Default: ${DEFAULT-VALUE}.")
    private String profile;

    @Option(names = WINDOWS, paramLabel = "N",
        description = "How often each measure is taken. Default: ${DEFAULT-VALUE}.")
    private int windows;

    @Option(names = WINDOW_SECONDS, paramLabel = "S",
        description = "Length of a window. Default: ${DEFAULT-VALUE}.")
    private double windowSeconds;

    @Option(names = WARMUP_SECONDS, paramLabel = "S",
        description = "For how long each measure runs before it counts. Default: ${DEFAULT-VALUE}.")
    private double warmupSeconds;

    @Option(names = "--json", description = "Print one JSON object as the last line.")
    private boolean isJson;

    @Option(names = "--dir", paramLabel = "DIR",
        description = "Where logs and recordings are meanwhile; failover wants it new or empty, and keeps them." +
            " Default: the temporary directory.")
    private Path dir;

    @Option(names = "--out", paramLabel = "DIR",
        description = "Write report.json, report.csv, report.md and pictures into this directory, which is made.")
    private Path out;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private final boolean hasWindows;

    /**
     * The options with their defaults.
     *
     * @param windows       of each measure; 0 if the measurement has none.
     * @param windowSeconds of each window, or {@link #NONE}.
     * @param warmupSeconds before what counts, or {@link #NONE}.
     */
    public RunOptions(final int windows, final double windowSeconds, final double warmupSeconds)
    {
        this.windows = windows;
        hasWindows = windows > 0;
        this.windowSeconds = windowSeconds;
        this.warmupSeconds = warmupSeconds;
    }

    /** Remove the options that the command does not have. */
    void removeUnused()
    {
        for (final String name : List.of(WINDOWS, WINDOW_SECONDS, WARMUP_SECONDS))
        {
            final OptionSpec option = spec.findOption(name);
            final boolean isUnused = WINDOWS.equals(name) ? !hasWindows : Double.isNaN((Double)option.initialValue());
            if (isUnused)
            {
                spec.remove(option);
            }
        }
    }

    public DriverProfile profile()
    {
        return DriverProfile.parse(profile);
    }

    /** The profile's name on a command line. */
    public String profileName()
    {
        return profile().name().toLowerCase(Locale.ROOT);
    }

    public int windows()
    {
        return windows;
    }

    public long windowNs()
    {
        return (long)(windowSeconds * NS_PER_SECOND);
    }

    public long warmupNs()
    {
        return (long)(warmupSeconds * NS_PER_SECOND);
    }

    /** The directory named, or null. */
    public Path namedDirectory()
    {
        return dir;
    }

    /** The directory named, or the temporary one. */
    public Path directory()
    {
        return null == dir ? Path.of(System.getProperty("java.io.tmpdir")) : dir;
    }

    /** Measure all windows. */
    public Summary each(final IntToDoubleFunction window)
    {
        return Summary.of(IntStream.range(0, windows).mapToDouble(window).toArray());
    }

    /** Measure the windows of several measures in turn, so that what else the machine does meets all alike. */
    @SafeVarargs
    public final List<Series> interleave(final Supplier<Sample>... measures)
    {
        final List<List<Sample>> samples = new ArrayList<>();
        for (int i = 0; i < measures.length; i++)
        {
            samples.add(new ArrayList<>());
        }
        for (int window = 0; window < windows; window++)
        {
            for (int i = 0; i < measures.length; i++)
            {
                samples.get(i).add(measures[i].get());
            }
        }

        return samples.stream().map(Series::of).toList();
    }

    /** Description of the measurement: each option that bears on it, and its value. */
    public Map<String, Object> settings()
    {
        final Map<String, Object> settings = new LinkedHashMap<>();
        for (final OptionSpec option : spec.options())
        {
            final Object value = option.getValue();
            if (!UNTOLD.contains(option.longestName()) && !option.hidden() && null != value)
            {
                settings.put(option.longestName().substring(2), value instanceof Collection ?
                    ((Collection<?>)value).stream().map(String::valueOf).collect(Collectors.joining(",")) : value);
            }
        }

        return settings;
    }

    /**
     * Make something of the options, before anything opens.
     *
     * @throws ParameterException if an option is wrong.
     */
    public <T> T checked(final Supplier<T> made)
    {
        try
        {
            Check.that(!hasWindows || windows >= 1 && windows <= MAX_WINDOWS, "--windows", windows,
                "1.." + MAX_WINDOWS);
            Check.that(Double.isNaN(windowSeconds) || windowSeconds >= MIN_SECONDS && windowSeconds <= MAX_SECONDS,
                "--window-seconds", windowSeconds, "0.001..600");
            Check.that(Double.isNaN(warmupSeconds) || warmupSeconds >= 0 && warmupSeconds <= MAX_SECONDS,
                "--warmup-seconds", warmupSeconds, "0..600");
            profile();
            return made.get();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), ex.getMessage());
        }
    }

    /** Make sure that --dir is a directory that exists, if it is named. */
    public void checkDirectory()
    {
        Check.that(Files.isDirectory(directory()), "--dir", directory(), "an existing directory");
    }

    /**
     * Require room in the directory for what is written there, and 1 GiB besides.
     *
     * @param advice option that lowers the bytes.
     * @throws IllegalStateException if there is not enough.
     */
    public void requireSpace(final long bytes, final String advice) throws IOException
    {
        final long usableBytes = Files.getFileStore(directory()).getUsableSpace();
        if (usableBytes < FLOOR_BYTES + bytes)
        {
            throw new IllegalStateException("not enough room in " + directory() + ": " + (FLOOR_BYTES + bytes >> 20) +
                " MiB are needed, it has " + (usableBytes >> 20) + "; lower " + advice + ", or choose another --dir");
        }
    }

    /** The files of --out, or null without it. */
    public ReportFiles files()
    {
        return null == out ? null : checked(() -> new ReportFiles(out));
    }

    /**
     * Print a result.
     *
     * @param table for people.
     * @param json  in one line, if asked for.
     * @return exit code.
     */
    public int print(final String table, final Supplier<String> json)
    {
        System.out.print(table);
        if (isJson)
        {
            System.out.println(json.get());
        }

        return 0;
    }
}
