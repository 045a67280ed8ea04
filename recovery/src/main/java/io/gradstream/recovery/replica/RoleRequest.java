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
package io.gradstream.recovery.replica;

/**
 * What a replica tells the coordinator, again after {@link Replica#CLIMBED_RETRY_NS}, until that has decided about its
 * role.
 */
final class RoleRequest
{
    private final ReplicaReports reports;
    private final int partition;
    private boolean isTold;
    private long toldNs;

    RoleRequest(final ReplicaReports reports, final int partition)
    {
        this.reports = reports;
        this.partition = partition;
    }

    /** Something else is to be told from now on. */
    void restart()
    {
        isTold = false;
    }

    /** Tell that it waits for a role; returns 1 if it was told now. */
    int climbed(final long epoch, final long position, final long nowNs)
    {
        return isDue(nowNs) && reports.climbed(partition, epoch, position) ? told(nowNs) : 0;
    }

    /** Tell that it gives up its place as joiner; returns 1 if it was told now. */
    int leave(final long version, final long nowNs)
    {
        return isDue(nowNs) && reports.leave(partition, version) ? told(nowNs) : 0;
    }

    private boolean isDue(final long nowNs)
    {
        return !isTold || nowNs - toldNs >= Replica.CLIMBED_RETRY_NS;
    }

    private int told(final long nowNs)
    {
        isTold = true;
        toldNs = nowNs;

        return 1;
    }
}
