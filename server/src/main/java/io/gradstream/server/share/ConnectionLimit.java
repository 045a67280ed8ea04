// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.share;

/**
 * The connections that a server's workers may have, and those of them that one job may have: at most
 * {@link #MOST_PER_FREE} times as many as are left free. So a job alone leaves a quarter free, and jobs that all want
 * more get as many each. This is the dynamic threshold of Choudhury and Hahne, by which switches share their buffers.
 * <p>
 * No connection is taken away. A job that has more than it may have, since others came later, gets no new ones.
 */
public final class ConnectionLimit
{
    /** A job may have so many times as many connections as are free. */
    public static final int MOST_PER_FREE = 3;
    /** With fewer a second job might find none free. */
    public static final int LEAST = 4;
    /** With more the lists of connections would be long to search, as a server does with each request to connect. */
    public static final int MOST = 4096;

    private final int max;

    /**
     * A limit.
     *
     * @param max connections of all jobs, from {@link #LEAST} to {@link #MOST}.
     */
    public ConnectionLimit(final int max)
    {
        this.max = max;
    }

    /**
     * The reason why a worker of a job gets no connection.
     *
     * @param jobId number of the job.
     * @param ofJob connections that the job has.
     * @param all   connections that all jobs have.
     * @return null if it may have one more.
     */
    public NoRoom check(final int jobId, final int ofJob, final int all)
    {
        return ofJob < MOST_PER_FREE * (max - all) ? null : new NoRoom(jobId, ofJob, all, max);
    }

    /**
     * The reason why a worker got no connection.
     *
     * @param jobId number of its job.
     * @param ofJob connections that the job had.
     * @param all   connections that all jobs had.
     * @param max   limit of all jobs.
     */
    public record NoRoom(int jobId, int ofJob, int all, int max)
    {
    }
}
