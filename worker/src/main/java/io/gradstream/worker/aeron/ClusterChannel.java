// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.worker.client.AnswerWatch;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.client.CoordinatorLink;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;

import java.util.List;

/** The channel to the coordinators over a session with their cluster. */
public final class ClusterChannel implements CoordinatorChannel
{
    private final ClusterSession session;
    private final AnswerWatch answers = new AnswerWatch();
    private final List<String> endpoints;
    private final String responseEndpoint;
    private final ErrorHandler errorHandler;
    private long nowNs;

    private ClusterChannel(
        final ClusterSession session,
        final List<String> endpoints,
        final String responseEndpoint,
        final ErrorHandler errorHandler)
    {
        this.session = session;
        this.endpoints = endpoints;
        this.responseEndpoint = responseEndpoint;
        this.errorHandler = errorHandler;
    }

    /**
     * A link to the coordinators over such a channel, not connected yet.
     *
     * @param driver           connection of the thread that uses the link, which also polls the connection.
     * @param endpoints        host:port of the coordinators by member id.
     * @param responseEndpoint host:port where answers come in; port 0 for any.
     */
    public static CoordinatorLink link(
        final DriverConnection driver,
        final List<String> endpoints,
        final String responseEndpoint,
        final ErrorHandler errorHandler)
    {
        return new CoordinatorLink(
            (receiver) -> new ClusterChannel(
                new ClusterSession(new ClusterSession.Context()
                    .aeron(driver.aeron())
                    .endpoints(endpoints)
                    .responseEndpoint(responseEndpoint)
                    .listener(receiver)
                    .errorHandler(errorHandler)),
                endpoints, responseEndpoint, errorHandler),
            errorHandler);
    }

    @Override
    public int poll(final long newNowNs)
    {
        nowNs = newNowNs;
        final int workCount = session.poll(nowNs);
        if (session.isUnanswered())
        {
            answers.onUnanswered(nowNs);
        }
        else if (0 != session.connection())
        {
            answers.onAnswered();
        }
        if (answers.pollDue(nowNs))
        {
            errorHandler.onError(new IllegalStateException(
                AnswerWatch.text("a coordinator of " + endpoints, responseEndpoint)));
        }

        return workCount;
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return session.offer(buffer, offset, length);
    }

    @Override
    public long connection()
    {
        return session.connection();
    }

    @Override
    public String describe()
    {
        return session.describe() + (answers.isUnanswered(nowNs) ?
            "; " + AnswerWatch.text("a coordinator", responseEndpoint) : "");
    }

    @Override
    public void close()
    {
        session.close();
    }
}
