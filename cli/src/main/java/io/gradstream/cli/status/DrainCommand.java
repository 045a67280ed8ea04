// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.console.ClusterState;
import io.gradstream.console.ClusterState.Node;
import io.gradstream.launcher.process.ParentLink;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Empties a server, so that it may be stopped for good. */
@Command(name = "drain", description = "Move all partitions of a server to others, and say when it may be stopped.")
public final class DrainCommand implements Callable<Integer>
{
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--node-id", paramLabel = "N", required = true, description = "Server to be emptied.")
    private int nodeId;

    @Option(names = "--cancel", description = "Let the server have partitions again.")
    private boolean isCancelled;

    @Option(names = "--no-wait", description = "Say it, and do not wait until the server is empty.")
    private boolean isNotAwaited;

    @Override
    public Integer call()
    {
        try (ParentLink parent = ParentLink.open(false);
            StatusSession session = StatusSession.open(cluster.access(), parent::isStopped))
        {
            final ClusterState before = ServerDrains.look(session);
            if (null == before)
            {
                return Failures.EXIT_FAILED;
            }
            check(before, session.jobs());
            for (final ClusterMap.Job job : session.jobs())
            {
                UsageException.refuseIf(!isCancelled && !job.spec().mode().keepsLog(), "servers of a job of mode " +
                    job.spec().mode().label() + ", as " + job.name() +
                    " is, cannot be emptied: it keeps no log for others to read");
            }
            if (!session.drain(nodeId, !isCancelled))
            {
                return Failures.EXIT_FAILED;
            }
            if (isCancelled)
            {
                say("server %d may have partitions again%n");
                return 0;
            }

            if (isNotAwaited)
            {
                say("server %d is being drained: status says how many partitions are left%n");
                return 0;
            }

            return await(session);
        }
    }

    private void check(final ClusterState state, final List<ClusterMap.Job> jobs)
    {
        if (null == state.job())
        {
            throw new IllegalStateException("no job is known: a coordinator that starts defines it");
        }
        UsageException.refuseIf(state.nodes().stream().noneMatch((node) -> node.id() == nodeId),
            "invalid --node-id=" + nodeId + ": must be a server of this cluster, " +
            state.nodes().stream().map(Node::id).toList());
        final int copies = jobs.stream().mapToInt((job) -> job.spec().copies()).max().orElse(1);
        final String problem = isCancelled ? null : problem(nodeId, state.nodes(), copies);
        if (null != problem)
        {
            throw new IllegalStateException(problem);
        }
    }

    /** Why a server cannot be emptied for now, by what is left of the others; or null. */
    static String problem(final int nodeId, final List<Node> nodes, final int copies)
    {
        final List<Integer> left = new ArrayList<>();
        final List<Integer> silent = new ArrayList<>();
        for (final Node node : nodes)
        {
            if (node.id() != nodeId && !node.draining())
            {
                (node.silent() ? silent : left).add(node.id());
            }
        }

        return left.size() >= copies ? null : "server " + nodeId + " cannot be emptied now: " + copies +
            " copies of each partition are wanted, and servers " + left + " would be left" +
            (silent.isEmpty() ? "; start another server first" : ", while servers " + silent +
            " are not heard; wait until they are, or start another server first");
    }

    private int await(final StatusSession session)
    {
        int last = -1;
        while (true)
        {
            final ClusterState state = ServerDrains.look(session);
            if (null == state)
            {
                return Failures.EXIT_FAILED;
            }
            if (state.nodes().stream().anyMatch((node) -> node.id() == nodeId && !node.draining()))
            {
                throw new IllegalStateException("server " + nodeId + " is not drained any more: somebody took it back");
            }
            final int kept = ServerDrains.kept(state, nodeId);
            if (kept != last)
            {
                say(0 == kept ? "server %d keeps nothing any more, and may be stopped%n" :
                    "server %d: %d partitions are left%n", kept);
            }
            last = kept;
            if (0 == kept)
            {
                return 0;
            }
            session.idleUntil(System.nanoTime() + INTERVAL_NS);
        }
    }

    private void say(final String format, final Object... more)
    {
        spec.commandLine().getOut().printf(Locale.ROOT, format, 0 == more.length ? new Object[]{nodeId} :
            new Object[]{nodeId, more[0]});
        spec.commandLine().getOut().flush();
    }
}
