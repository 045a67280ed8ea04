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
package io.gradstream.cli.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import io.aeron.Aeron;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.Endpoints;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.driver.DirectoryOwner;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.cluster.ClusterMember;
import io.gradstream.driver.cluster.ClusterTiming;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.launcher.process.LineSender;
import io.gradstream.launcher.process.ParentLink;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.coordinator.service.CoordinatorService;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.coordinator.client.CoordinatorLink;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs one coordinator: it decides, alone or as one of three, which server keeps and serves which partition.
 */
@Command(name = "coordinator",
    description = "Run the coordinator, or one of three: it decides which server serves which partition.")
public final class CoordinatorCommand implements Callable<Integer>
{
    /** What a directory is claimed for, beside role and member. */
    private static final String CLUSTER = "cluster";

    private static final long PARK_NS = 1_000_000;

    @Mixin
    private CommonOptions common;

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

    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory of the media driver, which is made. Default: one of its own.")
    private Path aeronDir;

    @Option(names = "--timing", paramLabel = "quiet|shared", defaultValue = ServerPlan.SHARED,
        description = "How soon a silent leader is replaced: quiet for idle machines, shared for others. Default:" +
            " ${DEFAULT-VALUE}.")
    private String timing;

    @Option(names = "--coordinator-sync",
        description = "Force each decision to disk before it counts, so that it survives a loss of power.")
    private boolean isSynced;

    @Option(names = "--accept-plaintext", description = "Allow addresses that are not loopback.")
    private boolean isPlaintextAccepted;

    @Option(names = "--stop-on-eof", description = "Stop also when standard input ends.")
    private boolean isStoppedByEof;

    @Option(names = "--journal", description = "Print what is taken and decided, one line each.")
    private boolean isJournal;

    @Mixin
    private RestartOptions restartOptions;

    private DirectoryOwner owner;
    private boolean isReady;

    private final CountedErrors errors = new CountedErrors("coordinator");
    private volatile Throwable failure;

    @Override
    public Integer call() throws IOException
    {
        CommonOptions.checkWord("timing", timing, ServerPlan.QUIET, ServerPlan.SHARED);
        final List<String> endpoints = Endpoints.coordinators(members, isPlaintextAccepted);
        CommonOptions.checkRange("member", member, 0, endpoints.size() - 1);
        final JobSpec spec = job.spec();
        Files.createDirectories(dir);
        claimDirectory();
        final Standstill standstill = restartOptions.newStandstill();
        try (ParentLink parent = ParentLink.open(isStoppedByEof))
        {
            boolean isStopped = false;
            while (!isStopped)
            {
                failure = null;
                try (ClusterMember clusterMember = ClusterMember.launch(context(endpoints)))
                {
                    standstill.begin(System.nanoTime());
                    isStopped = run(spec, endpoints, clusterMember, parent, standstill);
                }
            }
        }

        return 0;
    }

    /** A directory of another process is refused before anything is opened in it, and so is one that lost its log. */
    private void claimDirectory()
    {
        owner = DirectoryOwner.of(dir);
        owner.claim("role", "coordinator");
        owner.claim("member", Integer.toString(member));
        if (!ClusterMember.hasLog(dir))
        {
            owner.requireUnclaimed(CLUSTER, "but holds nothing any more of what that cluster decided");
        }
    }

    private ClusterMember.Context context(final List<String> endpoints)
    {
        return new ClusterMember.Context()
            .memberId(member)
            .members(endpoints)
            .dir(dir)
            .aeronDirectory(aeronDir)
            .profile(common.profile())
            .mtuLength(common.mtu())
            .timing(ServerPlan.QUIET.equals(timing) ? ClusterTiming.QUIET : ClusterTiming.SHARED)
            .sync(isSynced)
            .service(new CoordinatorService(isJournal ? new Journalist() : CoordinatorListener.NONE))
            .terminationHook(() -> failure = new IllegalStateException("driver, Archive or consensus module ended"))
            .errorHandler(errors);
    }

