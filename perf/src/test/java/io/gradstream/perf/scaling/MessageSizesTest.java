// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.NodeReportCodec;
import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.ReplicaReport;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** The formulas of docs/SCALING.md, by which the sizes of clusters are computed that no machine here can run. */
class MessageSizesTest
{
    private static final String ENDPOINT = "127.0.0.1:37137";
    /** What is before a message in the coordinators' log: the header of Aeron's frame and that of the session. */
    private static final int HEADERS = DataHeaderFlyweight.HEADER_LENGTH + AeronCluster.SESSION_HEADER_LENGTH;
    private static final ReplicaPositions POSITIONS = new ReplicaPositions(1, 1, 1);

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    @ParameterizedTest
    @CsvSource({"1, 4, 2, 2, 679", "1, 16, 2, 2, 1399", "1, 64, 2, 2, 4279", "16, 32, 2, 8, 7696",
        "1, 64, 2, 8, 4441", "1, 1024, 2, 1000, 88825"})
    void shouldEncodeAMapOfTheLengthThatIsWritten(
        final int jobs, final int partitions, final int copies, final int nodes, final int length)
    {
        final JobSpec spec = new JobSpec(1, copies, copies, 1, 1, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        final List<Integer> members = IntStream.range(0, copies).boxed().toList();
        final ClusterMap map = new ClusterMap(
            list(jobs, (id) -> new ClusterMap.Job(id + 1, "job-" + id, id, spec)), List.of(),
            Collections.nCopies(nodes, ENDPOINT), Collections.nCopies(partitions, members),
            new ChainMap(1, Collections.nCopies(nodes, 1L),
                Collections.nCopies(partitions, new Chain(1, 1, members, Chain.NONE, copies))), 1);

        assertThat(new ClusterMapCodec().encode(map, buffer, 0)).isEqualTo(length)
            .isEqualTo(40 + 345 * jobs + (44 + 8 * copies) * partitions + (12 + ENDPOINT.length()) * nodes);
    }

    @ParameterizedTest
    @CsvSource({"1", "4", "1024"})
    void shouldEncodeAReportOfTheLengthThatIsWritten(final int count)
    {
        final NodeReport report = new NodeReport(0, 1, 1, true, ENDPOINT, list(count, (partition) ->
            new ReplicaReport(partition, ReplicaReport.Status.NONE, 0, LogEnd.NONE, Chain.NONE, List.of(), POSITIONS)));

        assertThat(HEADERS + new NodeReportCodec().encode(report, buffer))
            .isEqualTo(101 + ENDPOINT.length() + 63 * count);
    }

    @Test
    void shouldEncodeWhatAWorkerReachesInTheLengthThatIsWritten()
    {
        final int nodes = 1_000;
        final Map<Integer, Boolean> reached =
            IntStream.range(0, nodes).boxed().collect(Collectors.toMap(Function.identity(), (node) -> true));
        final WorkerReachEncoder reach = new WorkerReachEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        CoordinatorLink.encodeReach(reach, 0, 1, reached);

        assertThat(HEADERS + MessageHeaderEncoder.ENCODED_LENGTH + reach.encodedLength()).isEqualTo(92 + 5 * nodes);
    }

    private static <T> List<T> list(final int size, final Function<Integer, T> element)
    {
        return IntStream.range(0, size).boxed().map(element).toList();
    }
}
