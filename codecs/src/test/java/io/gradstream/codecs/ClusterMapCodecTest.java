// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClusterMapCodecTest
{
    /** A message of the coordinator: an eighth of its streams' terms of 1 MiB, less the header of its session. */
    private static final int MAX_MESSAGE_LENGTH = 128 * 1024 - 64;
    private static final int MUTATIONS = 20_000;

    private final ClusterMapCodec codec = new ClusterMapCodec();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    @Test
    void shouldReadWhatItWrote()
    {
        for (final ClusterMap map : List.of(map(), empty(), largest()))
        {
            final int length = codec.encode(map, buffer, 24);

            assertThat(codec.isMap(buffer, 24, length)).isTrue();
            assertThat(codec.decode(buffer, 24, length)).isEqualTo(map);
        }
    }

    @Test
    void shouldFitAMessageWhenTheMapIsTheLargest()
    {
        assertThat(codec.encode(largest(), buffer, 0)).isLessThan(MAX_MESSAGE_LENGTH);
    }

    @Test
    void shouldRefuseAMapOfAnotherLength()
    {
        final int length = codec.encode(map(), buffer, 0);
        for (int i = 0; i <= length + 1; i++)
        {
            final int cut = i;
            if (length != cut)
            {
                assertThatThrownBy(() -> codec.decode(buffer, 0, cut)).as("" + cut)
                    .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void shouldRefuseAMapOfANewerVersionOrAnotherSchema()
    {
        final int length = codec.encode(map(), buffer, 0);
        new MessageHeaderEncoder().wrap(buffer, 0).version(MessageHeaderEncoder.SCHEMA_VERSION + 1);
        assertThatThrownBy(() -> codec.decode(buffer, 0, length))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("version=");

        new MessageHeaderEncoder().wrap(buffer, 0).version(MessageHeaderEncoder.SCHEMA_VERSION).schemaId(1);
        assertThat(codec.isMap(buffer, 0, length)).isFalse();
    }

    @Test
    void shouldRefuseOrReadAMutatedMapButNeverFailOtherwise()
    {
        final byte[] sound = new byte[codec.encode(map(), buffer, 0)];
        buffer.getBytes(0, sound);
        final Random random = new Random(3);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++)
        {
            final byte[] bytes = Arrays.copyOf(sound, sound.length - (random.nextBoolean() ? 0 : random.nextInt(9)));
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
            bytes[random.nextInt(bytes.length)] += (byte)(random.nextInt(3) - 1);
            try
            {
                codec.decode(new UnsafeBuffer(bytes), 0, bytes.length);
            }
            catch (final IllegalArgumentException ex)
            {
                refused++;
            }
        }

        assertThat(refused).isBetween(MUTATIONS / 4, MUTATIONS - 1);
    }

    @Test
    void shouldRefuseAnEndpointWhoseLengthCannotBe()
    {
        final int length = codec.encode(map(), buffer, 0);
        for (final int endpointLength : new int[]{-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30, 256})
        {
            buffer.putInt(length - "127.0.0.1:4002".length() - Integer.BYTES, endpointLength);
            assertThatThrownBy(() -> codec.decode(buffer, 0, length)).as("" + endpointLength)
                .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseAJobOutOfItsLimits()
    {
        assertThat(job(JobSpec.MAX_PARTITIONS, JobSpec.MAX_COPIES, JobSpec.MAX_NODES)).isNotNull();
        for (final int[] wrong : new int[][]{{0, 1, 1}, {1025, 1, 1}, {1, 0, 1}, {1, 4, 4}, {1, 2, 1}, {1, 1, 129}})
        {
            assertThatThrownBy(() -> job(wrong[0], wrong[1], wrong[2])).as(Arrays.toString(wrong))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("must be ");
        }
        assertThatThrownBy(() -> new JobSpec(1, 2, 2, 1, 1, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.REPLAY))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("copies=2");
        assertThatThrownBy(() -> new JobSpec(1, 1, 1, 1, 1, JobSpec.MIN_REPAIR_DELAY_MS - 1, RecoveryMode.CHAIN))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("repairDelayMs=1999");
        assertThatThrownBy(() -> new JobSpec(1, 1, 1, 1, 1, JobSpec.MIN_REPAIR_DELAY_MS, null))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("mode=null");
    }

    @Test
    void shouldReadAChainMapWithoutNodes()
    {
        final ChainMap none = new ChainMap(1, List.of(), List.of(new Chain(0, 0, List.of(), Chain.NONE, 2)));

        assertThat(ChainMap.parse(none.format())).isEqualTo(none);
    }

    @Test
    void shouldNumberPartitionsAsOneJobDoes()
    {
        final List<Chain> chains = new ArrayList<>();
        for (int i = 0; i < 6; i++)
        {
            chains.add(new Chain(i, i, List.of(i), Chain.NONE, 1));
        }
        final ClusterMap.Job first = new ClusterMap.Job(1, "default", 0, job(2, 1, 1));
        final ClusterMap.Job other = new ClusterMap.Job(4, "other", 3, job(3, 1, 1));
        final ClusterMap map = new ClusterMap(List.of(first, other), List.of(3, 5), List.of(),
            List.of(List.of(0), List.of(1), List.of(), List.of(3), List.of(4), List.of(5)),
            new ChainMap(9, List.of(), chains), 7);

        assertThat(map.job("other")).isEqualTo(other).isEqualTo(map.job(4)).isEqualTo(map.jobOf(3));
        assertThat(map.of(other).jobOf(2).id()).isEqualTo(4);
        assertThat(map.of(other).chains().chains()).isEqualTo(chains.subList(3, 6));
        assertThat(map.of(other).assignment()).containsExactly(List.of(3), List.of(4), List.of(5));
        assertThat(map.of(other).job()).isEqualTo(other.spec());
        assertThat(map.of(first).chains().chains()).isEqualTo(chains.subList(0, 2));
        assertThat(map.jobOf(2)).isNull();
        assertThat(map.isPlaced()).isTrue();
        assertThat(List.of(map.isDeleted(1), map.isDeleted(2), map.isDeleted(3), map.isDeleted(5)))
            .as("2 is missing, and may have been forgotten").containsExactly(false, false, true, true);
    }

    @Test
    void shouldRefuseANameThatNoJobCanHave()
    {
        for (final String name : List.of("", "-a", "A", "a b", "a_b", "x".repeat(33)))
        {
            assertThatThrownBy(() -> ClusterMap.Job.checkName(name)).as(name)
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("name=" + name);
        }
        assertThat(ClusterMap.Job.checkName("0-b")).isEqualTo("0-b");
    }

    private static ClusterMap empty()
    {
        return new ClusterMap(null, List.of(), List.of(), new ChainMap(0, List.of(), List.of()));
    }

    private static ClusterMap map()
    {
        return new ClusterMap(
            job(2, 2, 3), List.of("127.0.0.1:4000", "", "127.0.0.1:4002"), List.of(List.of(0, 2), List.of()),
            new ChainMap(9, List.of(7L, 0L, 1L << 60), List.of(
                new Chain(3, 5, List.of(2), 0, 2),
                new Chain(4, 6, List.of(), Chain.NONE, 2, Chain.NONE, List.of(1), List.of(0, 1)))), -77);
    }

    private static ClusterMap largest()
    {
        final List<List<Integer>> assignment = new ArrayList<>();
        final List<Chain> chains = new ArrayList<>();
        for (int i = 0; i < JobSpec.MAX_PARTITIONS; i++)
        {
            assignment.add(List.of(125, 126, 127));
            chains.add(new Chain(1L << 62, 1L << 62, List.of(125, 126, 127), Chain.NONE, JobSpec.MAX_COPIES,
                Chain.NONE, List.of(), List.of(125, 126, 127)));
        }
        final List<String> endpoints = new ArrayList<>();
        final List<Long> incarnations = new ArrayList<>();
        for (int i = 0; i < JobSpec.MAX_NODES; i++)
        {
            endpoints.add("h".repeat(ClusterMapCodec.MAX_ENDPOINT_LENGTH));
            incarnations.add(Long.MAX_VALUE);
        }

        final List<ClusterMap.Job> jobs = new ArrayList<>();
        final int partitions = JobSpec.MAX_PARTITIONS / ClusterMap.MAX_JOBS;
        for (int i = 0; i < ClusterMap.MAX_JOBS; i++)
        {
            jobs.add(new ClusterMap.Job(Integer.MAX_VALUE - ClusterMap.MAX_JOBS + i,
                ("job-" + i + "x".repeat(ClusterMap.Job.MAX_NAME_LENGTH)).substring(0, ClusterMap.Job.MAX_NAME_LENGTH),
                i * partitions, job(partitions, JobSpec.MAX_COPIES, JobSpec.MAX_NODES)));
        }

        return new ClusterMap(jobs, Collections.nCopies(ClusterMap.MAX_DELETED_JOBS, 7), endpoints, assignment,
            new ChainMap(Long.MAX_VALUE, incarnations, chains), 1);
    }

    private static JobSpec job(final int partitions, final int copies, final int nodes)
    {
        return new JobSpec(
            partitions, copies, nodes, JobSpec.DEFAULT_VIRTUAL_NODES, 1, JobSpec.MIN_REPAIR_DELAY_MS,
            RecoveryMode.CHAIN).with(new Consistency(3, 2)).with(List.of("sketch/1", "b-2/12"));
    }
}
