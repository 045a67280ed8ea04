// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.wire.KeepAliveEncoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.server.share.JobShare;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A job whose pushes are limited: what may not be taken yet stays with Aeron, and all else is heard. */
class JobLimitsTest
{
    private static final int SESSION = 9;
    private static final int OTHER_SESSION = 10;
    private static final int SLOT = 3;
    private static final long INCARNATION = 5;
    private static final int DIM = 256;

    private final ServedPartition served = new ServedPartition(64 * 1024).serve();
    private long nowNs = 1;

    @Test
    void shouldHoldBackTheWorkersOfOneJobAlone()
    {
        connect(SESSION, 1);
        tell(job(1, JobSpec.Limits.MIN_PUSH_RATE));
        final int length = push().length();
        int taken = 0;
        while (take(SESSION, push()))
        {
            taken++;
        }
        assertThat(taken * length).isBetween(100_000, 104_858 + 2 * length);
        assertThat(served.counters.get(NodeCounters.Counter.POSTPONED_MESSAGES)).isEqualTo(1);
        assertThat(take(SESSION, keepAlive())).as("what is no push").isTrue();

        nowNs += TimeUnit.MILLISECONDS.toNanos(5);
        served.requests.nowNs(nowNs);
        assertThat(take(SESSION, push())).isTrue();
    }

    @Test
    void shouldHearAWorkerThatIsHeldBack()
    {
        connect(SESSION, 1);
        tell(job(1, JobSpec.Limits.MIN_PUSH_RATE));
        while (take(SESSION, push()))
        {
            assertThat(nowNs).isEqualTo(1);
        }
        served.requests.nowNs(++nowNs);
        assertThat(take(SESSION, push())).isFalse();
        assertThat(served.connections.isHeard(1, SLOT, INCARNATION, 0, nowNs)).isTrue();
    }

    @Test
    void shouldLetOtherJobsHaveTheirTurnInEachDutyCycle()
    {
        connect(SESSION, 1);
        tell(job(1, 0), job(2, 0));
        final int length = push().length() - MessageHeaderEncoder.ENCODED_LENGTH;
        for (int cycle = 0; cycle < 3; cycle++)
        {
            served.requests.nowNs(++nowNs);
            int taken = 0;
            while (take(SESSION, push()))
            {
                taken++;
            }
            assertThat(taken * length).isBetween(JobShare.MAX_CYCLE_BYTES, JobShare.MAX_CYCLE_BYTES + length);
        }

        tell(job(1, 0));
        for (int i = 0; i < 1_000; i++)
        {
            assertThat(take(SESSION, push())).isTrue();
        }
    }

    @Test
    void shouldTakeWhatComesForADeletedJob()
    {
        connect(SESSION, 1);
        tell(job(2, JobSpec.Limits.MIN_PUSH_RATE));
        for (int i = 0; i < 100; i++)
        {
            assertThat(take(SESSION, push())).isTrue();
        }
        assertThat(take(OTHER_SESSION, push())).as("nobody's").isTrue();
    }

    private void connect(final int session, final int jobId)
    {
        served.requests.nowNs(nowNs);
        assertThat(served.connections.onConnect(session, new WorkerConnections.ConnectRequest(
            1, INCARNATION, jobId, SLOT, SlotRole.SOLE, 7, "channel"), nowNs)).isTrue();
    }

    private void tell(final ClusterMap.Job... jobs)
    {
        served.requests.onJobs(List.of(jobs), nowNs);
    }

    private static ClusterMap.Job job(final int id, final long pushRate)
    {
        return new ClusterMap.Job(id, "job-" + id, id, new JobSpec(1, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 16,
            JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY).with(new JobSpec.Limits(0, pushRate)));
    }

    /** It is of an epoch that is over, and refused. */
    private static PushFrame push()
    {
        return PushFrame.of(0, 0, 1, INCARNATION, DIM, 4);
    }

    private static PushFrame keepAlive()
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final KeepAliveEncoder keepAlive = new KeepAliveEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).incarnation(INCARNATION).slot(SLOT);

        return new PushFrame(buffer, MessageHeaderEncoder.ENCODED_LENGTH + keepAlive.encodedLength());
    }

    private boolean take(final int session, final PushFrame frame)
    {
        return served.adapter.onMessage(session, frame.buffer(), 0, frame.length());
    }
}
