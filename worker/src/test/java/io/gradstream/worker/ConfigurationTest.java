// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.architecture.ConfigurationContract;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The properties of a client's settings.
 */
class ConfigurationTest extends ConfigurationContract
{
    private static final String NUMBER = "a number such as 1000, 64k, 8m or 1g, 1 ";
    private static final String POWER = "a power of two such as 1024, 64k or 8m, ";
    private static final String TIME = "a time such as 2s, 250ms or 100us, 1ns or more";

    @Override
    protected Stream<Setting> settings()
    {
        return Stream.of(
            new Setting("gradstream.worker.spool.bytes", () -> ctx().spoolBytesPerPartition, "4m", 4 << 20, "3m",
                POWER + "1k to 1g"),
            new Setting("gradstream.worker.spool.total.bytes", () -> ctx().spoolTotalBytes, "64m", 64L << 20, "-1",
                "a number such as 1000, 64k, 8m or 1g, 0 or more"),
            new Setting("gradstream.worker.max.in.flight", () -> ctx().maxInFlight, "7", 7, "1",
                "a number such as 1000, 64k, 8m or 1g, 2 to 2147483647"),
            new Setting("gradstream.worker.max.tickets", () -> ctx().maxTickets, "64k", 65536, "1000",
                POWER + "2 to 1g"),
            new Setting("gradstream.worker.max.pulls", () -> ctx().maxPullsPerPartition, "9", 9, "2g",
                NUMBER + "to 2147483647"),
            new Setting("gradstream.worker.row.cache.bytes", () -> ctx().rowCacheBytesPerTable, "1g", 1L << 30, "0",
                NUMBER + "or more"),
            new Setting("gradstream.worker.operation.timeout", () -> ctx().operationTimeoutNs, "5s",
                TimeUnit.SECONDS.toNanos(5), "30", TIME),
            new Setting("gradstream.worker.server.probe", () -> ctx().serverProbeNs, "100us",
                TimeUnit.MICROSECONDS.toNanos(100), "0ms", TIME),
            new Setting("gradstream.worker.server.timeout", () -> ctx().serverTimeoutNs, "77ns", 77L, "s", TIME),
            new Setting("gradstream.worker.term.length", () -> ctx().termLength, "2m", 2 << 20, "32k",
                POWER + "64k to 1g"),
            new Setting("gradstream.worker.mtu", () -> ctx().mtu, "1472", 1472, "65536",
                "a multiple of 32 from 1024 to 65504 (1472 fits Ethernet), or 0 for what fits the interface"));
    }

    @Override
    protected Class<?> configuration()
    {
        return Configuration.class;
    }

    private static ClientContext ctx()
    {
        return new ClientContext();
    }
}
