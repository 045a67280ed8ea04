// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/** Runs the benchmarks of single methods, each in a process of its own with this one's flags. */
@Command(
    name = "jmh",
    description = "Run the benchmarks of single methods (JMH) whose names match.")
final class JmhCommand implements Callable<Integer>
{
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Parameters(index = "0", arity = "0..1", defaultValue = "io.gradstream.perf.*", paramLabel = "REGEXP",
        description = "Of benchmark names, such as Codec. Default: all.")
    private String regexp;

    @Option(names = "--forks", defaultValue = "1", paramLabel = "N",
        description = "Processes for each benchmark, one after the other. Default: ${DEFAULT-VALUE}.")
    private int forks;

    @Option(names = "--iterations", defaultValue = "5", paramLabel = "N",
        description = "Windows in each process, after three to warm up. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(names = "--seconds", defaultValue = "1", paramLabel = "S",
        description = "Length of a window. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(names = "--gc", description = "Also tell what is allocated for each call.")
    private boolean isAllocationMeasured;

    @Override
    public Integer call() throws RunnerException
    {
        final OptionsBuilder options = new OptionsBuilder();
        options.include(regexp)
            .forks(forks)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(seconds))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.seconds(seconds));
        if (isAllocationMeasured)
        {
            options.addProfiler("gc");
        }

        return new Runner(options.build()).run().isEmpty() ? Perf.EXIT_FAILED : 0;
    }
}
