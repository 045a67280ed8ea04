// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.ring;

import java.io.PrintWriter;
import java.io.StringWriter;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.options.Failures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class RingCommandTest
{
    @Test
    void shouldShowPlacesAndHeadsOfEachNode()
    {
        assertThat(run(0, "--nodes=2,0,1")).isEqualToNormalizingNewlines("""
            64 partitions, 2 copies of each, on 3 nodes of 128 virtual nodes: 128 places, at most 47 a node
              node  places   heads
                 0      43      22
                 1      42      22
                 2      43      20
            """);
    }

    @Test
    void shouldSayWhatAJoinMoves()
    {
        assertThat(run(0, "--nodes=0,1,2 --join=3")).contains(
            "with node 3: 32 places move, 25.0 % of 128; at most 36 a node",
            "     3       0 ->    32       0 ->    20",
            "a running cluster moves these places by itself, two at a time, and then hands leads " +
                "over until they are even");
        assertThat(run(0, "--nodes=0,1,2 --join=3 --moves").lines().filter((line) -> line.endsWith("-> node 3")))
            .hasSize(32).allMatch((line) -> line.matches("partition \\d+: node [012] -> node 3"));
    }

    @Test
    void shouldSayWhatALeaveMoves()
    {
        assertThat(run(0, "--nodes=0,1,2,3 --leave=3")).contains(
            "without node 3: 32 places move, 25.0 % of 128; at most 47 a node", "     3      32 ->     0");
        assertThat(run(0, "--nodes=0,1,2,3 --leave=3 --moves").lines().filter((line) -> line.contains(": node 3 ->")))
            .hasSize(32);
        assertThat(run(0, "--nodes=0,1 --partitions=2 --leave=1 --moves"))
            .contains("without node 1: 0 places move, 0.0 % of 4", "partition 0: node 1 -> none");
    }

    @Test
    void shouldPrintOneJsonObject()
    {
        assertThat(run(0, "--nodes=0,1 --partitions=4 --replicas=1 --json").strip()).isEqualTo(
            "{\"partitions\":4,\"copies\":1,\"virtualNodes\":128,\"nodes\":[0,1],\"places\":[2,2],\"heads\":[2,2]," +
                "\"cap\":3}");
        assertThat(run(0, "--nodes=0,1 --partitions=4 --replicas=1 --join=2 --moves --json").strip()).endsWith(
            "\"nodesAfter\":[0,1,2],\"placesAfter\":[1,2,1],\"headsAfter\":[1,2,1],\"capAfter\":2,\"moved\":1," +
                "\"movedShare\":0.250000,\"movePartitions\":[0],\"moveFrom\":[0],\"moveTo\":[2]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        --json                          | Missing required option: '--nodes=ID,...'
        --nodes=0,a                     | Invalid value for option '--nodes'
        --nodes=0,0                     | invalid --nodes=0,0: must be 1..1024 different ids from 0
        --nodes=0,-1                    | invalid --nodes=0,-1: must be 1..1024 different ids from 0
        --nodes=0 --partitions=0        | invalid --partitions=0: must be 1..4096
        --nodes=0 --replicas=17         | invalid --replicas=17: must be 1..16
        --nodes=0 --virtual-nodes=1025  | invalid --virtual-nodes=1025: must be 1..1024
        --nodes=0,1 --join=2 --leave=1  | --join contradicts --leave
        --nodes=0,1 --moves             | --moves without --join or --leave
        --nodes=0,1 --join=1            | invalid --join=1: must be an id from 0 that is not of --nodes 0,1
        --nodes=0,1 --join=-1           | invalid --join=-1: must be an id from 0
        --nodes=0,1 --leave=2           | invalid --leave=2: must be one of several --nodes, which are 0,1
        --nodes=0 --leave=0             | invalid --leave=0: must be one of several --nodes, which are 0
        """)
    void shouldSayInOneLineWhatIsWrong(final String arguments, final String expected)
    {
        final String output = run(Failures.EXIT_USAGE, arguments);
        assertThat(output).contains(expected);
        assertThat(output.strip().lines()).hasSize(1);
    }

    private static String run(final int exitCode, final String arguments)
    {
        final StringWriter out = new StringWriter();
        final PrintWriter writer = new PrintWriter(out);
        final CommandLine commandLine = Gradstream.commandLine().setOut(writer).setErr(writer);
        assertThat(Gradstream.execute(commandLine, ("ring " + arguments).split(" +")))
            .as("%s", out).isEqualTo(exitCode);

        return out.toString();
    }
}
