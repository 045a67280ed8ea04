// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets processes share a work that die, stand still, leave, come without being asked, and whose reports are lost,
 * repeated and out of order. The servers of the model do what the real ones do: each counts the clock of each slot, and
 * takes nothing of a process once a newer one has connected in its slot. A process keeps what it has for a server that
 * is away, and takes it along when it dies.
 */
class WorkUnitsPropertiesTest
{
    private static final int SEEDS = 400;
    private static final int MOST_STEPS = 100_000;
    private static final int SLOTS = 6;
    private static final int PARTITIONS = 2;

    @Test
    void shouldHaveEachBatchDoneOnce()
    {
        long reissued = 0;
        long adopted = 0;
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final Run run = new Run(seed, new WorkSpec(1, 37, 5, 2, true), 0 == seed % 4);
            run.untilOver();
            assertThat(run.timesDone).allSatisfy((times) -> assertThat(times).as("seed %d", run.seed).containsOnly(1));
            reissued += run.work.unitsReissued();
            adopted += run.work.slotsAdopted();
        }
        assertThat(reissued).as("units given again").isGreaterThan(SEEDS);
        assertThat(adopted).as("slots adopted").isGreaterThan(SEEDS);
    }

    @Test
    void shouldCountNothingAsDoneThatAPartitionLacks()
    {
        long leftOut = 0;
        long torn = 0;
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final Run run = new Run(seed, new WorkSpec(1, 37, 5, 2, true), 0 == seed % 4);
            run.isTorn = true;
            run.untilOver();
            assertThat(run.timesDone)
                .allSatisfy((times) -> assertThat(times).as("seed %d", run.seed).allMatch((time) -> time <= 1));
            assertThat(run.work.batchesDone()).as("seed %d", seed).isLessThanOrEqualTo(run.whole());
            leftOut += run.work.batchesLeftOut();
            torn += run.spec.batches() - run.whole();
        }
        assertThat(torn).as("batches that a partition lacks").isGreaterThan(SEEDS);
        assertThat(leftOut).as("batches that are not known to be done").isBetween(torn, 4 * torn);
    }

    @Test
    void shouldDropWhatIsLeftUndoneIfTheWorkIsSo()
    {
        long dropped = 0;
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final Run run = new Run(seed, new WorkSpec(1, 37, 5, 2, false), false);
            run.untilOver();
            assertThat(run.whole()).as("seed %d", seed)
                .isEqualTo(run.work.batchesDone() + run.work.batchesLeftOut());
            dropped += run.work.batchesDropped();
        }
        assertThat(dropped).isGreaterThan(SEEDS);
    }

    /** A process in a slot. An adopter is a second one that does nothing but leave. */
    private static final class Worker
    {
        private final int slot;
        private final long incarnation;
        /** By clock from the first one on the batch that it has pushed, or -1. */
        private final List<Integer> pushed = new ArrayList<>();
        private final long[] reached = new long[PARTITIONS];
        private final boolean[] isAway = new boolean[PARTITIONS];
        private long firstClock;
        private WorkReport.Found found;
        private long clock;
        private long ackedClock;
        private WorkAnswer known;
        private boolean isLeaving;
        private boolean isAdopting;
        private long pausedUntilMs;
        private boolean isHeard = true;

        private Worker(final int slot, final long incarnation)
        {
            this.slot = slot;
            this.incarnation = incarnation;
        }

        /** The unit and the batch in it that this process does at its clock, or null if it knows of none. */
        private WorkPiece next()
        {
            long at = null == known ? Long.MIN_VALUE : clock - known.floorClock();
            for (final WorkPiece piece : null == known ? List.<WorkPiece>of() : known.pieces())
            {
                if (at >= 0 && at < piece.length())
                {
                    return new WorkPiece(piece.unit(), piece.fromBatch() + (int)at, 1);
                }
                at -= piece.length();
            }

            return null;
        }
    }

    private record Sent(Worker process, WorkReport report)
    {
    }

    private static final class Run
    {
        private final Random random;
        private final WorkSpec spec;
        private final CoordinatorState state = TestNodes.fixed(List.of(List.of(0)));
        private final WorkUnits work = state.work();
        private final List<Worker> processes = new ArrayList<>();
        private final List<Sent> network = new ArrayList<>();
        private final long[][] serverClocks = new long[SLOTS][PARTITIONS];
        private final long[][] serverPredecessors = new long[SLOTS][PARTITIONS];
        private final long[] serverIncarnations = new long[SLOTS];
        private final List<List<Integer>> timesDone = new ArrayList<>();
        private final long seed;
        /** True if servers are away now and then, and processes die between the partitions' parts of a batch. */
        private boolean isTorn;
        private long nowMs = 1_000_000;

        private Run(final long seed, final WorkSpec spec, final boolean isBounded)
        {
            this.seed = seed;
            random = new Random(seed);
            this.spec = spec;
            state.jobs.first().spec = isBounded ? state.job().with(new Consistency(SLOTS, 4)) : state.job();
            for (int partition = 0; partition < PARTITIONS; partition++)
            {
                timesDone.add(new ArrayList<>(Collections.nCopies((int)spec.batches(), 0)));
            }
        }

        /** The number of batches that every partition has. */
        private int whole()
        {
            int whole = 0;
            for (int batch = 0; batch < spec.batches(); batch++)
            {
                final int number = batch;
                whole += timesDone.stream().allMatch((times) -> 1 == times.get(number)) ? 1 : 0;
            }

            return whole;
        }

        private void untilOver()
        {
            for (int step = 0; !work.isOver(); step++)
            {
                assertThat(step).isLessThan(MOST_STEPS);
                nowMs += random.nextInt(100);
                step();
                checkSums();
            }
            assertThat(work.again).isEmpty();
        }

        private void checkSums()
        {
            if (null == work.spec())
            {
                return;
            }
            long sum = work.batchesDone() + work.batchesDropped() + work.batchesLeftOut();
            for (int slot = 0; slot < SLOTS; slot++)
            {
                sum += work.openBatches(slot);
            }
            sum += work.again.stream().mapToInt(WorkPiece::length).sum();
            for (long unit = work.next; unit < spec.units(); unit++)
            {
                sum += spec.lengthOf(unit);
            }
            assertThat(sum).isEqualTo(spec.batches());
        }

        private void step()
        {
            if (0 == random.nextInt(processes.isEmpty() ? 2 : 60))
            {
                arrive();
            }
            if (!network.isEmpty() && 0 == random.nextInt(2))
            {
                deliver();
            }
            if (processes.isEmpty())
            {
                return;
            }
            final Worker process = processes.get(random.nextInt(processes.size()));
            if (0 == random.nextInt(150))
            {
                die(process);
            }
            else if (nowMs >= process.pausedUntilMs)
            {
                act(process);
            }
            else if (process.isHeard)
            {
                state.slots().onReach(process.slot, process.incarnation, nowMs);
            }
        }

        /** Without a slot, or with one that it has chosen. */
        private void arrive()
        {
            final long requestId = 1 + random.nextInt(1_000_000);
            if (0 == random.nextInt(5))
            {
                final int slot = random.nextInt(SLOTS);
                connect(new Worker(slot, Math.max(serverIncarnations[slot], state.slots().incarnation(slot)) + 1));
                return;
            }
            final SlotAnswer answer = state.slots().take(requestId, nowMs);
            if (answer.slot() >= 0 && answer.slot() < SLOTS)
            {
                assertThat(state.slots().take(requestId, nowMs)).isEqualTo(answer);
                connect(new Worker(answer.slot(), answer.incarnation()));
            }
        }

        private void die(final Worker process)
        {
            processes.remove(process);
            final WorkPiece batch = process.isLeaving ? null : process.next();
            final int partition = random.nextInt(PARTITIONS);
            if (isTorn && null != batch && serverIncarnations[process.slot] == process.incarnation &&
                process.reached[partition] == process.clock && random.nextBoolean())
            {
                // without the end of the iteration
                take(process, partition, numberOf(batch));
            }
        }

        /** It begins where the slot is at any partition. */
        private boolean connect(final Worker process)
        {
            if (process.incarnation <= serverIncarnations[process.slot])
            {
                return false;
            }
            serverIncarnations[process.slot] = process.incarnation;
            final long[] clocks = serverClocks[process.slot];
            final long predecessor = Arrays.stream(serverPredecessors[process.slot]).max().orElseThrow();
            process.clock = Arrays.stream(clocks).max().orElseThrow();
            process.firstClock = process.clock;
            process.ackedClock = process.clock;
            process.found = new WorkReport.Found(predecessor, Arrays.stream(clocks).min().orElseThrow(),
                process.clock + (isTorn && predecessor > 0 ? 1 : 0));
            Arrays.fill(process.reached, process.clock);
            processes.add(process);
            for (int partition = 0; partition < PARTITIONS && !process.isAdopting; partition++)
            {
                process.isAway[partition] = isTorn && 0 == random.nextInt(4);
                if (process.clock > 0 && !process.isAway[partition])
                {
                    endAt(process, partition, process.clock);
                }
            }

            return true;
        }

        private void endAt(final Worker process, final int partition, final long clock)
        {
            serverClocks[process.slot][partition] = Math.max(serverClocks[process.slot][partition], clock);
            serverPredecessors[process.slot][partition] = process.incarnation;
        }

        private void take(final Worker process, final int partition, final int batch)
        {
            timesDone.get(partition).set(batch, timesDone.get(partition).get(batch) + 1);
            serverPredecessors[process.slot][partition] = process.incarnation;
        }

        /** What a process keeps goes to the servers that are there. */
        private void flow(final Worker process)
        {
            for (int partition = 0; partition < PARTITIONS && !process.isAdopting; partition++)
            {
                process.isAway[partition] = isTorn && 0 == random.nextInt(process.isAway[partition] ? 2 : 20) !=
                    process.isAway[partition];
                while (!process.isAway[partition] && process.reached[partition] < process.clock)
                {
                    final int batch = process.pushed.get((int)(process.reached[partition] - process.firstClock));
                    if (batch >= 0)
                    {
                        take(process, partition, batch);
                    }
                    endAt(process, partition, ++process.reached[partition]);
                }
            }
        }

        private int numberOf(final WorkPiece batch)
        {
            return (int)(spec.passOf(batch.unit()) * spec.batchesPerPass() +
                spec.firstBatchOf(batch.unit()) + batch.fromBatch());
        }

        private void act(final Worker process)
        {
            switch (random.nextInt(12))
            {
                case 0, 1, 2, 3 -> send(process);
                case 4, 5 -> process.ackedClock +=
                    process.ackedClock < Arrays.stream(process.reached).min().orElseThrow() ? 1 : 0;
                case 6 -> state.slots().onReach(process.slot, process.incarnation, nowMs);
                case 7 ->
                {
                    if (0 == random.nextInt(15))
                    {
                        process.pausedUntilMs = nowMs + random.nextInt(25_000);
                        process.isHeard = random.nextBoolean();
                    }
                    process.isLeaving |= 0 == random.nextInt(40);
                }
                default -> push(process);
            }
        }

        private void send(final Worker process)
        {
            final boolean isWhole = process.ackedClock == process.clock;
            if (process.isLeaving && !isWhole)
            {
                return;
            }
            network.add(new Sent(process, new WorkReport(process.slot, process.incarnation, spec, process.found,
                process.clock, process.ackedClock, random.nextInt(12), process.isLeaving, false)));
        }

        private void push(final Worker process)
        {
            if (serverIncarnations[process.slot] != process.incarnation)
            {
                processes.remove(process);
                return;
            }
            final WorkPiece batch = process.isLeaving ? null : process.next();
            if (null != batch)
            {
                process.pushed.add(numberOf(batch));
                process.clock++;
            }
            flow(process);
        }

        /** Any of those under way; it may be lost, or stay under way, and so may the answer. */
        private void deliver()
        {
            final Sent sent = network.get(random.nextInt(network.size()));
            if (random.nextInt(8) > 0)
            {
                network.remove(sent);
            }
            if (0 == random.nextInt(8))
            {
                return;
            }
            final WorkAnswer answer = work.onReport(sent.report(), nowMs);
            if (random.nextInt(8) > 0 && processes.contains(sent.process()))
            {
                onAnswer(sent.process(), sent.report(), answer);
            }
        }

        private void onAnswer(final Worker process, final WorkReport asked, final WorkAnswer answer)
        {
            if (answer.incarnation() > process.incarnation)
            {
                processes.remove(process);
                return;
            }
            while (null == process.known && !asked.isLeaving() && process.clock < answer.floorClock())
            {
                process.pushed.add(-1);
                process.clock++;
            }
            process.known = answer;
            if (answer.hasLeft())
            {
                state.slots().leave(process.slot, process.incarnation, false);
                processes.remove(process);
            }
            else if (WorkAnswer.NO_SLOT != answer.adopt())
            {
                final Worker adopter = new Worker(answer.adopt(), answer.adoptIncarnation());
                adopter.isAdopting = true;
                adopter.isLeaving = true;
                connect(adopter);
            }
        }
    }
}
