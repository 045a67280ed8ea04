// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.Failures;
import io.gradstream.launcher.process.ParentLink;

import java.util.List;
import java.util.function.ToIntFunction;

/** Asks the coordinators once, for a command about jobs. */
final class JobSession
{
    private JobSession()
    {
    }

    /**
     * Connect, hear which jobs there are, and do what is to be done with them.
     *
     * @param access to the cluster.
     * @param work   gets the session, and returns the command's exit code.
     * @return that exit code, or the code of a failure if stopped before.
     */
    static int run(final ClusterAccess access, final ToIntFunction<StatusSession> work)
    {
        try (ParentLink parent = ParentLink.open(false);
            StatusSession session = StatusSession.open(access, parent::isStopped))
        {
            if (null == session.look(new ClusterWatch.LocalServers(List.of(), (node) -> true), null))
            {
                return Failures.EXIT_FAILED;
            }
            if (session.jobs().isEmpty())
            {
                throw new IllegalStateException("no job is known: a coordinator that starts defines the first one");
            }

            return work.applyAsInt(session);
        }
    }
}
