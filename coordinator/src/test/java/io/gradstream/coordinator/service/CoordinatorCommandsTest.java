/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.coordinator.service;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.AliveEncoder;
import io.gradstream.codecs.coordinator.ClimbedDecoder;
import io.gradstream.codecs.coordinator.ClimbedEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.RegisterEncoder;
import io.gradstream.codecs.coordinator.SuspectEncoder;
import io.gradstream.coordinator.client.ClusterCoordinator;
import io.gradstream.coordinator.state.CoordinatorSnapshot;
import io.gradstream.coordinator.state.CoordinatorState;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoordinatorCommandsTest
{
    private static final int MUTATIONS = 100_000;
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int MARGIN = 4096;

    private final CoordinatorCommands commands = new CoordinatorCommands();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @Test
    void shouldBelieveAComplaintOfVersion0WhichDoesNotSayWhetherItsSenderIsAnswered()
    {
        final CoordinatorState state = new CoordinatorState(2, List.of(List.of(0, 1)));
        for (int node = 0; node < 2; node++)
        {
            state.register(node, 1);
            state.climbed(node, 1, 0, 0, 0);
        }
        state.admit(0, 1, 0, 1, 1);
        final int length = new SuspectEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(1).chainVersion(2).nodeId(1).partition(0).suspected(0).isAnswered((short)0).encodedLength();
        assertThat(commands.take(state, 0, buffer, 0, HEADER_LENGTH + length)).isFalse();
        assertThat(commands.text().toString()).endsWith("unanswered");

        final int lengthOfVersion0 = SuspectEncoder.isAnsweredEncodingOffset();
        header.wrap(buffer, 0).version(0).blockLength(lengthOfVersion0);
        assertThat(commands.take(state, 0, buffer, 0, HEADER_LENGTH + lengthOfVersion0)).isTrue();
        assertThat(state.map().chains().get(0).members()).containsExactly(1);
    }

    @Test
    void shouldDecideTheSameFromMutatedCommandsWhateverLiesBehindThem()
    {
        final Random random = new Random(17);
        final CommandScript script = new CommandScript(17);
        final CoordinatorState one = new CoordinatorState();
        final CoordinatorState other = new CoordinatorState();
        final UnsafeBuffer zeros = new UnsafeBuffer(new byte[2 * MARGIN]);
        final byte[] noise = new byte[2 * MARGIN];
        random.nextBytes(noise);
        final UnsafeBuffer garbage = new UnsafeBuffer(noise);
        final CommandScript.Step[] sound = new CommandScript.Step[500];
        for (int i = 0; i < sound.length; i++)
        {
            sound[i] = script.next(one);
            sound[i].apply(one, commands);
            sound[i].apply(other, commands);
        }
        int malformed = 0;
        for (int i = 0; i < MUTATIONS; i++)
        {
            final byte[] bytes = mutated(sound[random.nextInt(sound.length)].command(), random);
            zeros.setMemory(0, zeros.capacity(), (byte)0);
            zeros.putBytes(64, bytes);
            garbage.putBytes(0, noise);
            garbage.putBytes(64, bytes);
            final long version = one.version();
            final boolean isChanged = commands.take(one, i, zeros, 64, bytes.length);
            malformed += commands.text().toString().startsWith("malformed") ? 1 : 0;

            assertThat(one.version()).as("mutation %d", i).isEqualTo(version + (isChanged ? 1 : 0));
            assertThat(commands.take(other, i, garbage, 64, bytes.length)).as("mutation %d", i).isEqualTo(isChanged);
        }

        assertThat(snapshot(other)).isEqualTo(snapshot(one));
        assertThat(malformed).isGreaterThan(MUTATIONS / 20);
    }

    @Test
    void shouldChangeNothingWhenACommandIsCutOffOrTooLong()
    {
        final CommandScript script = new CommandScript(5);
        final CoordinatorState state = new CoordinatorState();
        for (int i = 0; i < 300; i++)
        {
            final CommandScript.Step step = script.next(state);
            final byte[] before = snapshot(state);
            final byte[] longer = Arrays.copyOf(step.command(), step.command().length + 1);
            for (int length = 0; length < step.command().length; length++)
            {
                assertThat(commands.take(state, 1, new UnsafeBuffer(step.command()), 0, length)).isFalse();
            }
            if (step.command().length > 0)
            {
                assertThat(commands.take(state, 1, new UnsafeBuffer(longer), 0, longer.length)).isFalse();
            }
            assertThat(snapshot(state)).as("step " + i).isEqualTo(before);
            step.apply(state, commands);
        }
    }

    @Test
    void shouldChangeNothingWhenAnEndpointsLengthCannotBe()
    {
        final CoordinatorState state = new CoordinatorState();
        final int length = HEADER_LENGTH + new RegisterEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(7).nodeId(0).endpoint("127.0.0.1:4000").encodedLength();
        for (final int endpointLength : new int[]{-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30, 15, 13})
        {
            buffer.putInt(HEADER_LENGTH + RegisterEncoder.BLOCK_LENGTH, endpointLength);
            assertThat(commands.take(state, 1, buffer, 0, length)).as("" + endpointLength).isFalse();
            assertThat(commands.text()).startsWith("malformed");
        }
        assertThat(state.nodeCount()).isZero();
    }

    @Test
    void shouldRefuseAnEndpointThatIsNotOneWord()
    {
        final CoordinatorState state = new CoordinatorState();
        for (final String endpoint : new String[]{"", "a b:1", "a:1\nMAP", "\t", "x".repeat(256)})
        {
            final int length = HEADER_LENGTH + new RegisterEncoder().wrapAndApplyHeader(buffer, 0, header)
                .incarnation(7).nodeId(0).endpoint(endpoint).encodedLength();
            assertThat(commands.take(state, 1, buffer, 0, length)).as(endpoint).isFalse();
            assertThat(commands.text().toString()).doesNotContain("\n");
        }
        assertThat(state.nodeCount()).isZero();
    }

    @Test
    void shouldKeepALivingNodeAsOfVersion1AndReplaceItInOlderLogs()
    {
        final CoordinatorState state = new CoordinatorState();
        commands.take(state, 1, buffer, 0, register(7, "127.0.0.1:4000"));

        assertThat(commands.take(state, 4_000, buffer, 0, register(8, "127.0.0.1:4001"))).isFalse();
        assertThat(state.clusterMap().endpoints()).containsExactly("127.0.0.1:4000");

        final int length = register(8, "127.0.0.1:4001");
        header.wrap(buffer, 0).version(0);

        assertThat(commands.take(state, 4_000, buffer, 0, length)).isTrue();
        assertThat(state.clusterMap().endpoints()).containsExactly("127.0.0.1:4001");
    }

    private int register(final long incarnation, final String endpoint)
    {
        return HEADER_LENGTH + new RegisterEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation).nodeId(0).endpoint(endpoint).encodedLength();
    }

    @Test
    void shouldApplyNothingOfASignOfLifeThatBreaksInTheMiddle()
    {
        final CoordinatorState state = new CoordinatorState();
        state.defineJob(new JobSpec(1, 1, 1, 64, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.REPLAY));
        state.register(0, 7, "127.0.0.1:4000", 1);
        final AliveEncoder alive = new AliveEncoder().wrapAndApplyHeader(buffer, 0, header).incarnation(7).nodeId(0);
        alive.replicasCount(2).next().chainVersion(0).epoch(0).position(0).partition(0)
            .said(ClusterCoordinator.SAID_CLIMBED);
        final int length = HEADER_LENGTH + alive.encodedLength();

        final long version = state.version();
        assertThat(commands.take(state, 1, new UnsafeBuffer(buffer, 0, length), 0, length)).isFalse();
        assertThat(state.version()).isEqualTo(version);
        assertThat(state.map().chains().get(0).members()).isEmpty();
    }

    @Test
    void shouldIgnoreWhatIsOfAnotherSchemaOrANewerVersion()
    {
        final int length = HEADER_LENGTH + new ClimbedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .incarnation(7).nodeId(0).partition(0).encodedLength();
        assertThat(commands.templateId(buffer, 0, length)).isEqualTo(ClimbedDecoder.TEMPLATE_ID);
        header.wrap(buffer, 0).version(ClimbedDecoder.SCHEMA_VERSION + 1);
        assertThat(commands.templateId(buffer, 0, length)).isZero();
        header.wrap(buffer, 0).version(ClimbedDecoder.SCHEMA_VERSION).schemaId(1);
        assertThat(commands.templateId(buffer, 0, length)).isZero();
        assertThat(commands.take(new CoordinatorState(), 1, buffer, 0, length)).isFalse();
        assertThat(commands.text()).isEmpty();
    }

    private static byte[] mutated(final byte[] command, final Random random)
    {
        final int change = random.nextInt(8) - 4;
        final byte[] bytes = Arrays.copyOf(command, Math.max(0, command.length + (random.nextBoolean() ? change : 0)));
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--)
        {
            // near the front are what says how the rest is to be read
            final int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(bytes.length, 24));
            bytes[at] = (byte)(random.nextBoolean() ? random.nextInt() : bytes[at] + random.nextInt(3) - 1);
        }

        return bytes;
    }

    private static byte[] snapshot(final CoordinatorState state)
    {
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        CoordinatorSnapshot.write(state, (message, offset, length) ->
        {
            final byte[] bytes = new byte[length];
            message.getBytes(offset, bytes);
            output.writeBytes(bytes);
        });

        return output.toByteArray();
    }
}
