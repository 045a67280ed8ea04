// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionConnectRequestDecoder;
import io.aeron.logbuffer.FragmentHandler;
import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.driver.HostDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A member that takes requests and whose answers do not come in.
 */
@Timeout(40)
class UnansweredSessionTest
{
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long ASK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final List<String> asked = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SessionConnectRequestDecoder request = new SessionConnectRequestDecoder();
    private long nowNs;

    @Test
    void shouldAskForAnswersAtAnotherPortOnceNoneCame() throws IOException
    {
        final List<String> asks = ask();

        assertThat(asks.get(0)).isEqualTo(asks.get(1));
        assertThat(asks.get(2)).isNotEqualTo(asks.get(0));
    }

    private List<String> ask() throws IOException
    {
        final String endpoint = FreePorts.members(1).get(0);
        try (HostDriver host = HostDriver.launch(
            new HostDriver.Context().maxLogs(4).maxSleepNs(TimeUnit.MILLISECONDS.toNanos(1)));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(host.aeronDirectoryName()));
            Subscription ingress = aeron.addSubscription(
                "aeron:udp?endpoint=" + endpoint, AeronCluster.Configuration.INGRESS_STREAM_ID_DEFAULT);
            ClusterSession session = new ClusterSession(new ClusterSession.Context()
                .aeron(aeron)
                .endpoints(List.of(endpoint))
                .responseEndpoint("127.0.0.1:0")
                .listener((buffer, offset, length) -> {})))
        {
            awaitAsked(session, ingress, 1);
            nowNs += ASK_INTERVAL_NS;
            awaitAsked(session, ingress, 2);
            nowNs += ANSWER_TIMEOUT_NS;
            awaitAsked(session, ingress, 3);

            return List.copyOf(asked);
        }
    }

    private void awaitAsked(final ClusterSession session, final Subscription ingress, final int times)
    {
        final FragmentHandler taker = (buffer, offset, length, frame) ->
            asked.add(request.wrapAndApplyHeader(buffer, offset, header).responseChannel());
        while (asked.size() < times)
        {
            session.poll(nowNs);
            ingress.poll(taker, 10);
            Thread.yield();
        }
    }
}
