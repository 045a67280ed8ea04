// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.console.ClusterState;
import io.gradstream.coordinator.client.CoordinatorStatus;
import io.gradstream.worker.ClusterDescription;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.SlotDescription;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who holds the others back, as the status says it.
 */
class StragglersTest
{
    private static final long NEVER = -1;
    private static final long MS = 1_000_000;
    private static final String NOBODY = "nobody";

    @Test
    void shouldNameTheSlowestSlotForWhichAPullWaits()
    {
        assertThat(told(2, ns(0, 3_249 * MS), 121, 120, 118))
            .isEqualTo("by slot 2, at iteration 118, for 3.2 s (others up to 121)");
        assertThat(json(2, ns(0, 3_249 * MS), 121, 120, 118)).contains(
            "\"stragglers\":{\"slots\":[2],\"notBegun\":0,\"pullWaitMs\":3249,\"slowest\":118,\"fastest\":121},",
            ",\"heldBackBy\":[2],\"heldBackForMs\":3249,\"slowestClock\":118,\"fastestClock\":121}");
        assertThat(told(0, ns(50 * MS, 0), 7, 6, 6))
            .isEqualTo("by slots 1, 2, at iteration 6, for 0.1 s (others up to 7)");
    }

    @Test
    void shouldNameNobodyWhileSlotsAreWithinTheBound()
    {
        assertThat(told(2, ns(0, 0), 120, 120, 118)).isEqualTo(NOBODY);
        assertThat(json(2, ns(0, 0), 120, 120, 118)).contains(
            ",\"heldBackBy\":[],\"heldBackForMs\":0,\"slowestClock\":118,\"fastestClock\":120}");
        assertThat(told(0, ns(0, 0), 0, NEVER)).isEqualTo(NOBODY);
    }

    @Test
    void shouldNameWhomAnotherIsTooFarAheadOfBeforeItPulls()
    {
        assertThat(told(2, ns(0, 0), 121, 118))
            .isEqualTo("by slot 1, at iteration 118 (others up to 121, no pull waits)");
    }

    @Test
    void shouldNotCountWhoHasFinished()
    {
        assertThat(told(1, ns(5 * MS, 0), Consistency.FINISHED, 4, 6))
            .isEqualTo("by slot 1, at iteration 4, for 0.0 s (others up to 6)");
        assertThat(told(1, ns(0, 0), Consistency.FINISHED, 4)).isEqualTo(NOBODY);
        assertThat(told(1, ns(0, 0), Consistency.FINISHED, Consistency.FINISHED)).isEqualTo(NOBODY);
        assertThat(json(1, ns(0, 0), Consistency.FINISHED, Consistency.FINISHED)).contains(
            ",\"heldBackBy\":[],\"heldBackForMs\":0,\"slowestClock\":null,\"fastestClock\":null}");
    }

    @Test
    void shouldSayWhoHasNotBegun()
    {
        assertThat(told(0, ns(9_000 * MS, 0), 1, NEVER, 1))
            .isEqualTo("by slot 1, which has not begun, for 9.0 s (others up to 1)");
        assertThat(told(0, ns(9_000 * MS, 0), 1, NEVER, NEVER))
            .isEqualTo("by slots 1, 2, which have not begun, for 9.0 s (others up to 1)");
        assertThat(told(0, ns(9_000 * MS, 0), 1, 0, NEVER))
            .isEqualTo("by slots 1, 2, at iteration 0, 1 not begun, for 9.0 s (others up to 1)");
        assertThat(json(0, ns(9_000 * MS, 0), 1, 0, NEVER)).contains("\"heldBackBy\":[1,2],\"heldBackForMs\":9000,");
    }

    @Test
    void shouldSayThatSlotsWaitForThemselvesWhenTheyPullAhead()
    {
        assertThat(told(0, ns(2_000 * MS, 0), 5, 5))
            .isEqualTo("by slots 0, 1, at iteration 5, for 2.0 s (no other is ahead)");
    }

    @Test
    void shouldFitTheWidthWhenManyHoldOthersBack()
    {
        final long[] ended = new long[Consistency.MAX_SLOTS];
        for (int slot = 0; slot < ended.length; slot++)
        {
            ended[slot] = slot < 1000 ? 1_000_001 : 1018 == slot ? 0 : NEVER;
        }
        final String text = StatusText.of(state(1_000_000, description(ns(119_900 * MS, 0), ended)));

        assertThat(text).contains("held back     by slots 1000, 1001, 1002 and 21 more, at iteration 0, 23 not begun," +
            " for 119.9 s (others up to 1000001)");
        assertThat(text.lines()).allMatch((line) -> line.length() <= StatusText.WIDTH);
    }

