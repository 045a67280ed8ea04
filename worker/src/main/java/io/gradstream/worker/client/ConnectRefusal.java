// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

/**
 * The answer of a server that has no room for another worker of a job.
 *
 * @param ofJob       connections that the job had there.
 * @param connections that all jobs had there.
 * @param max         limit of all jobs there.
 */
record ConnectRefusal(int ofJob, int connections, int max)
{
    /** The message for such a server. */
    String text(final String who)
    {
        return who + " has no room for another worker or observer of this job: it serves " + ofJob +
            " of the job and " + connections + " of all jobs, and gradstream.server.max.connections=" + max +
            " there; a job gets at most three times as many as are left free. Raise it on every server, or end" +
            " workers. More servers do not help, because each worker connects to each of them";
    }
}
