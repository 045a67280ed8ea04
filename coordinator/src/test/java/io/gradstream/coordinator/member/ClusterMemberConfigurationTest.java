// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.gradstream.architecture.ConfigurationContract;
import io.gradstream.driver.DriverProfile;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The properties of a coordinator's settings.
 */
class ClusterMemberConfigurationTest extends ConfigurationContract
{
    @Override
    protected Stream<Setting> settings()
    {
        return Stream.of(
            new Setting("gradstream.driver.profile", () -> ctx().profile, "latency", DriverProfile.LATENCY,
                "LATENCY", "dev or latency"),
            new Setting("gradstream.driver.mtu.length", () -> ctx().mtuLength, "8k", 8192, "4294967296",
                "a multiple of 32 from 1024 to 65504 (1472 fits Ethernet), or 0 for what fits the interface"),
            new Setting("gradstream.coordinator.timing", () -> ctx().timing, "quiet", ClusterTiming.QUIET,
                "fast", "quiet or shared"),
            new Setting("gradstream.coordinator.snapshot.interval", () -> ctx().snapshotIntervalNs, "90s",
                TimeUnit.SECONDS.toNanos(90), "0s", "a time such as 2s, 250ms or 100us, 1ns or more"),
            new Setting("gradstream.coordinator.sync", () -> ctx().isSynced, "true", true, "yes", "true or false"));
    }

    @Override
    protected Class<?> configuration()
    {
        return ClusterMember.Configuration.class;
    }

    private static ClusterMember.Context ctx()
    {
        return new ClusterMember.Context();
    }
}
