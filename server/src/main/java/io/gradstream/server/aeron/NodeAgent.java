// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.gradstream.server.node.Readiness;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;

/** The one thread of a node that touches its partitions: it runs the node until that fails. */
final class NodeAgent implements Agent
{
    private final NodeProcess process;
    private volatile Readiness readiness;
    private volatile boolean hasLostClient;
    private volatile Throwable failure;

    NodeAgent(final NodeProcess process)
    {
        this.process = process;
    }

    boolean isServing()
    {
        return null != readiness && readiness.isReady() && null == failure;
    }

    String waitingFor()
    {
        return null == readiness ? "the node has not started yet" : readiness.waitingFor();
    }

    /** Why the node ended, or null. */
    Throwable failure()
    {
        return failure;
    }

    /** True if the node's client of the media driver had closed when the node ended. */
    boolean hasLostClient()
    {
        return hasLostClient;
    }

    /** True if workers of other processes write to this node over IPC. Only the agent's own thread may ask. */
    boolean hasLocalWorkers()
    {
        return process.hasLocalWorkers();
    }

    void fail(final Throwable reason)
    {
        failure = null == failure ? reason : failure;
    }

    @Override
    public int doWork()
    {
        if (null != failure)
        {
            throw new AgentTerminationException(failure);
        }
        try
        {
            if (null == readiness)
            {
                readiness = process.start();
            }
            return process.doWork();
        }
        catch (final Throwable ex)
        {
            // errors, too, such as a user's function may throw: the runner would end the thread without reporting them
            hasLostClient = process.hasLostClient();
            fail(ex);
            throw new AgentTerminationException(ex);
        }
    }

    @Override
    public void onClose()
    {
        CloseHelper.quietClose(process);
    }

    @Override
    public String roleName()
    {
        return process.roleName();
    }
}
