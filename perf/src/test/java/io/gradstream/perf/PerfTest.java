// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.assertj.core.api.Assertions.assertThat;

class PerfTest
{
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine commandLine =
        Perf.commandLine(new Perf()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--sizes 5k            | --sizes=5120: must be multiples of 4k",
        "--sizes 32m           | --sizes=33554432",
        "--sizes 4kb           | '4kb'",
        "--windows 0           | --windows=0: must be 1..10000",
        "--window-seconds 0    | --window-seconds=0.0",
        "--warmup-seconds -1   | --warmup-seconds=-1.0: must be 0..600",
        "--window-mib 0        | --window-mib=0",
        "--rate -1             | --rate=-1.0",
        "--partitions 0        | --partitions=0",
        "--profile fast        | profile=fast: must be one of dev, latency",
        "--mtu 1500            | --mtu=1500",
        "--coordinator nowhere | nowhere",
        "--dir /no/such/place  | --dir=/no/such/place: must be an existing directory",
        "--replicas 3          | --replicas=3",
        "--replicas 2 --coordinator 127.0.0.1:1 | --replicas=2",
        "--speed 9             | --speed"})
    void shouldSayInOneLineWhatIsWrongWhenAnOptionIs(final String options, final String expected)
    {
        final String[] args = ("load " + options).split(" ");

        assertThat(commandLine.execute(args)).isEqualTo(Perf.EXIT_USAGE);
        assertThat(err.toString().strip()).contains(expected).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "all --only load,nothing  | --only=nothing: must be one or more of load, sparse, rows, recorded,",
        "all --peers /no/such     | --peers=/no/such: its last line must be the JSON object of benchmarks/",
        "all --dir /no/such       | --dir=/no/such: must be an existing directory",
        "all --out /dev/null      | --out=/dev/null: must be a directory",
        "replay --bytes 4kb       | '4kb'",
        "replay --bytes 4k        | --bytes=4096: must be 1m to 64g",
        "replay --windows 0       | --windows=0",
        "replay --rows 2          | --rows=2: must be 3..65536",
        "replay --dir /no/such    | --dir=/no/such: must be an existing directory",
        "failover --windows 0     | --windows=0",
        "failover --partitions 1  | --partitions=1: must be 2..64",
        "failover --rate 0.5      | --rate=0.5",
        "failover --failure-detection now | --failure-detection=now: must be fast or default",
        "failover --profile fast  | profile=fast",
        "sparse --rows 5          | --rows=5: must be 16384..100000000",
        "soak --minutes 0.1       | --minutes=0.1: must be 0.5..10080",
        "growth --rows 10000      | --rows=10000: must be 20000..100000000",
        "scaling --servers 17     | --servers=17: must be 1..16",
        "scaling --units 1        | --workers=0: must be 1 or more with --units",
        "scaling --tables 1       | --workers=0: must be 1 or more with --tables",
        "scaling --servers 2 --drain | --servers=2: must be 3 or more with --drain",
        "idle --windows 0         | --windows=0: must be 1..10000",
        "idle --window-seconds 601 | --window-seconds=601.0: must be 0.001..600",
        "load --measures rawEcho,fast | --measures=fast: must be some of rawEcho,",
        "load --measures chainReplicated | --measures=[chainReplicated]: must be without those of a chain",
        "train --batch 0          | --batch=[0]: must be 1..1000000 each",
        "train --setups fast      | --setups=fast: must be some of plainThread,",
        "train --window-seconds 0 | --window-seconds=0.0",
        "staleness --workers 0    | --workers=0: must be 1..64",
        "staleness --window-seconds 1 | --window-seconds",
        "all --windows 3          | --windows",
        "idle --dir /no/such      | --dir=/no/such: must be an existing directory"})
    void shouldSayInOneLineWhatIsWrongWhenAnOptionOfAnotherCommandIs(final String options, final String expected)
    {
        assertThat(commandLine.execute(options.split(" +"))).isEqualTo(Perf.EXIT_USAGE);
        assertThat(err.toString().strip()).contains(expected).hasLineCount(1);
    }

    @Test
    void shouldExplainWhenAskedForHelp()
    {
        assertThat(commandLine.execute("load", "--help")).isZero();
        assertThat(out.toString()).contains("--sizes", "--windows", "--window-seconds", "--rate", "--json");
    }

    @Test
    void shouldListSubcommandsWhenAskedForHelp()
    {
        assertThat(commandLine.execute("--help")).isZero();
        assertThat(out.toString()).contains("all", "load", "replay", "failover", "jmh");
    }
}