    /** Until it is stopped, then true; or false if it is to be started anew. */
    private boolean run(
        final JobSpec spec,
        final List<String> endpoints,
        final ClusterMember clusterMember,
        final ParentLink parent,
        final Standstill standstill)
    {
        try
        {
            if (define(spec, endpoints, clusterMember, parent, standstill) && !isReady)
            {
                isReady = true;
                System.out.println(new StatusLine(StatusLine.READY)
                    .with("member", member).with("endpoint", endpoints.get(member)));
            }
            run(clusterMember, parent, standstill);

            return true;
        }
        catch (final MemberEndedException ex)
        {
            if (standstill.mayStartAnew("coordinator", System.nanoTime()))
            {
                return false;
            }
            throw ex;
        }
    }

    /**
     * Say what the job is, and wait until the coordinators agree on one, and until this one has caught up with them:
     * who ends another one before would leave no majority that knows all.
     */
    private boolean define(
        final JobSpec spec,
        final List<String> endpoints,
        final ClusterMember clusterMember,
        final ParentLink parent,
        final Standstill standstill)
    {
        final String host = endpoints.get(member).substring(0, endpoints.get(member).lastIndexOf(':'));
        try (Aeron aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(clusterMember.aeronDirectoryName())
            .epochClock(HostClock.of(clusterMember.aeronDirectoryName()))
            .useConductorAgentInvoker(true)
            .errorHandler(errors));
            CoordinatorLink link = ClusterChannel.link(
                DriverConnection.of(aeron), endpoints, host + ":0", (error) -> {}))
        {
            ClusterMap known = null;
            long askedNs = System.nanoTime() - CoordinatorLink.RETRY_NS;
            while ((null == known || !clusterMember.isSettled()) && !parent.isStopped())
            {
                checkAlive(clusterMember, standstill);
                aeron.conductorAgentInvoker().invoke();
                if (aeron.isClosed())
                {
                    throw new MemberEndedException(null);
                }
                final long nowNs = System.nanoTime();
                link.doWork(nowNs);
                final ClusterMap map = link.poll();
                known = null == map || null == map.job() ? known : map;
                if (null == known && (null != map || nowNs - askedNs >= CoordinatorLink.RETRY_NS))
                {
                    askedNs = link.defineJob(spec) ? nowNs : askedNs;
                }
                LockSupport.parkNanos(PARK_NS);
            }
            if (null == known)
            {
                return false;
            }
            if (ClusterMap.NO_CLUSTER != known.clusterId())
            {
                owner.claim(CLUSTER, Long.toHexString(known.clusterId()));
            }
            if (!known.job().equals(spec))
            {
                throw new UsageException("the coordinators know another job: " + known.job() + ", not " + spec +
                    "; start with its options, or with an empty --dir of every coordinator for a new one");
            }

            return true;
        }
    }

    private void run(final ClusterMember clusterMember, final ParentLink parent, final Standstill standstill)
    {
        boolean isSettled = true;
        while (!parent.isStopped())
        {
            checkAlive(clusterMember, standstill);
            if (isJournal && isSettled != clusterMember.isSettled())
            {
                isSettled = !isSettled;
                System.out.println(new StatusLine(StatusLine.SETTLED).with("member", member).with("now", isSettled));
            }
            clusterMember.maintain(System.nanoTime());
            LockSupport.parkNanos(10 * PARK_NS);
        }
    }

    private void checkAlive(final ClusterMember clusterMember, final Standstill standstill)
    {
        standstill.look(System.nanoTime());
        if (null != failure || clusterMember.isTerminated())
        {
            throw new MemberEndedException(failure);
        }
    }

    /**
     * The member has ended by itself.
     */
    private static final class MemberEndedException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        MemberEndedException(final Throwable cause)
        {
            super("the coordinator ended by itself", cause);
        }
    }

    /**
     * Prints what the service tells, without ever holding it up.
     */
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
