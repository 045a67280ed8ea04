// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.coordinator.session.MemberEndpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MemberCheckTest
{
    record Wrong(Runnable conclude, String message)
    {
    }

    static Stream<Wrong> wrongSettings()
    {
        return Stream.of(
            wrong(member().members(null), "invalid members=null: must be set"),
            wrong(member().members(List.of("a:1", "b:1")), "invalid members=[a:1, b:1]: must be 1 or 3 of host:port"),
            wrong(member().members(List.of("a")), "invalid members=a: must be host:port, port 1..65531"),
            wrong(member().members(List.of("a:x")), "invalid members=a:x: must be host:port, port 1..65531"),
            wrong(member().members(List.of("a:0")), "invalid members=a:0: must be host:port, port 1..65531"),
            wrong(member().members(List.of("a:65532")), "invalid members=a:65532: must be host:port, port 1..65531"),
            wrong(member().members(List.of("a:1|x")), "invalid members=a:1|x: must be host:port, port 1..65531"),
            wrong(member().members(Arrays.asList("a:1", null, "b:1")),
                "invalid members=null: must be host:port, port 1..65531"),
            wrong(member().members(List.of("a:1", "b:1", "a:5")),
                "invalid members=[a:1, b:1, a:5]: each member needs 5 consecutive ports of its own, from its port on"),
            wrong(member().memberId(1), "invalid memberId=1: must be 0..0"),
            wrong(member().dir(null), "invalid dir=null: must be set"),
            wrong(member().profile(null), "invalid profile=null: must be set"),
            wrong(member().timing(null), "invalid timing=null: must be set"),
            wrong(member().snapshotIntervalNs(0),
                "invalid snapshotIntervalNs=0: must be 1..9223372036854775807"),
            wrong(member().service(null), "invalid service=null: must be set"),
            wrong(member().terminationHook(null), "invalid terminationHook=null: must be set"),
            wrong(member().errorLog(null), "invalid errorLog=null: must be set"),
            wrong(member().errorHandler(null), "invalid errorHandler=null: must be set"),
            new Wrong(() -> new ClusterSession.Context().conclude(), "invalid aeron=null: must be set"),
            new Wrong(() -> new ClusterTiming(10, 19, 1, 1, 40, 40),
                "invalid heartbeatTimeoutNs=19: must be 20..4611686018427387903"),
            new Wrong(() -> new ClusterTiming(10, 20, 1, 2, 40, 40), "invalid statusIntervalNs=2: must be 1..1"),
            new Wrong(() -> new ClusterTiming(10, 20, 1, 1, 39, 40),
                "invalid startupCanvassNs=39: must be 40..9223372036854775807"));
    }

    private static Wrong wrong(final ClusterMember.Context ctx, final String message)
    {
        return new Wrong(ctx::conclude, message);
    }

    private static ClusterMember.Context member()
    {
        return new ClusterMember.Context()
            .members(List.of("127.0.0.1:9000"))
            .dir(Path.of("x"))
            .service(new CountingService());
    }

    @ParameterizedTest
    @MethodSource("wrongSettings")
    void shouldNameSettingValueAndWhatIsAllowedWhenWrong(final Wrong wrong)
    {
        assertThatThrownBy(wrong.conclude()::run)
            .isInstanceOf(IllegalArgumentException.class).hasMessage(wrong.message());
    }

    @Test
    void shouldRefuseWhenConcludedTwice()
    {
        final ClusterMember.Context concluded = member().conclude();
        assertThatThrownBy(concluded::conclude).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldListenOnFiveConsecutivePorts()
    {
        assertThat(MemberEndpoint.clusterMembers(MemberEndpoint.parseAll("members", List.of("[::1]:9000"))))
            .isEqualTo("0,[::1]:9000,[::1]:9001,[::1]:9002,[::1]:9003,[::1]:9004|");
    }

    @Test
    void shouldRefuseACommandThatIsTooLong() throws Exception
    {
        try (TestClient client = new TestClient(FreePorts.members(1)))
        {
            final int length = ClusterSession.MAX_MESSAGE_LENGTH + 1;
            assertThat(client.session().offer(new UnsafeBuffer(new byte[1]), 0, 1)).isFalse();
            assertThatThrownBy(() -> client.session().offer(new UnsafeBuffer(new byte[length]), 0, length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("invalid length=131041: must be 0..131040");
        }
    }
}
