// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import io.gradstream.codecs.JobSpec;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.coordinator.member.ClusterTiming;
import io.gradstream.coordinator.member.CoordinatorNode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One coordinator in this process, for a moment: it is alone, and listens on free ports of the loopback address. */
public final class LocalCoordinator implements AutoCloseable
{
    private static final long READY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final List<String> endpoints;
    private final CoordinatorNode node;

    private LocalCoordinator(final List<String> endpoints, final CoordinatorNode node)
    {
        this.endpoints = endpoints;
        this.node = node;
    }

    /**
     * Start it, and wait until it is ready.
     *
     * @param dir            where its decisions are kept.
     * @param aeronDirectory of its media driver; null for any.
     * @param job            that it knows.
     * @throws IOException if there are no free ports.
     */
    public static LocalCoordinator start(final Path dir, final Path aeronDirectory, final JobSpec job)
        throws IOException
    {
        final List<String> endpoints = LoopbackPorts.freeRanges(1, ClusterMember.PORTS);
        final CoordinatorNode node = CoordinatorNode.launch(new ClusterMember.Context()
            .members(endpoints)
            .dir(dir)
            .aeronDirectory(aeronDirectory)
            .timing(ClusterTiming.QUIET), job, CoordinatorListener.NONE);
        try
        {
            return new LocalCoordinator(endpoints, node.awaitReady(READY_TIMEOUT_NS));
        }
        catch (final RuntimeException ex)
        {
            node.close();
            throw ex;
        }
    }

    /** Where it listens: host:port of the one. */
    public List<String> endpoints()
    {
        return endpoints;
    }

    @Override
    public void close()
    {
        node.close();
    }
}
