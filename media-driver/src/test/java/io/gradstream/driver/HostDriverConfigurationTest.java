// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.architecture.ConfigurationContract;

import java.util.stream.Stream;

/**
 * The properties of a host's settings.
 */
class HostDriverConfigurationTest extends ConfigurationContract
{
    @Override
    protected Stream<Setting> settings()
    {
        return Stream.of(
            new Setting("gradstream.driver.profile", () -> ctx().profile, "latency", DriverProfile.LATENCY,
                "fast", "dev or latency"),
            new Setting("gradstream.driver.mtu.length", () -> ctx().mtuLength, "1472", 1472, "1471",
                "a multiple of 32 from 1024 to 65504 (1472 fits Ethernet), or 0 for what fits the interface"),
            new Setting("gradstream.driver.max.logs", () -> ctx().maxLogs, "128", 128, "4097",
                "a number such as 1000, 64k, 8m or 1g, 1 to 4k"),
            new Setting("gradstream.driver.file.sync.level", () -> ctx().fileSyncLevel, "2", 2, "3",
                "a number such as 1000, 64k, 8m or 1g, 0 to 2"),
            new Setting("gradstream.driver.min.free.bytes", () -> ctx().minFreeBytes, "1g", 1L << 30, "-1",
                "a number such as 1000, 64k, 8m or 1g, 0 or more"),
            new Setting("gradstream.driver.socket.buffer.length", () -> ctx().socketBufferLength, "4m", 4 << 20, "65m",
                "a number such as 1000, 64k, 8m or 1g, 65504 to 64m"));
    }

    @Override
    protected Class<?> configuration()
    {
        return HostDriver.Configuration.class;
    }

    private static HostDriver.Context ctx()
    {
        return new HostDriver.Context();
    }
}
