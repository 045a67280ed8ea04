// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.coordinator.state.CoordinatorSnapshot;
import io.gradstream.coordinator.state.CoordinatorState;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Members of the coordinator's cluster decide the same: from the same commands, from a snapshot and the commands after
 * it, and by every later release. To add a log for a new one, run the tests with
 * {@code -Dgradstream.golden.write=DIRECTORY}, and keep the old logs with their hashes.
 */
class CoordinatorReplayTest
{
    private static final String WRITE = "gradstream.golden.write";
    private static final String GOLDEN_HASH = "07b7347dcacde5eff6bd169b75eb0ab98d9e5cb0090160432266f6cabefda68f";
    private static final int GOLDEN_STEPS = 1000;
    private static final int SEEDS = 8;
    private static final int STEPS = 700;

    @BeforeAll
    static void writeWhenAsked() throws IOException
    {
        final String directory = System.getProperty(WRITE);
        if (null != directory)
        {
            final CoordinatorState state = new CoordinatorState();
            final List<CommandScript.Step> steps = new ArrayList<>();
            run(new CommandScript(805), state, steps, GOLDEN_STEPS);
            Files.write(Path.of(directory, "coordinator-v9.bin"), CommandScript.write(steps));
            System.err.println("golden coordinator hash: " + hash(state));
        }
    }

    @Test
    void shouldReplayTheGoldenLog() throws IOException
    {
        final CoordinatorState state = new CoordinatorState();
        final CoordinatorCommands commands = new CoordinatorCommands();
        try (InputStream input = getClass().getResourceAsStream("/golden/coordinator-v9.bin"))
        {
            CommandScript.read(input.readAllBytes()).forEach((step) -> step.apply(state, commands));
        }

        assertThat(hash(state)).isEqualTo(GOLDEN_HASH);
        assertThat(state.failovers()).isPositive();
        assertThat(state.work().batchesDone()).isPositive();
    }

    @Test
    void shouldDecideTheSameAfterEachStepWhenItGoesOnFromASnapshot() throws IOException
    {
        long failovers = 0;
        long moves = 0;
        long works = 0;
        long jobs = 0;
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final CommandScript script = new CommandScript(seed);
            final CoordinatorCommands commands = new CoordinatorCommands();
            final CoordinatorState state = new CoordinatorState();
            CoordinatorState copy = new CoordinatorState();
            List<List<Integer>> assignment = List.of();
            for (int step = 0; step < STEPS; step++)
            {
                final CommandScript.Step next = script.next(state);
                final boolean isChanged = next.apply(state, commands);

                assertThat(next.apply(copy, commands)).isEqualTo(isChanged);
                assertThat(copy.clusterMap()).as("seed %d step %d", seed, step).isEqualTo(state.clusterMap());
                final byte[] bytes = snapshot(state);
                assertThat(snapshot(copy)).as("seed %d step %d", seed, step).isEqualTo(bytes);
                copy = restored(copy);
                moves += assignment.equals(state.clusterMap().assignment()) ? 0 : 1;
                assignment = state.clusterMap().assignment();
            }
            failovers += state.failovers();
            jobs += state.clusterMap().jobs().size() - 1 + state.clusterMap().deletedJobs().size();
            works += state.work().batchesDone() + state.work().unitsReissued();
        }

        assertThat(failovers).as("failovers").isGreaterThan(SEEDS);
        assertThat(moves).as("placements and repairs").isGreaterThan(2 * SEEDS);
        assertThat(jobs).as("jobs created, deleted or not").isGreaterThan(SEEDS);
        assertThat(works).as("batches done and units given again").isGreaterThan(SEEDS);
    }

    @Test
    void shouldRefuseASnapshotWhenItIsNotWhole()
    {
        final CoordinatorState state = new CoordinatorState();
        run(new CommandScript(3), state, new ArrayList<>(), 50);
        final List<byte[]> messages = messages(state);
        final CoordinatorSnapshot snapshot = new CoordinatorSnapshot();
        messages.subList(0, messages.size() - 1).forEach((message) -> take(snapshot, message));

        assertThat(snapshot.isComplete()).isFalse();
        assertThatThrownBy(snapshot::state).isInstanceOf(IllegalStateException.class).hasMessageContaining("missing=1");
        assertThatThrownBy(() -> take(snapshot, messages.get(0))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> take(snapshot, new byte[3])).isInstanceOf(IllegalStateException.class);
        take(snapshot, messages.get(messages.size() - 1));
        assertThat(snapshot.state().clusterMap()).isEqualTo(state.clusterMap());
    }

    @Test
    void shouldRefuseASnapshotOfAnotherVersionAndSayWhatToDo()
    {
        final CoordinatorState state = new CoordinatorState();
        run(new CommandScript(3), state, new ArrayList<>(), 50);
        final byte[] message = messages(state).get(0);
        new MessageHeaderEncoder().wrap(new UnsafeBuffer(message), 0).version(1);

        assertThatThrownBy(() -> take(new CoordinatorSnapshot(), message)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("snapshot was written by another version of Gradstream: schema 1")
            .hasMessageContaining("start over with an empty --dir of every coordinator and of every server");
    }

    private static void run(
        final CommandScript script, final CoordinatorState state, final List<CommandScript.Step> taken, final int steps)
    {
        final CoordinatorCommands commands = new CoordinatorCommands();
        for (int step = 0; step < steps; step++)
        {
            final CommandScript.Step next = script.next(state);
            next.apply(state, commands);
            taken.add(next);
        }
    }

    private static CoordinatorState restored(final CoordinatorState state)
    {
        final CoordinatorSnapshot snapshot = new CoordinatorSnapshot();
        messages(state).forEach((message) -> take(snapshot, message));

        return snapshot.state();
    }

    private static void take(final CoordinatorSnapshot snapshot, final byte[] message)
    {
        snapshot.onMessage(new UnsafeBuffer(message), 0, message.length);
    }

    private static List<byte[]> messages(final CoordinatorState state)
    {
        final List<byte[]> messages = new ArrayList<>();
        CoordinatorSnapshot.write(state, (buffer, offset, length) ->
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            messages.add(bytes);
        });

        return messages;
    }

    private static byte[] snapshot(final CoordinatorState state)
    {
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        messages(state).forEach(output::writeBytes);

        return output.toByteArray();
    }

    private static String hash(final CoordinatorState state)
    {
        try
        {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(snapshot(state)));
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
