// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.Endpoints;
import io.gradstream.cli.options.TimingOption;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.coordinator.member.ClusterTiming;
import io.gradstream.coordinator.member.CoordinatorNode;
import io.gradstream.launcher.process.LineSender;
import io.gradstream.launcher.process.StatusLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one coordinator: it decides, alone or as one of three, which server keeps and serves which partition. */
@Command(name = "coordinator",
    description = "Run the coordinator, or one of three: it decides which server serves which partition.")
public final class CoordinatorCommand implements Callable<Integer>
{
    private static final long START_PARK_NS = 1_000_000;

    @Mixin
    private CommonOptions common;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private Endpoints addresses;

    @Mixin
    private TimingOption timing;

    @Mixin
    private JobDefinition job;

    @Option(names = "--member", paramLabel = "0|1|2", defaultValue = "0",
        description = "Place of this one in --members. Default: ${DEFAULT-VALUE}.")
    private int member;

    @Option(names = "--members", paramLabel = "HOST:PORT,...", required = true,
        description = "All coordinators, one or three. Each listens on five consecutive UDP ports from its port on.")
    private String members;

    @Option(names = "--dir", paramLabel = "DIR", required = true,
        description = "Where decisions are kept; found there again after a restart.")
    private Path dir;

    @Option(names = "--coordinator-sync",
        description = "Force each decision to disk before it counts, so that it survives a loss of power.")
    private boolean isSynced;

    @Option(names = "--journal", description = "Print what is taken and decided, one line each.")
    private boolean isJournal;

    private final CountedErrors errors = new CountedErrors("coordinator");
    private boolean isReady;

    @Override
    public Integer call()
    {
        return service.run("coordinator", this::launch);
    }

    private Service launch()
    {
        final List<String> endpoints = addresses.coordinators(members);
        CommonOptions.checkRange("member", member, 0, endpoints.size() - 1);
        final ClusterMember.Context ctx = new ClusterMember.Context()
            .memberId(member)
            .members(endpoints)
            .dir(dir)
            .aeronDirectory(service.aeronDir)
            .profile(common.profile())
            .mtuLength(common.mtu())
            .timing(timing.isQuiet() ? ClusterTiming.QUIET : ClusterTiming.SHARED)
            .sync(isSynced)
            .errorHandler(errors);

        return new RunningCoordinator(endpoints.get(member), CoordinatorNode.launch(
            ctx, job.spec(), isJournal ? new Journalist() : CoordinatorListener.NONE));
    }

    /** The coordinator; says when it is ready, and in the journal when it takes part in an election. */
    private final class RunningCoordinator implements Service
    {
        private final String endpoint;
        private final CoordinatorNode node;
        private boolean isSettled = true;

        RunningCoordinator(final String endpoint, final CoordinatorNode node)
        {
            this.endpoint = endpoint;
            this.node = node;
        }

        @Override
        public void poll(final long nowNs)
        {
            node.poll(nowNs);
            if (!node.isReady())
            {
                return;
            }
            if (!isReady)
            {
                isReady = true;
                tellOtherBound();
                System.out.println(
                    new StatusLine(StatusLine.READY).with("member", member).with("endpoint", endpoint));
            }
            if (isJournal && isSettled != node.isSettled())
            {
                isSettled = !isSettled;
                System.out.println(new StatusLine(StatusLine.SETTLED).with("member", member).with("now", isSettled));
            }
        }

        /** Says that the bound which was set while the job ran counts, and not the one of this command. */
        private void tellOtherBound()
        {
            final Consistency now = node.job().consistency();
            if (!now.equals(job.spec().consistency()))
            {
                System.err.println("coordinator: the job has --staleness " + now.label() + " --slots " + now.slots() +
                    " by now, and keeps that; job set changes it");
            }
        }

        @Override
        public boolean isTerminated()
        {
            return node.isTerminated();
        }

        @Override
        public long parkNs()
        {
            return node.isReady() ? ServiceOptions.PARK_NS : START_PARK_NS;
        }

        @Override
        public void close()
        {
            node.close();
        }
    }

    /** Prints what the service tells, without ever holding it up. */
    private static final class Journalist implements CoordinatorListener
    {
        private final LineSender sender = LineSender.start("journal", System.out);

        @Override
        public void onCommand(final long position, final CharSequence command)
        {
            sender.offer(StatusLine.COORDINATOR + " at=" + position + " type=" + command);
        }

        @Override
        public void onMap(final long position, final ClusterMap map, final long failovers, final long spurious)
        {
            sender.offer(new StatusLine(StatusLine.MAP).with("at", position).with("failovers", failovers)
                .with("spurious", spurious).with("chains", map.chains().format()).toString());
        }

        @Override
        public void onLeader(final long leadershipTerm, final int memberId)
        {
            sender.offer(new StatusLine(StatusLine.LEADER)
                .with("term", leadershipTerm).with("member", memberId).toString());
        }
    }
}
