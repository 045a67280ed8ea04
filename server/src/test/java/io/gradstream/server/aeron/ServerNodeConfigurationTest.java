// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.gradstream.architecture.ConfigurationContract;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.driver.DriverProfile;
import io.gradstream.recovery.chain.ChainTiming;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The properties of a node's settings.
 */
class ServerNodeConfigurationTest extends ConfigurationContract
{
    @Override
    protected Stream<Setting> settings()
    {
        return Stream.of(
            new Setting("gradstream.driver.profile", () -> ctx().profile, "latency", DriverProfile.LATENCY,
                "fast", "dev or latency"),
            new Setting("gradstream.driver.mtu.length", () -> ctx().mtuLength, "1472", 1472, "1000",
                "a multiple of 32 from 1024 to 65504 (1472 fits Ethernet), or 0 for what fits the interface"),
            new Setting("gradstream.server.snapshot.log.bytes", () -> ctx().snapshotLogBytes, "1g", 1L << 30, "0",
                "a number such as 1000, 64k, 8m or 1g, 1 or more"),
            new Setting("gradstream.server.recovery.time", () -> ctx().recoveryTimeNs, "10s",
                TimeUnit.SECONDS.toNanos(10), "2h", "a time such as 2s, 250ms or 100us, 0ns to 3600s"),
            new Setting("gradstream.server.snapshot.interval", () -> ctx().snapshotIntervalNs(RecoveryMode.CHAIN),
                "250ms", TimeUnit.MILLISECONDS.toNanos(250), "-1s", "a time such as 2s, 250ms or 100us, 0ns or more"),
            new Setting("gradstream.server.keep.log.all", () -> ctx().keepLogAll, "true", true, "1", "true or false"),
            new Setting("gradstream.server.held.bytes", () -> ctx().heldBytesPerPartition(2), "64m", 32L << 20, "513m",
                "a number such as 1000, 64k, 8m or 1g, 0 to 512m"),
            new Setting("gradstream.server.sum.cycles", () -> ctx().sumCycles, "true", true, "1", "true or false"),
            new Setting("gradstream.server.response.term.length", () -> ctx().responseTermLength, "2m", 2 << 20, "3m",
                "a power of two such as 1024, 64k or 8m, 1m to 64m"),
            new Setting("gradstream.server.max.connections", () -> ctx().maxConnections, "512", 512, "3",
                "a number such as 1000, 64k, 8m or 1g, 4 to 4k"),
            new Setting("gradstream.server.worker.timeout", () -> ctx().workerTimeoutNs, "1s",
                TimeUnit.SECONDS.toNanos(1), "1h", "a time such as 2s, 250ms or 100us, 1ns or more"),
            new Setting("gradstream.server.move.bandwidth", () -> ctx().moveBandwidth, "16m", 16L << 20, "fast",
                "a number such as 1000, 64k, 8m or 1g, 0 or more"),
            new Setting("gradstream.server.chain.timing", () -> ctx().chainTiming, "quiet", ChainTiming.QUIET,
                "QUIET", "quiet or shared"));
    }

    @Override
    protected Class<?> configuration()
    {
        return ServerNode.Configuration.class;
    }

    @Test
    void shouldTakeSnapshotsBySomeIntervalOnlyWhereTheyAreAllThereIs()
    {
        assertThat(ctx().snapshotIntervalNs(RecoveryMode.CHAIN)).isEqualTo(0);
        assertThat(ctx().snapshotIntervalNs(RecoveryMode.CHECKPOINT))
            .isEqualTo(ServerNode.Configuration.SNAPSHOT_INTERVAL_DEFAULT_NS);
    }

    @Test
    void shouldRefuseAnEndpointThatNoReportHolds()
    {
        final String longest = "h".repeat(ClusterMapCodec.MAX_ENDPOINT_LENGTH - 2) + ":1";
        assertThatThrownBy(() -> ctx().ingressEndpoint("h" + longest).check())
            .hasMessageContaining("invalid ingressEndpoint=hh").hasMessageContaining("at most 255 characters");
        assertThatThrownBy(() -> ctx().ingressEndpoint(longest).check()).hasMessageContaining("invalid coordinators");
    }

    private static ServerNode.Context ctx()
    {
        return new ServerNode.Context();
    }
}
