// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ContextCheckTest
{
    record Wrong(HostDriver.Context ctx, String message)
    {
    }

    static Stream<Wrong> wrongSettings()
    {
        return Stream.of(
            new Wrong(ctx().mtuLength(100), "invalid mtuLength=100: must be a multiple of 32 from 1024 to 65504" +
                " (1472 fits Ethernet), or 0 for what fits the interface"),
            new Wrong(ctx().mtuLength(8191), "invalid mtuLength=8191: must be a multiple of 32 from 1024 to 65504" +
                " (1472 fits Ethernet), or 0 for what fits the interface"),
            new Wrong(ctx().termLength(100_000),
                "invalid termLength=100000: must be a power of two in 65536..67108864"),
            new Wrong(ctx().segmentFileLength(65536),
                "invalid segmentFileLength=65536: must be a power of two in 1048576..1073741824"),
            new Wrong(ctx().fileSyncLevel(3), "invalid fileSyncLevel=3: must be 0..2"),
            new Wrong(ctx().archiveControlPort(65536), "invalid archiveControlPort=65536: must be 0..65535"),
            new Wrong(ctx().maxSleepNs(100_000_001), "invalid maxSleepNs=100000001: must be 0..100000000"),
            new Wrong(ctx().maxLogs(0), "invalid maxLogs=0: must be 1..4096"),
            new Wrong(ctx().minFreeBytes(-1), "invalid minFreeBytes=-1: must be 0..9223372036854775807"),
            new Wrong(ctx().maxConcurrentRecordings(0), "invalid maxConcurrentRecordings=0: must be 1..4096"),
            new Wrong(ctx().socketBufferLength(1), "invalid socketBufferLength=1: must be 65504..67108864"),
            new Wrong(ctx().profile(null), "invalid profile=null: must be set"),
            new Wrong(ctx().aeronDirectory(Path.of("/")), "invalid aeronDirectory=/: must not be a root directory"),
            new Wrong(ctx().aeronDirectory(Path.of("/a")).archiveDirectory(Path.of("/a/b")),
                "invalid archiveDirectory=/a/b: must not be inside aeronDirectory=/a, which is deleted at each stop"));
    }

    private static HostDriver.Context ctx()
    {
        return new HostDriver.Context();
    }

    @ParameterizedTest
    @MethodSource("wrongSettings")
    void shouldNameSettingValueAndWhatIsAllowedWhenWrong(final Wrong wrong)
    {
        assertThatThrownBy(wrong.ctx()::conclude)
            .isInstanceOf(IllegalArgumentException.class).hasMessage(wrong.message());
    }

    @Test
    void shouldChooseAnAeronDirectoryOfItsOwnWhenNoneIsSet()
    {
        assertThat(ctx().conclude().aeronDirectory).isNotEqualTo(ctx().conclude().aeronDirectory);
    }

    @Test
    void shouldRefuseWhenConcludedTwice()
    {
        final HostDriver.Context concluded = ctx().conclude();
        assertThatThrownBy(concluded::conclude).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldReserveCountersByTheNumberOfLogs()
    {
        assertThat(AeronSettings.counterValuesLength(1)).isEqualTo(1 << 20);
        assertThat(AeronSettings.counterValuesLength(129)).isEqualTo(2 << 20);
        assertThat(AeronSettings.counterValuesLength(ContextCheck.MAX_LOGS)).isEqualTo(32 << 20);
    }

    @Test
    void shouldListProfilesWhenNameIsUnknown()
    {
        assertThat(DriverProfile.parse("Latency")).isEqualTo(DriverProfile.LATENCY);
        assertThatThrownBy(() -> DriverProfile.parse("fast"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("invalid profile=fast: must be one of dev, latency");
    }
}
