// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.util.Locale;

/**
 * What goes wrong between hosts: server and coordinator n on host n, the workers on the last.
 */
enum Netsplit
{
    /** One host and all others do not hear each other. */
    ISOLATE
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            final int host = cluster.primary();
            deafen(hosts, host);
            mute(hosts, host);
        }
    },
    /** What is sent to the primary's host is lost. */
    DEAF
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            deafen(hosts, cluster.primary());
        }
    },
    /** What the primary's host sends is lost. */
    MUTE
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            mute(hosts, cluster.primary());
        }
    },
    /** Workers and a primary do not hear each other; the coordinators' leader, who is told, is on another host. */
    WORKERS_ONLY
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            final int workers = hosts.count() - 1;
            final int host = cluster.primaryWithoutLeader();
            hosts.cut(workers, host);
            hosts.cut(host, workers);
        }
    },
    /** Workers and the host of the coordinators' leader do not hear each other: nobody can be told what they miss. */
    WORKERS_AND_LEADER
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            final int workers = hosts.count() - 1;
            final int host = cluster.leader();
            hosts.cut(workers, host);
            hosts.cut(host, workers);
        }

        @Override
        long boundMs()
        {
            return NetsplitRun.CUT_MS + super.boundMs();
        }
    },
    /** The primary's host and the coordinators of the others do not hear each other; servers and workers do. */
    COORDINATOR_ONLY
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            cutCoordinators(hosts, cluster.primary());
        }
    },
    /** The host of the coordinators' leader and the coordinators of the others do not hear each other. */
    LEADER_ALONE
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            cutCoordinators(hosts, cluster.leader());
        }
    },
    /** The interface of the primary's host is down: senders there are told. */
    LINK_DOWN
    {
        private int host;

        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            host = cluster.primary();
            hosts.down(host);
        }

        @Override
        void end(final Namespaces hosts)
        {
            hosts.up(host);
        }
    },
    /** Of all that is sent anywhere, two of a hundred packets are lost. */
    LOSS
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            for (int host = 0; host < hosts.count(); host++)
            {
                hosts.loseSome(host, LOST_PART);
            }
        }
    },
    /** All that is sent anywhere arrives 10 ms later. */
    DELAY
    {
        @Override
        String obstacle(final Namespaces hosts)
        {
            return hosts.delayObstacle();
        }

        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts)
        {
            hosts.delay(DELAY_MS);
        }

        @Override
        void end(final Namespaces hosts)
        {
            hosts.endDelay();
        }
    },
    /** Servers end in order and are started again one after the other, each as soon as the one before is ready. */
    ROLLING_RESTART
    {
        @Override
        void begin(final FaultCluster cluster, final Namespaces hosts) throws IOException
        {
            for (final int node : cluster.all())
            {
                cluster.restartInOrder(node);
            }
        }

        @Override
        long boundMs()
        {
            return RESTART_BOUND_MS;
        }
    };

    private static final double LOST_PART = 0.02;
    private static final int DELAY_MS = 10;
    /** Twice the suspicion time of {@code shared}. */
    private static final long SPLIT_BOUND_MS = 1_600;
    /** What an election of the coordinators takes with {@code shared} on a crowded machine, until it has decided. */
    private static final long ELECTION_MS = 3_000;
    private static final long RESTART_BOUND_MS = 1_500;

    /** Why it cannot be tried here; empty if it can. */
    String obstacle(final Namespaces hosts)
    {
        return "";
    }

    /** May the coordinators have to elect another leader, because the host of theirs is cut off? */
    boolean strikesLeader(final FaultCluster cluster)
    {
        return switch (this)
        {
            case ISOLATE, DEAF, MUTE, COORDINATOR_ONLY, LINK_DOWN -> cluster.leader() == cluster.primary();
            case LEADER_ALONE, ROLLING_RESTART, LOSS, DELAY, WORKERS_ONLY, WORKERS_AND_LEADER -> LEADER_ALONE == this;
        };
    }

    /** Must another head take over? */
    boolean movesLead()
    {
        return switch (this)
        {
            case ISOLATE, DEAF, MUTE, WORKERS_ONLY, LINK_DOWN, ROLLING_RESTART -> true;
            case COORDINATOR_ONLY, LEADER_ALONE, LOSS, DELAY, WORKERS_AND_LEADER -> false;
        };
    }

    /** Let it happen. */
    abstract void begin(FaultCluster cluster, Namespaces hosts) throws IOException;

    /** Let it be over. */
    void end(final Namespaces hosts)
    {
        hosts.heal();
    }

    /** The longest that a worker may wait for acknowledgements, with a leader that is not cut. */
    long boundMs()
    {
        return SPLIT_BOUND_MS;
    }

    /** The same if the host that is cut is that of the coordinators' leader: the next one is elected first. */
    final long boundMs(final boolean isLeaderStruck)
    {
        return boundMs() + (isLeaderStruck ? ELECTION_MS : 0);
    }

    /** As a person writes it. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void deafen(final Namespaces hosts, final int host)
    {
        for (int other = 0; other < hosts.count(); other++)
        {
            if (other != host)
            {
                hosts.cut(other, host);
            }
        }
    }

    private static void mute(final Namespaces hosts, final int host)
    {
        for (int other = 0; other < hosts.count(); other++)
        {
            if (other != host)
            {
                hosts.cut(host, other);
            }
        }
    }

    private static void cutCoordinators(final Namespaces hosts, final int host)
    {
        for (int other = 0; other < hosts.count() - 1; other++)
        {
            if (other != host)
            {
                hosts.cutFromCoordinators(other, host);
                hosts.cutFromCoordinators(host, other);
            }
        }
    }
}
