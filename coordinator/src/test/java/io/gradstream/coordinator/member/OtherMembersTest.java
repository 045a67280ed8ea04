// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.service.CoordinatorListener;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class OtherMembersTest
{
    private static final JobSpec JOB = new JobSpec(1, 1, 1, 16, 1000, 30_000, RecoveryMode.REPLAY);
    private static final long PARK_NS = 1_000_000;

    private final List<CoordinatorNode> nodes = new ArrayList<>();
    private List<String> endpoints;

    @TempDir
    private Path dir;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(nodes);
    }

    @Test
    void shouldRefuseACoordinatorThatNamesTheMembersInAnotherOrder() throws IOException
    {
        endpoints = FreePorts.members(3);
        final CoordinatorNode first = launch(0, endpoints);
        final CoordinatorNode third = launch(2, endpoints);
        poll(() -> first.isReady() && third.isReady());

        final List<String> reversed = new ArrayList<>(endpoints);
        Collections.reverse(reversed);
        final CoordinatorNode second = launch(1, reversed);

        assertThatThrownBy(() -> poll(second::isReady)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("0=" + endpoints.get(0)).hasMessageContaining("0=" + endpoints.get(2))
            .hasMessageContaining("the same order for every coordinator");
        assertThat(first.isTerminated()).isFalse();
    }

    private CoordinatorNode launch(final int id, final List<String> members)
    {
        final CoordinatorNode node = CoordinatorNode.launch(new ClusterMember.Context()
            .memberId(id)
            .members(members)
            .dir(dir.resolve(Integer.toString(id)))
            .timing(ClusterTiming.QUIET), JOB, CoordinatorListener.NONE);
        nodes.add(node);

        return node;
    }

    private void poll(final BooleanSupplier until)
    {
        while (!until.getAsBoolean())
        {
            nodes.forEach((node) -> node.poll(System.nanoTime()));
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
