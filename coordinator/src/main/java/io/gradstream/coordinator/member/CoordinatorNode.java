// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.Aeron;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.coordinator.service.CoordinatorService;
import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.coordinator.session.MemberCheck;
import io.gradstream.coordinator.session.MemberEndpoint;
import io.gradstream.driver.DirectoryOwner;
import io.gradstream.driver.client.HostClock;
import org.agrona.CloseHelper;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A coordinator in this process, alone or one of three: a member of the cluster whose service decides which server
 * serves what. It first says what the job is, and keeps its log short later. One thread polls it.
 */
public final class CoordinatorNode implements AutoCloseable
{
    /** The claim on its directory for a cluster, next to the claims for role and member. */
    private static final String CLUSTER = "cluster";
    private static final String ROLE = "role";
    private static final String COORDINATOR = "coordinator";
    private static final String MEMBER = "member";
    private static final long PARK_NS = 1_000_000;

    private final ClusterMember.Context ctx;
    private final JobSpec job;
    /** Counts if this coordinator is the first to define the job; not 0. */
    private final long newClusterId = new SecureRandom().nextLong() | 1;
    private final DirectoryOwner owner;
    private ClusterMember member;
    private Aeron aeron;
    private CoordinatorLink link;
    private ClusterSession session;
    private ClusterMap known;
    private long askedNs;
    private boolean hasLostClient;

    private CoordinatorNode(final ClusterMember.Context ctx, final JobSpec job)
    {
        this.ctx = ctx;
        this.job = job;
        owner = requireOwn(ctx);
    }

    /**
     * Start a coordinator; it is ready some time later, while it is polled.
     *
     * @param ctx      settings of the member, without a service; concluded here.
     * @param job      to be defined, if no coordinator knows one yet.
     * @param listener told what the coordinator takes and decides.
     * @return the coordinator.
     * @throws IllegalArgumentException                            if a setting is wrong.
     * @throws io.gradstream.driver.client.HostDriverException if the machine does not allow it, or the directory is
     *                                                             another one's.
     */
    public static CoordinatorNode launch(
        final ClusterMember.Context ctx, final JobSpec job, final CoordinatorListener listener)
    {
        final CoordinatorNode node = new CoordinatorNode(ctx, job);
        node.member = ClusterMember.launch(ctx.service(new CoordinatorService(listener)));
        try
        {
            node.owner.claim(ROLE, COORDINATOR);
            node.owner.claim(MEMBER, Integer.toString(ctx.memberId));
            node.open();
            return node;
        }
        catch (final RuntimeException | Error ex)
        {
            CloseHelper.quietClose(node);
            throw ex;
        }
    }

    /**
     * One duty cycle; may wait for the Archive once a coordinator is ready.
     *
     * @param nowNs of a clock that does not go back.
     * @throws IllegalArgumentException if the coordinators know another job, or one of them was started with another
     *                                  list of members.
     */
    public void poll(final long nowNs)
    {
        member.watchElection(nowNs);
        if (isReady())
        {
            member.maintain(nowNs);
        }
        else if (!isTerminated())
        {
            define(nowNs);
        }
    }

    /**
     * True once the coordinators agree on a job and this coordinator has caught up with them. To end another one before
     * would leave no majority that knows all.
     */
    public boolean isReady()
    {
        return null == link;
    }

    /** The job as the coordinators knew it when this one was ready: its slots may be bound otherwise by now. */
    public JobSpec job()
    {
        return known.job();
    }

    /**
     * Wait until it is ready.
     *
     * @param timeoutNs longest wait in nanoseconds.
     * @return this.
     * @throws IllegalStateException if it is not ready by then, or has ended.
     */
    public CoordinatorNode awaitReady(final long timeoutNs)
    {
        final long beginNs = System.nanoTime();
        while (!isReady())
        {
            if (isTerminated() || System.nanoTime() - beginNs >= timeoutNs)
            {
                throw new IllegalStateException("the coordinator " + (isTerminated() ? "ended by itself" :
                    "was not ready in time: the machine may be overloaded; " + link));
            }
            poll(System.nanoTime());
            LockSupport.parkNanos(PARK_NS);
        }

        return this;
    }

    /**
     * True if this coordinator leads, or follows a leader whose log it has caught up with. False while it takes part in
     * an election or catches up.
     */
    public boolean isSettled()
    {
        return member.isSettled();
    }

    /** True once a part of the coordinator has ended by itself. Then the coordinator must be closed. */
    public boolean isTerminated()
    {
        return hasLostClient || member.isTerminated();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(link, aeron, member);
    }

    /** Refuse a directory of another process before anything is opened in it, and a directory that has lost its log. */
    private static DirectoryOwner requireOwn(final ClusterMember.Context ctx)
    {
        MemberCheck.requirePresent("dir", ctx.dir);
        final Path dir = ctx.dir;
        final DirectoryOwner owner = DirectoryOwner.of(dir);
        owner.requireNoOther(ROLE, COORDINATOR);
        owner.requireNoOther(MEMBER, Integer.toString(ctx.memberId));
        if (!MemberDirectory.hasLog(dir))
        {
            owner.requireUnclaimed(CLUSTER, "but holds nothing any more of what that cluster decided");
        }

        return owner;
    }

    private void open()
    {
        final String directory = member.aeronDirectoryName();
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory)
            .epochClock(HostClock.of(directory))
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(ctx.profile.timeouts().clientLivenessNs()))
            .useConductorAgentInvoker(true)
            .errorHandler(ctx.errorHandler));
        link = new CoordinatorLink((receiver) -> session = new ClusterSession(new ClusterSession.Context()
            .aeron(aeron)
            .endpoints(ctx.members)
            .responseEndpoint(ctx.endpoints.get(ctx.memberId).host() + ":0")
            .listener(receiver)
            .errorHandler(ctx.errorHandler)), ctx.errorHandler);
        askedNs = System.nanoTime() - CoordinatorLink.RETRY_NS;
    }

    private void define(final long nowNs)
    {
        aeron.conductorAgentInvoker().invoke();
        if (aeron.isClosed())
        {
            hasLostClient = true;
            return;
        }
        link.doWork(nowNs);
        final ClusterMap map = link.poll();
        if (null != session && null != session.otherMembers())
        {
            throw new IllegalArgumentException("another coordinator was started with --members " +
                session.otherMembers() + ", this one with " + MemberEndpoint.ingress(ctx.endpoints) +
                ": name the same addresses in the same order for every coordinator");
        }
        known = null == map || null == map.job() ? known : map;
        if (null == known && (null != map || nowNs - askedNs >= CoordinatorLink.RETRY_NS))
        {
            askedNs = link.defineJob(job, newClusterId) ? nowNs : askedNs;
        }
        else if (null != known && member.isSettled())
        {
            keep(known);
        }
    }

    private void keep(final ClusterMap map)
    {
        if (ClusterMap.NO_CLUSTER != map.clusterId())
        {
            owner.claim(CLUSTER, Long.toHexString(map.clusterId()));
        }
        if (!map.job().isDefinedAs(job))
        {
            throw new IllegalArgumentException("the coordinators know another job: " + map.job() + ", not " + job +
                "; start with its options, or with an empty --dir of every coordinator for a new one");
        }
        CloseHelper.closeAll(link, aeron);
        link = null;
        session = null;
        aeron = null;
    }
}
