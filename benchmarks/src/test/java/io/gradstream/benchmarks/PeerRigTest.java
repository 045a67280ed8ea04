// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.measure.Sample;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Each peer between real processes: does it do what it is measured at?
 */
class PeerRigTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int ROWS = 3;
    private static final int VALUES = ROWS * PeerRows.DIM;

    @ParameterizedTest
    @EnumSource(Peer.class)
    void shouldHaveAppliedEachPushOnceWhenPulled(final Peer peer) throws IOException
    {
        assumeTrue(peer.missing().isEmpty(), peer.missing());
        try (PeerRig rig = PeerRig.start(peer, DriverProfile.DEV))
        {
            final PeerLink link = rig.link();
            // all at once, of one gradient each, over rows of which the last is the table's last
            final int firstRow = PeerRows.COUNT - ROWS;
            final int pushes = PeerLink.MAX_OUTSTANDING;
            for (int push = 0; push < pushes; push++)
            {
                assertThat(link.tryPush(firstRow, ROWS, gradient(push))).isTrue();
            }
            assertThat(link.tryPush(firstRow, ROWS, gradient(0))).as("no room for one more").isFalse();
            awaitCompleted(link, pushes);

            assertThat(pull(link, firstRow)).containsExactly(expected(peer, pushes));
            assertThat(pull(link, firstRow)).as("a pull changes nothing").containsExactly(expected(peer, pushes));

            link.prepare(ROWS);
            assertThat(pull(link, 0)).as("rows that nobody pushed").containsOnly(0f);
        }
    }

    @ParameterizedTest
    @EnumSource(Peer.class)
    void shouldAnswerPullsInOrderWhenSeveralAreOutstanding(final Peer peer) throws IOException
    {
        assumeTrue(peer.missing().isEmpty(), peer.missing());
        try (PeerRig rig = PeerRig.start(peer, DriverProfile.LATENCY))
        {
            final PeerLink link = rig.link();
            rig.busy(true);
            final List<float[]> pulled = new ArrayList<>();
            for (int i = 0; i < 8; i++)
            {
                assertThat(link.tryPush(i * ROWS, ROWS, gradient(i))).isTrue();
                pulled.add(new float[VALUES]);
                assertThat(link.tryPull(i * ROWS, ROWS, pulled.get(i))).isTrue();
            }
            awaitCompleted(link, 16);

            for (int i = 0; i < 8; i++)
            {
                final float[] gradient = gradient(i);
                assertThat(pulled.get(i)[5]).isEqualTo(Peer.REDIS == peer ? gradient[5] : -PeerRows.RATE * gradient[5]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4096, 1", "1048576, 8"})
    void shouldApplyAsOftenAsTheLoadCountedWhenDriven(final int size, final int depth) throws IOException
    {
        for (final Peer peer : List.of(Peer.GRPC, Peer.NETTY_NIO))
        {
            try (PeerRig rig = PeerRig.start(peer, DriverProfile.DEV))
            {
                final Sample window = loop(rig, PeerMeasure.PUSH, size, depth).flatOut(
                    depth, TimeUnit.MILLISECONDS.toNanos(100), Long.MAX_VALUE);
                final Sample pulls = loop(rig, PeerMeasure.PULL, size, depth).flatOut(
                    depth, TimeUnit.MILLISECONDS.toNanos(50), Long.MAX_VALUE);

                // each push took 0.5 * 0.25 off each value of as many rows as its size has
                final double applied = -sumOfFirstValues(rig.link()) / (0.5 * PeerRows.RATE);
                assertThat(window.transfers()).isPositive();
                assertThat(applied).isEqualTo(window.transfers() * (double)size / PeerRows.ROW_BYTES);
                assertThat(pulls.transfers()).isPositive();
                assertThat(pulls.p50Ns()).isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GRPC", "NETTY_NIO"})
    void shouldSayThatThePeerIsGoneWhenItsProcessEnds(final Peer peer) throws IOException
    {
        final PeerProcess process = PeerProcess.start(peer, DriverProfile.DEV);
        try (PeerLink link = peer.connect(process.port(), DriverProfile.DEV))
        {
            assertThat(link.tryPush(0, ROWS, gradient(0))).isTrue();
            awaitCompleted(link, 1);
            assertThat(process.compiledMs()).isPositive();

            process.close();

            assertThatThrownBy(() -> awaitCompleted(link, 2))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("the peer's connection broke");
        }
        finally
        {
            process.close();
        }
    }

    private static LoadLoop loop(final PeerRig rig, final PeerMeasure measure, final int size, final int depth)
    {
        return new LoadLoop(new PeerTransceiver(rig.link(), measure, size, depth),
            DriverProfile.DEV.newIdleStrategy(), SystemNanoClock.INSTANCE);
    }

    private static double sumOfFirstValues(final PeerLink link)
    {
        final float[] all = new float[PeerRows.COUNT * PeerRows.DIM];
        final long before = link.completed();
        assertThat(link.tryPull(0, PeerRows.COUNT, all)).isTrue();
        awaitCompleted(link, before + 1);
        double sum = 0;
        for (int row = 0; row < PeerRows.COUNT; row++)
        {
            sum += all[row * PeerRows.DIM];
        }

        return sum;
    }

    private static float[] pull(final PeerLink link, final int firstRow)
    {
        final float[] values = new float[VALUES];
        Arrays.fill(values, Float.NaN);
        final long before = link.completed();
        assertThat(link.tryPull(firstRow, ROWS, values)).isTrue();
        awaitCompleted(link, before + 1);

        return values;
    }

    /** Each value another one, and all of them such that sums are exact. */
    private static float[] gradient(final int push)
    {
        final float[] gradient = new float[VALUES];
        for (int i = 0; i < VALUES; i++)
        {
            gradient[i] = 1 + i + (float)push / 2;
        }

        return gradient;
    }

    private static float[] expected(final Peer peer, final int pushes)
    {
        final float[] values = new float[VALUES];
        for (int push = 0; push < pushes; push++)
        {
            final float[] gradient = gradient(push);
            for (int i = 0; i < VALUES; i++)
            {
                // Redis keeps what came last
                values[i] = Peer.REDIS == peer ? gradient[i] : values[i] - PeerRows.RATE * gradient[i];
            }
        }

        return values;
    }

    private static void awaitCompleted(final PeerLink link, final long count)
    {
        final long beginNs = System.nanoTime();
        while (link.completed() < count)
        {
            link.poll(true);
            assertThat(System.nanoTime() - beginNs).as("completed=" + link.completed()).isLessThan(DEADLINE_NS);
        }
    }
}