    @Test
    void shouldSayWhatItDoesNotKnow()
    {
        final ClusterState unasked = state(0, null);
        assertThat(StatusText.of(unasked)).contains("held back     unknown: no primary answers");
        assertThat(unasked.json()).contains(
            ",\"heldBackBy\":null,\"heldBackForMs\":null,\"slowestClock\":null,\"fastestClock\":null}");
        assertThat(StatusText.of(state(0, description(ns(NEVER, NEVER), 3, 4))))
            .contains("held back     unknown: no primary answers");
        assertThat(told(0, ns(20 * MS, NEVER), 4, 3))
            .isEqualTo("by slot 1, at iteration 3, for 0.0 s (others up to 4), as 1 of 2 partitions tell");

        final ClusterState notServed = StateReaderTest.state(map(0, 2), status(5_001L), 0, null);
        assertThat(StatusText.of(notServed))
            .contains("held back     unknown: servers are not asked while partitions are not served");
    }

    @Test
    void shouldBeSilentInAJobWithoutABound()
    {
        final ClusterState state = state(Consistency.UNBOUNDED, description(ns(0, 0), 3, 4));

        assertThat(StatusText.of(state)).doesNotContain("held back").contains("staleness unbounded, slots 2");
        assertThat(state.json()).doesNotContain("heldBack").contains("\"stragglers\":null");
    }

    @Test
    void shouldTellNoTablesThatWereNotAskedFor()
    {
        final ClusterDescription description = description(ns(0, 0), 3, 4);
        final ClusterState state = state(0, description);

        assertThat(StatusText.of(state)).doesNotContain("incarnation");
        assertThat(state.json()).contains("\"tables\":null,\"slots\":null,");
        assertThat(StatusText.of(ContentReader.add(state, new Consistency(2, 0), description, true)))
            .contains("incarnation", "held back     by slot 0");
    }

    /** What is said behind "held back". */
    private static String told(final int staleness, final long[] heldNs, final long... ended)
    {
        return StatusText.of(state(staleness, description(heldNs, ended))).lines()
            .filter((line) -> line.startsWith("held back     ")).findFirst().orElseThrow().substring(14);
    }

    private static String json(final int staleness, final long[] heldNs, final long... ended)
    {
        return state(staleness, description(heldNs, ended)).json();
    }

    private static ClusterState state(final int staleness, final ClusterDescription description)
    {
        final ClusterMap map = map(staleness, null == description ? 2 : description.jobId());
        final ClusterState state = StateReaderTest.state(map, status(12), 0, null);

        return null == description ? state :
            ContentReader.add(state, map.job().consistency(), description, false);
    }

    private static ClusterMap map(final int staleness, final int slots)
    {
        final JobSpec job = new JobSpec(2, 1, 1, 16, 1000, 3000, RecoveryMode.REPLAY)
            .with(new Consistency(slots, staleness));
        final Chain chain = new Chain(1, 2, List.of(0), Chain.NONE, 1);

        return new ClusterMap(job, List.of("127.0.0.1:9100"), List.of(List.of(0), List.of(0)),
            new ChainMap(7, List.of(1L), List.of(chain, chain)));
    }

    private static CoordinatorStatus status(final long heardMs)
    {
        return new CoordinatorStatus(7, 2, 1, 1, 1, List.of(heardMs), Set.of(), List.of());
    }

    /** Two partitions that tell how long a pull waits, or do not answer; its job's number is that of its slots. */
    private static ClusterDescription description(final long[] heldNs, final long... ended)
    {
        final List<PartitionDescription> partitions = new ArrayList<>();
        for (int i = 0; i < heldNs.length; i++)
        {
            final List<Integer> chain = NEVER == heldNs[i] ? List.of() : List.of(0);
            partitions.add(new PartitionDescription(i, 1, 1_000, chain, Chain.NONE, 1, Math.max(0, heldNs[i])));
        }
        final List<SlotDescription> slots = new ArrayList<>();
        for (int slot = 0; slot < ended.length; slot++)
        {
            if (NEVER != ended[slot])
            {
                slots.add(new SlotDescription(slot, 77, ended[slot] - 1, ended[slot], List.of(1L, 1L)));
            }
        }

        return new ClusterDescription(ended.length, null, List.of(), partitions, slots);
    }

    private static long[] ns(final long... values)
    {
        return values;
    }
}
