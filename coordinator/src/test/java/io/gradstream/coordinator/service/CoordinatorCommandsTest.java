// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.DefineJobDecoder;
import io.gradstream.codecs.coordinator.DefineJobEncoder;
import io.gradstream.codecs.coordinator.DrainNodeEncoder;
import io.gradstream.codecs.coordinator.LeaveSlotEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.codecs.coordinator.SetConsistencyEncoder;
import io.gradstream.codecs.coordinator.SetLimitsEncoder;
import io.gradstream.codecs.coordinator.SlotTakenDecoder;
import io.gradstream.codecs.coordinator.TakeSlotEncoder;
import io.gradstream.codecs.coordinator.WorkReportEncoder;
import io.gradstream.codecs.coordinator.WorkSpecEncoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import io.gradstream.coordinator.state.CoordinatorSnapshot;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.NodeReportCodec;
import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CoordinatorCommandsTest
{
    private static final int MUTATIONS = 100_000;
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int MARGIN = 4096;

    private final CoordinatorCommands commands = new CoordinatorCommands();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private long number;

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
        final int length = report(7, "127.0.0.1:4000");
        final int endpointAt = length - "127.0.0.1:4000".length() - Integer.BYTES;
        for (final int endpointLength : new int[]{-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30, 15, 13})
        {
            buffer.putInt(endpointAt, endpointLength);
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
            assertThat(commands.take(state, 1, buffer, 0, report(7, endpoint))).as(endpoint).isFalse();
            assertThat(commands.text().toString()).doesNotContain("\n");
        }
        assertThat(state.nodeCount()).isZero();
    }

    @Test
    void shouldKeepALivingNodeWhenAProcessElsewhereSaysThatItIsTheNode()
    {
        final CoordinatorState state = new CoordinatorState();
        commands.take(state, 1, buffer, 0, report(7, "127.0.0.1:4000"));

        assertThat(commands.take(state, 4_000, buffer, 0, report(8, "127.0.0.1:4001"))).isFalse();
        assertThat(state.clusterMap().endpoints()).containsExactly("127.0.0.1:4000");
        assertThat(commands.take(state, 6_000, buffer, 0, report(8, "127.0.0.1:4001"))).isTrue();
        assertThat(state.clusterMap().endpoints()).containsExactly("127.0.0.1:4001");
    }

    @Test
    void shouldTellWhatAReportSaysOnlyWhenItIsNew()
    {
        final CoordinatorState state = new CoordinatorState();
        commands.take(state, 1, buffer, 0, report(7, "127.0.0.1:4000"));
        assertThat(commands.text().toString()).isEqualTo("report node=0 incarnation=7 endpoint=127.0.0.1:4000");
        commands.take(state, 1, buffer, 0, report(7, "127.0.0.1:4000"));
        assertThat(commands.text()).isEmpty();

        final ReplicaPositions positions = new ReplicaPositions(0, 0, 0);
        commands.take(state, 1, buffer, 0, report(7, "127.0.0.1:4000",
            new ReplicaReport(0, Status.RECOVERED, 3, new LogEnd(2, 640), Chain.NONE, List.of(), positions),
            new ReplicaReport(1, Status.LEADS, 4, LogEnd.NONE, 2, List.of(new Suspicion(5, true)), positions)));
        assertThat(commands.text().toString()).isEqualTo("report node=0 incarnation=7 endpoint=127.0.0.1:4000" +
            " admits=1/4/2 leads=1/4 recovered=0/3/2/640 suspects=1/4/5");
    }

    @Test
    void shouldApplyNothingOfAReportThatBreaksInTheMiddle()
    {
        final CoordinatorState state = new CoordinatorState();
        state.defineJob(new JobSpec(1, 1, 1, 64, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.REPLAY), 1);
        final ReplicaReport sound = new ReplicaReport(
            0, Status.RECOVERED, 0, LogEnd.NONE, Chain.NONE, List.of(), new ReplicaPositions(0, 0, 0));
        final int length = report(7, "127.0.0.1:4000", sound, sound);
        final int broken = HEADER_LENGTH + NodeReportDecoder.BLOCK_LENGTH +
            NodeReportDecoder.ReplicasDecoder.HEADER_SIZE + 2 * (NodeReportDecoder.ReplicasDecoder.sbeBlockLength() +
            NodeReportDecoder.ReplicasDecoder.SuspicionsDecoder.HEADER_SIZE) - Short.BYTES;
        buffer.putShort(broken, (short)3);

        final long version = state.version();
        assertThat(commands.take(state, 1, new UnsafeBuffer(buffer, 0, length), 0, length)).isFalse();
        assertThat(commands.text()).startsWith("malformed");
        assertThat(state.version()).isEqualTo(version);
        assertThat(state.nodeCount()).isZero();
    }

    @Test
    void shouldRefuseANodeIdThatNoNodeHas()
    {
        final CoordinatorState state = new CoordinatorState();
        final int length = report(7, "127.0.0.1:4000");
        for (final int nodeId : new int[]{ -1, JobSpec.MAX_NODES, Integer.MAX_VALUE })
        {
            buffer.putInt(HEADER_LENGTH + NodeReportDecoder.nodeIdEncodingOffset(), nodeId);
            assertThat(commands.take(state, 1, buffer, 0, length)).isFalse();
            assertThat(commands.text()).startsWith("malformed");
            assertThat(state.nodeCount()).isZero();
        }
    }

    @Test
    void shouldIgnoreWhatIsOfAnotherSchemaOrVersion()
    {
        final int length = report(7, "127.0.0.1:4000");
        assertThat(commands.templateId(buffer, 0, length)).isEqualTo(NodeReportDecoder.TEMPLATE_ID);
        for (final int change : new int[]{-1, 1})
        {
            header.wrap(buffer, 0).version(NodeReportDecoder.SCHEMA_VERSION + change);
            assertThat(commands.templateId(buffer, 0, length)).isZero();
        }
        header.wrap(buffer, 0).version(NodeReportDecoder.SCHEMA_VERSION).schemaId(1);
        assertThat(commands.templateId(buffer, 0, length)).isZero();
        assertThat(commands.take(new CoordinatorState(), 1, buffer, 0, length)).isFalse();
        assertThat(commands.text()).isEmpty();
    }

    @Test
    void shouldRefuseTheLogOfAnotherVersionAndSayWhatToDo()
    {
        final byte[] defineJob = new CommandScript(1).next(new CoordinatorState()).command();
        final UnsafeBuffer command = new UnsafeBuffer(defineJob);
        header.wrap(command, 0).version(DefineJobDecoder.SCHEMA_VERSION - 1);
        final CoordinatorState state = new CoordinatorState();

        assertThatThrownBy(() -> commands.take(state, 1, command, 0, command.capacity()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("log was written by another version of Gradstream: schema 8, and this one reads 9")
            .hasMessageContaining("start over with an empty --dir of every coordinator and of every server");
        final CoordinatorService service = new CoordinatorService(CoordinatorListener.NONE);
        assertThatThrownBy(() -> service.onSessionMessage(null, 1, command, 0, command.capacity(), null))
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> service.doBackgroundWork(1)).isInstanceOf(AgentTerminationException.class);

        header.wrap(command, 0).version(DefineJobDecoder.SCHEMA_VERSION);
        assertThat(commands.take(state, 1, command, 0, command.capacity())).isTrue();
        header.wrap(command, 0).version(DefineJobDecoder.SCHEMA_VERSION - 1);
        assertThat(commands.take(state, 1, command, 0, command.capacity())).as("of somebody who is old").isFalse();
    }

    @Test
    void shouldTakeTheFirstDefinitionsClusterAndNoneWithoutOne()
    {
        final CoordinatorState state = new CoordinatorState();
        assertThat(commands.take(state, 1, buffer, 0, defineJob(0))).isFalse();
        assertThat(commands.text()).startsWith("malformed");
        assertThat(commands.take(state, 1, buffer, 0, defineJob(-5))).isTrue();
        assertThat(commands.take(state, 1, buffer, 0, defineJob(6))).isFalse();
        assertThat(state.clusterMap().clusterId()).isEqualTo(-5);
    }

    @Test
    void shouldBindTheSlotsOfItsOwnCluster()
    {
        final CoordinatorState state = new CoordinatorState();
        final Consistency bound = new Consistency(4, 2);
        assertThat(commands.take(state, 1, buffer, 0, setConsistency(6, bound))).as("without a job").isFalse();
        commands.take(state, 1, buffer, 0, defineJob(6));
        final long version = state.version();

        assertThat(commands.take(state, 1, buffer, 0, setConsistency(7, bound))).as("another cluster").isFalse();
        assertThat(commands.take(state, 1, buffer, 0, setConsistency(6, bound))).isTrue();
        assertThat(commands.text()).hasToString("consistency slots=4 staleness=2");
        assertThat(state.clusterMap().job().consistency()).isEqualTo(bound);
        assertThat(state.version()).isEqualTo(version + 1);
        assertThat(commands.take(state, 1, buffer, 0, setConsistency(6, bound))).as("the same again").isFalse();

        final int length = setConsistency(6, bound);
        buffer.putInt(HEADER_LENGTH + SetConsistencyEncoder.stalenessEncodingOffset(), -2);
        assertThat(commands.take(state, 1, buffer, 0, length)).isFalse();
        assertThat(commands.text()).startsWith("malformed");
        assertThat(state.clusterMap().job().consistency()).isEqualTo(bound);
    }

    @Test
    void shouldLimitAJobOfItsOwnCluster()
    {
        final CoordinatorState state = new CoordinatorState();
        final JobSpec.Limits limits = new JobSpec.Limits(3, JobSpec.Limits.MIN_PUSH_RATE);
        assertThat(commands.take(state, 1, buffer, 0, setLimits(6, limits))).as("without a job").isFalse();
        commands.take(state, 1, buffer, 0, defineJob(6));
        final long version = state.version();

        assertThat(commands.take(state, 1, buffer, 0, setLimits(7, limits))).as("another cluster").isFalse();
        assertThat(commands.take(state, 1, buffer, 0, setLimits(6, limits))).isTrue();
        assertThat(commands.text()).hasToString("limits rowBytes=3 pushRate=1048576");
        assertThat(state.clusterMap().job().limits()).isEqualTo(limits);
        assertThat(state.version()).isEqualTo(version + 1);
        assertThat(commands.take(state, 1, buffer, 0, setLimits(6, limits))).as("the same again").isFalse();

        final int length = setLimits(6, limits);
        buffer.putLong(HEADER_LENGTH + SetLimitsEncoder.pushRateEncodingOffset(), JobSpec.Limits.MIN_PUSH_RATE - 1);
        assertThat(commands.take(state, 1, buffer, 0, length)).isFalse();
        assertThat(commands.text()).startsWith("malformed");
        assertThat(state.clusterMap().job().limits()).isEqualTo(limits);
    }

    @Test
    void shouldDrainNodesOfItsOwnClusterThatOthersCanStandInFor()
    {
        final CoordinatorState state = new CoordinatorState();
        assertThat(commands.take(state, 1, buffer, 0, drain(6, 0, 1))).as("without a job").isFalse();
        commands.take(state, 1, buffer, 0, defineJob(6));
        state.onReport(new NodeReport(0, 5, 1, false, "a:1", List.of()), 1);
        assertThat(commands.take(state, 1, buffer, 0, drain(6, 0, 1))).as("the only one").isFalse();
        assertThat(commands.text()).startsWith("malformed");
        state.onReport(new NodeReport(1, 5, 1, false, "b:1", List.of()), 1);

        assertThat(commands.take(state, 1, buffer, 0, drain(7, 0, 1))).as("another cluster").isFalse();
        assertThat(commands.take(state, 1, buffer, 0, drain(6, 2, 1))).as("no such node").isFalse();
        assertThat(commands.take(state, 1, buffer, 0, drain(6, 0, 1))).isTrue();
        assertThat(commands.text()).hasToString("drain node=0");
        assertThat(state.isDraining(0)).isTrue();
        assertThat(commands.take(state, 1, buffer, 0, drain(6, 0, 1))).as("the same again").isFalse();
        assertThat(commands.take(state, 1, buffer, 0, drain(6, 1, 1))).as("nobody would be left").isFalse();
        assertThat(commands.take(state, 1, buffer, 0, drain(6, 0, 0))).isTrue();
        assertThat(state.isDraining(0)).isFalse();
    }

    @Test
    void shouldGiveSlotsOfItsOwnClusterAndTellTheFirstTime()
    {
        final CoordinatorState state = new CoordinatorState();
        take(state, takeSlot(6, 11));
        assertThat(commands.slots().answerLength()).as("without a job").isZero();
        commands.take(state, 1, buffer, 0, defineJob(6));
        take(state, takeSlot(7, 11));
        assertThat(commands.slots().answerLength()).as("another cluster").isZero();

        take(state, takeSlot(6, 11));
        assertThat(commands.text()).hasToString("slot taken slot=0 incarnation=1000");
        final SlotTakenDecoder taken =
            new SlotTakenDecoder().wrapAndApplyHeader(commands.slots().answer(), 0, new MessageHeaderDecoder());
        assertThat(List.of(taken.requestId(), taken.incarnation(), (long)taken.slot(), (long)taken.slots()))
            .containsExactly(11L, 1000L, 0L, (long)Consistency.MAX_SLOTS);
        take(state, takeSlot(6, 11));
        assertThat(commands.text()).as("sent again").isEmpty();
        assertThat(commands.slots().answerLength()).isPositive();
        take(state, takeSlot(6, 0));
        assertThat(commands.text()).startsWith("malformed");
        assertThat(commands.slots().answerLength()).isZero();

        take(state, leaveSlot(7, 1000));
        assertThat(commands.text()).as("another cluster").isEmpty();
        take(state, leaveSlot(6, 1000));
        assertThat(commands.text()).hasToString("slot left slot=0 incarnation=1000");
        take(state, leaveSlot(6, 1000));
        assertThat(commands.text()).as("the same again").isEmpty();
        assertThat(state.slots().isHeld(0, 1000)).isFalse();
    }

    @Test
    void shouldTellWhoHoldsASlotOnlyWhenThatIsNew()
    {
        final CoordinatorState state = new CoordinatorState();
        commands.take(state, 1, buffer, 0, defineJob(6));
        take(state, reach(3, 50));
        assertThat(commands.text()).hasToString("slot held slot=3 incarnation=50");
        for (final long incarnation : new long[]{50, 49})
        {
            take(state, reach(3, incarnation));
            assertThat(commands.text()).isEmpty();
        }
        take(state, reach(3, 51));
        assertThat(commands.text()).hasToString("slot held slot=3 incarnation=51");
        assertThat(state.slots().isHeld(3, 1000)).isTrue();
    }

    @Test
    void shouldAnswerReportsOfWorkOfItsOwnClusterAndTellWhatIsNew()
    {
        final CoordinatorState state = new CoordinatorState();
        final WorkSpec spec = new WorkSpec(5, 10, 4, 2, true);
        commands.take(state, 1, buffer, 0, defineJob(6));
        take(state, report(7, new WorkReport(2, 50, spec, 3, 3, 4, false)));
        assertThat(commands.slots().answerLength()).as("another cluster").isZero();

        take(state, report(6, new WorkReport(2, 50, spec, 3, 3, 4, false)));
        assertThat(commands.text()).hasToString("slot held slot=2 incarnation=50 work begun id=5 batches=20");
        final WorkAnswer answer = new WorkCodec().decodeAnswer(commands.slots().answer(), 0);
        assertThat(answer).isEqualTo(new WorkAnswer(
            2, 50, spec, spec, 3, false, false, false, 0, WorkAnswer.NO_SLOT, 0, List.of(new WorkPiece(0, 0, 4))));
        take(state, report(6, new WorkReport(2, 50, spec, 4, 4, 4, false)));
        assertThat(commands.text()).isEmpty();
        assertThat(new WorkCodec().decodeAnswer(commands.slots().answer(), 0).batchesDone()).isEqualTo(1);

        take(state, report(6, new WorkReport(2, 51, spec, 5, 5, 4, true)));
        assertThat(commands.text()).hasToString("slot held slot=2 incarnation=51 work adopted batches-done=2");
    }

    @Test
    void shouldRefuseAReportOfWorkThatCannotBe()
    {
        final CoordinatorState state = new CoordinatorState();
        commands.take(state, 1, buffer, 0, defineJob(6));
        final int work = HEADER_LENGTH + WorkReportEncoder.workEncodingOffset();
        final Object[][] broken = {
            {work + WorkSpecEncoder.workIdEncodingOffset(), 0L},
            {work + WorkSpecEncoder.batchesPerPassEncodingOffset(), 0L},
            {work + WorkSpecEncoder.batchesPerPassEncodingOffset(), WorkSpec.MAX_BATCHES},
            {work + WorkSpecEncoder.unitBatchesEncodingOffset(), 0},
            {work + WorkSpecEncoder.unitBatchesEncodingOffset(), WorkSpec.MAX_UNIT_BATCHES + 1},
            {work + WorkSpecEncoder.passesEncodingOffset(), -1},
            {HEADER_LENGTH + WorkReportEncoder.incarnationEncodingOffset(), 0L},
            {HEADER_LENGTH + WorkReportEncoder.clockEncodingOffset(), -1L},
            {HEADER_LENGTH + WorkReportEncoder.clockEncodingOffset(), Consistency.FINISHED},
            {HEADER_LENGTH + WorkReportEncoder.ackedClockEncodingOffset(), 4L},
            {HEADER_LENGTH + WorkReportEncoder.predecessorEncodingOffset(), -1L},
            {HEADER_LENGTH + WorkReportEncoder.wholeClockEncodingOffset(), 4L},
            {HEADER_LENGTH + WorkReportEncoder.beginClockEncodingOffset(), Consistency.FINISHED},
            {HEADER_LENGTH + WorkReportEncoder.slotEncodingOffset(), -1},
            {HEADER_LENGTH + WorkReportEncoder.slotEncodingOffset(), Consistency.MAX_SLOTS},
            {HEADER_LENGTH + WorkReportEncoder.wantedEncodingOffset(), -1},
        };
        for (final Object[] value : broken)
        {
            final int length = report(6, new WorkReport(2, 50, new WorkSpec(5, 10, 4, 2, true), 3, 3, 4, false));
            if (value[1] instanceof Long)
            {
                buffer.putLong((int)value[0], (long)value[1]);
            }
            else
            {
                buffer.putInt((int)value[0], (int)value[1]);
            }
            take(state, length);
            assertThat(commands.text().toString()).as(Arrays.toString(value)).startsWith("malformed");
            assertThat(commands.slots().answerLength()).isZero();
        }
        assertThat(state.work().spec()).isNull();
        assertThat(state.slots().known()).isEmpty();
    }

    private void take(final CoordinatorState state, final int length)
    {
        assertThat(commands.take(state, 1000, buffer, 0, length)).as("no map tells of slots").isFalse();
    }

    private int takeSlot(final long clusterId, final long requestId)
    {
        return HEADER_LENGTH + new TakeSlotEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .clusterId(clusterId).requestId(requestId).encodedLength();
    }

    private int leaveSlot(final long clusterId, final long incarnation)
    {
        return HEADER_LENGTH + new LeaveSlotEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .clusterId(clusterId).incarnation(incarnation).slot(0).hasFinished((short)0).encodedLength();
    }

    private int reach(final int slot, final long incarnation)
    {
        final WorkerReachEncoder encoder = new WorkerReachEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .incarnation(incarnation).slot(slot);
        encoder.nodesCount(0);

        return HEADER_LENGTH + encoder.encodedLength();
    }

    private int report(final long clusterId, final WorkReport report)
    {
        return new WorkCodec().encode(clusterId, 1, report, buffer);
    }

    private int drain(final long clusterId, final int node, final int isDraining)
    {
        final DrainNodeEncoder encoder = new DrainNodeEncoder().wrapAndApplyHeader(buffer, 0, header)
            .clusterId(clusterId).nodeId(node).isDraining((short)isDraining);

        return HEADER_LENGTH + encoder.encodedLength();
    }

    private int setConsistency(final long clusterId, final Consistency consistency)
    {
        final SetConsistencyEncoder encoder = new SetConsistencyEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .clusterId(clusterId).slots(consistency.slots()).staleness(consistency.staleness());

        return HEADER_LENGTH + encoder.encodedLength();
    }

    private int setLimits(final long clusterId, final JobSpec.Limits limits)
    {
        final SetLimitsEncoder encoder = new SetLimitsEncoder().wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .clusterId(clusterId).rowBytes(limits.rowBytes()).pushRate(limits.pushRate());

        return HEADER_LENGTH + encoder.encodedLength();
    }

    private int defineJob(final long clusterId)
    {
        final DefineJobEncoder encoder =
            new DefineJobEncoder().wrapAndApplyHeader(buffer, 0, header).clusterId(clusterId);
        ClusterMapCodec.encodeJob(
            new JobSpec(1, 1, 1, 64, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.REPLAY), encoder.job());

        return HEADER_LENGTH + encoder.encodedLength();
    }

    private int report(final long incarnation, final String endpoint, final ReplicaReport... replicas)
    {
        return new NodeReportCodec().encode(
            new NodeReport(0, incarnation, ++number, false, endpoint, List.of(replicas)), buffer);
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
