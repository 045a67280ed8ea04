// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.console.ClusterState;
import io.gradstream.coordinator.client.CoordinatorStatus.Replica;
import io.gradstream.coordinator.client.CoordinatorStatus;
import io.gradstream.coordinator.client.WorkStatus;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.SlotDescription;
import io.gradstream.worker.ClusterDescription.TableDescription;
import io.gradstream.worker.ClusterDescription;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class StatusTextTest
{
    private static final List<String> COORDINATORS = List.of("127.0.0.1:9000", "127.0.0.2:9000", "127.0.0.3:9000");
    private static final JobSpec JOB = new JobSpec(2, 2, 3, 16, 1000, 3000, RecoveryMode.CHAIN);
    private static final long SECOND_NS = 1_000_000_000;

    @Test
    void shouldTellNodesChainsPositionsAndLagsInText()
    {
        final String text = StatusText.of(whole(1_000));

        assertThat(text.lines().map(String::stripTrailing)).containsExactly(
            "coordinators  leader 1 of 3 (127.0.0.2:9000), term 4, map 7, failovers 2 of which spurious 1",
            "job           2 partitions of up to 1000 rows a table, 2 copies, mode chain, repair after 3.0 s",
            "",
            "  node  endpoint                                          started               heard ms  places  heads",
            "     0  127.0.0.1:9100                                    1970-01-01T00:00:01Z        12       2      1",
            "     2  127.0.0.3:9100                                    1970-01-01T00:00:03Z        15       2      1",
            "",
            "  part  epoch  chain        joiner   copies       applied    replicated      recorded  lag of each" +
                "          log B/s",
            "     0      1  0>2               -   2 of 2          1000           900           800  2:100" +
                "                      -",
            "     1      3  2                 0   1 of 2             -             -             -  0:?" +
                "                        -",
            "",
            "DEGRADED: 1 of 2 partitions have fewer copies than they should");
    }

    @Test
    void shouldFitTheWidthWhenEverythingIsLong()
    {
        final long position = 999_999_999_999L;
        final Chain chain = new Chain(12_345, 9, List.of(125, 126), 127, 3);
        final List<Replica> replicas = List.of(
            new Replica(125, 0, position, position, position), new Replica(126, 0, 0, 0, 0),
            new Replica(127, 0, 0, 0, 0));
        final List<String> endpoints = new ArrayList<>(Collections.nCopies(128, ""));
        endpoints.set(125, "x".repeat(250) + ":9000");
        final ClusterMap map = new ClusterMap(
            new JobSpec(1024, 3, 128, 1024, JobSpec.MAX_ROWS, JobSpec.MAX_REPAIR_DELAY_MS,
                RecoveryMode.CHAIN_STATELESS),
            endpoints, List.of(List.of(125, 126, 127)),
            new ChainMap(1 << 20, Collections.nCopies(128, 1L), List.of(chain)));
        final CoordinatorStatus status =
            new CoordinatorStatus(1 << 20, 1000, 1000, 1000, 0, Collections.nCopies(128, 99_999_999L), Set.of(),
                replicas);

        assertThat(StatusText.of(state(map, status)).lines())
            .allMatch((line) -> line.length() <= StatusText.WIDTH)
            .anyMatch((line) -> line.contains("126:1000.0G 127:1000.0G"));
    }

    @Test
    void shouldTellTheRateBetweenTwoSamples()
    {
        final ClusterState earlier = whole(1_000);
        final CoordinatorStatus status = new CoordinatorStatus(
            7, 2, 1, 4, 1, List.of(12L, -1L, -1L), Set.of(), List.of(new Replica(0, 0, 51_000, 51_000, 51_000)));
        final ClusterState now = StateReaderTest.state(map(), status, 2_000, earlier);

        assertThat(StatusText.of(now)).contains("  25.0k" + System.lineSeparator());
        assertThat(now.json()).contains("\"logBytesPerSecond\":25000.0");
        assertThat(StateReaderTest.state(map(), status, 0, now).partitions().get(0).logBytesPerSecond()).isNaN();
    }

    @Test
    void shouldPrintOneJsonObject()
    {
        assertThat(whole(1_000).json()).isEqualTo(
            "{\"timeMs\":0,\"leader\":1,\"leaderEndpoint\":\"127.0.0.2:9000\",\"coordinators\":3,\"term\":4," +
            "\"mapVersion\":7,\"failovers\":2,\"spuriousFailovers\":1," +
            "\"job\":{\"name\":\"default\"," +
            "\"partitions\":2,\"copies\":2,\"nodes\":3,\"virtualNodes\":16,\"rowCapacity\":1000," +
            "\"repairDelayMs\":3000,\"mode\":\"chain\",\"slots\":0,\"staleness\":\"unbounded\",\"bounded\":false," +
            "\"maxRowBytes\":0,\"pushRate\":0}," +
            "\"placed\":true,\"nodes\":[" +
            "{\"id\":0,\"endpoint\":\"127.0.0.1:9100\",\"incarnation\":1000000000," +
            "\"started\":\"1970-01-01T00:00:01Z\",\"heardMs\":12,\"silent\":false,\"places\":2,\"heads\":1," +
            "\"draining\":false,\"kept\":2}," +
            "{\"id\":2,\"endpoint\":\"127.0.0.3:9100\",\"incarnation\":3000000000," +
            "\"started\":\"1970-01-01T00:00:03Z\",\"heardMs\":15,\"silent\":false,\"places\":2,\"heads\":1," +
            "\"draining\":false,\"kept\":2}]," +
            "\"partitions\":[" +
            "{\"id\":0,\"epoch\":1,\"version\":2,\"chain\":[0,2],\"joiner\":-1,\"wanted\":2," +
            "\"requiredReplicas\":[],\"staleReplicas\":[],\"assignment\":[0,2],\"degraded\":false," +
            "\"served\":true,\"replicas\":[" +
            replica(0, "head", 1_000, 900, 800, 0) + "," + replica(2, "standby", 900, 900, 800, 100) +
            "],\"logBytesPerSecond\":null}," +
            "{\"id\":1,\"epoch\":3,\"version\":5,\"chain\":[2],\"joiner\":0,\"wanted\":2,\"requiredReplicas\":[]," +
            "\"staleReplicas\":[],\"assignment\":[2,0],\"degraded\":true,\"served\":true,\"replicas\":[" +
            replica(2, "head", -1, -1, -1, 0) + "," + replica(0, "joiner", -1, -1, -1, -1) +
            "],\"logBytesPerSecond\":null}]," +
            "\"stragglers\":null,\"tables\":null,\"slots\":null,\"undescribed\":null," +
            "\"work\":{\"id\":0,\"batches\":0,\"batchesDone\":0,\"batchesDropped\":0,\"batchesLeftOut\":0," +
            "\"unitsReissued\":0,\"slotsAdopted\":0,\"leases\":[]}," +
            "\"notServed\":0,\"degraded\":1}");
    }

    @Test
    void shouldSayWhoIsDrained()
    {
        final CoordinatorStatus status =
            new CoordinatorStatus(7, 2, 1, 4, 1, List.of(12L, -1L, 15L), Set.of(2), List.of());

        assertThat(StatusText.of(state(map(), status))).contains("server 2 is being drained: 2 partitions are left")
            .doesNotContain("moving");
        assertThat(state(map(), status).nodes()).extracting(ClusterState.Node::draining).containsExactly(false, true);
    }

    @Test
    void shouldSayWhatIsMissingBeforeAnythingIsPlaced()
    {
        final CoordinatorStatus status = new CoordinatorStatus(1, 0, 0, 0, 0, List.of(), Set.of(), List.of());
        final ClusterMap noJob = new ClusterMap(null, List.of(), List.of(), new ChainMap(1, List.of(), List.of()));
        final Chain none = new Chain(0, 0, List.of(), Chain.NONE, 2);
        final ClusterMap noNodes = new ClusterMap(
            JOB, List.of(), List.of(List.of(), List.of()), new ChainMap(1, List.of(), List.of(none, none)));
        final ClusterMap noHeads = new ClusterMap(
            JOB, List.of(), List.of(List.of(0, 1), List.of(1, 0)), new ChainMap(1, List.of(), List.of(none, none)));

        assertThat(StatusText.of(state(noJob, status))).contains("no job is known");
        assertThat(state(noJob, status).json()).contains("\"job\":null,\"placed\":false");
        assertThat(StatusText.of(state(noNodes, status)))
            .contains("nothing is placed: 0 of 3 servers have registered and are not drained, start the others");
        assertThat(StatusText.of(state(noHeads, status)))
            .contains("NOT SERVED: 2 of 2 partitions have no primary that is heard; 2 degraded in all");
    }

    @Test
    void shouldSayThatNobodyServesWhereThePrimaryIsSilent()
    {
        final ClusterState state = state(map(),
            new CoordinatorStatus(7, 2, 1, 4, 1, List.of(5_001L, -1L, 5_000L), Set.of(), List.of()));

        assertThat(StatusText.of(state).lines().map(String::stripTrailing)).endsWith(
            "not heard for more than 5 s, and needed: server 0",
            "",
            "NOT SERVED: 1 of 2 partitions have no primary that is heard; 1 degraded in all");
        assertThat(state.json()).contains("\"notServed\":1,\"degraded\":1", "\"silent\":true");
    }

    @Test
    void shouldSayWhoseCopiesAreAwaitedAndWhoseAreRefused()
    {
        final Chain closed = new Chain(3, 9, List.of(), Chain.NONE, 2, Chain.NONE, List.of(0), List.of(0, 2));
        final ClusterMap map = new ClusterMap(JOB, List.of("127.0.0.1:9100", "", "127.0.0.3:9100"),
            List.of(List.of(0, 2)), new ChainMap(8, List.of(1L, 0L, 3L), List.of(closed)));
        final ClusterState state = state(
            map, new CoordinatorStatus(8, 2, 1, 4, 1, List.of(12L, -1L, 47_000L), Set.of(), List.of()));

        assertThat(StatusText.of(state)).contains(
            "not heard for more than 5 s, and needed: server 2" + System.lineSeparator(),
            "may lack what was acknowledged, see its standard error: server 0" + System.lineSeparator());
        assertThat(state.json()).contains("\"requiredReplicas\":[0,2],\"staleReplicas\":[0]");
    }

    @Test
    void shouldTellTablesAndSlotsAndWhoseAreMissing()
    {
        final ClusterState state = described(new ClusterDescription(
            1, JOB, List.of(
                new TableDescription(TableSpec.AUDIT, 2, 0, 1),
                new TableDescription(TableSpec.dense(0, "weights", 500, 4, "sgd/1 rate=0.1"), 300, 7, 1)),
            List.of(
                new PartitionDescription(0, 1, 1_000, List.of(0, 2), Chain.NONE, 2, 0),
                new PartitionDescription(1, 0, 0, List.of(), Chain.NONE, 0, 0)),
            List.of(new SlotDescription(3, 77, 8, 9, List.of(24L, 0L)))));

        assertThat(StatusText.of(state).lines().map(String::stripTrailing)).contains(
            " table  name                      type       dim          rows       present  not finite  function",
            "    -1  _audit                    INT64        4        sparse             2           0  add/1",
            "     0  weights                   FLOAT32      4           500           300           7  sgd/1 rate=0.1",
            "  slot           incarnation         clock         ended         parts",
            "     3                    77             8             9            24",
            "partition 1: no answer from its primary 2 within 3 s");
        assertThat(state.json()).contains(
            ",\"tables\":[{\"id\":-1,\"name\":\"_audit\",\"system\":true,\"elementType\":\"INT64\",\"dim\":4," +
            "\"rows\":0,\"rowsPresent\":2,\"rowsNotFinite\":0,\"partitions\":1,\"function\":\"add/1\"}," +
            "{\"id\":0,\"name\":\"weights\",\"system\":false,\"elementType\":\"FLOAT32\",\"dim\":4,\"rows\":500," +
            "\"rowsPresent\":300,\"rowsNotFinite\":7,\"partitions\":1,\"function\":\"sgd/1 rate=0.1\"}]," +
            "\"slots\":[{\"id\":3,\"incarnation\":77," +
            "\"clock\":8,\"ended\":9,\"parts\":24,\"lastSequences\":[24,0]}],\"undescribed\":[1],");
    }

    private static ClusterState described(final ClusterDescription description)
    {
        return ContentReader.add(whole(1_000), JOB.consistency(), description, true);
    }

    private static String replica(final int node, final String role, final long... positions)
    {
        return String.format("{\"node\":%d,\"role\":\"%s\",\"state\":\"\",\"epoch\":-1,\"applied\":%d," +
            "\"replicated\":%d,\"recorded\":%d,\"lag\":%d}",
            node, role, positions[0], positions[1], positions[2], positions[3]);
    }

    @Test
    void shouldSayHowFarWorkIsAndWhoHoldsSlots()
    {
        final CoordinatorStatus status =
            new CoordinatorStatus(7, 2, 1, 4, 1, List.of(12L, -1L, 15L), Set.of(), List.of());
        final WorkStatus work = new WorkStatus(3, 100, 40, 0, 2, 1, 1, List.of(
            new WorkStatus.Slot(0, 9, 12, 4, true), new WorkStatus.Slot(1, 8, 12_000, 0, false)));

        assertThat(StatusText.of(StateReaderTest.state(map(), status, work, 0, null)).lines()).contains(
            "work          number 3: 40 of 100 batches done, 2 left out, 1 units given again, 1 slots adopted",
            "workers       in slots 0; not heard any more: 1");
        assertThat(StatusText.of(state(map(), status))).doesNotContain("work  ", "workers  ");
    }

    private static ClusterState state(final ClusterMap map, final CoordinatorStatus status)
    {
        return StateReaderTest.state(map, status, 0, null);
    }

    private static ClusterMap map()
    {
        final ChainMap chains = new ChainMap(7, List.of(SECOND_NS, 0L, 3 * SECOND_NS), List.of(
            new Chain(1, 2, List.of(0, 2), Chain.NONE, 2), new Chain(3, 5, List.of(2), 0, 2)));

        return new ClusterMap(
            JOB, List.of("127.0.0.1:9100", "", "127.0.0.3:9100"), List.of(List.of(0, 2), List.of(2, 0)), chains);
    }

    private static ClusterState whole(final long applied)
    {
        final List<Replica> replicas = List.of(
            new Replica(0, 0, applied, applied - 100, applied - 200),
            new Replica(2, 0, applied - 100, applied - 100, applied - 200));

        return state(map(), new CoordinatorStatus(7, 2, 1, 4, 1, List.of(12L, -1L, 15L), Set.of(), replicas));
    }
}
