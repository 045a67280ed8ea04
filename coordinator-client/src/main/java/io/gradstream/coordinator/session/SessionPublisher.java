// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import io.aeron.ExclusivePublication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.AdminRequestEncoder;
import io.aeron.cluster.codecs.AdminRequestType;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionCloseRequestEncoder;
import io.aeron.cluster.codecs.SessionConnectRequestEncoder;
import io.aeron.cluster.codecs.SessionKeepAliveEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes what a session says to the cluster; each call is one offer, and its result is the publication's. */
final class SessionPublisher
{
    static final int HEADER_LENGTH = AeronCluster.SESSION_HEADER_LENGTH;

    private static final byte[] NOTHING = new byte[0];

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_LENGTH]);
    private final MessageHeaderEncoder messageHeader = new MessageHeaderEncoder();
    private final SessionMessageHeaderEncoder sessionHeader = new SessionMessageHeaderEncoder();
    private final SessionConnectRequestEncoder connectRequest = new SessionConnectRequestEncoder();
    private final SessionCloseRequestEncoder closeRequest = new SessionCloseRequestEncoder();
    private final SessionKeepAliveEncoder keepAlive = new SessionKeepAliveEncoder();
    private final AdminRequestEncoder adminRequest = new AdminRequestEncoder();

    long connect(
        final ExclusivePublication publication,
        final long correlationId,
        final int responseStreamId,
        final String responseChannel)
    {
        connectRequest.wrapAndApplyHeader(buffer, 0, messageHeader)
            .correlationId(correlationId)
            .responseStreamId(responseStreamId)
            .version(AeronCluster.Configuration.PROTOCOL_SEMANTIC_VERSION)
            .responseChannel(responseChannel)
            .putEncodedCredentials(NOTHING, 0, 0)
            .clientInfo("name=gradstream");
        return publication.offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + connectRequest.encodedLength());
    }

    long message(
        final ExclusivePublication publication,
        final long termId,
        final long sessionId,
        final DirectBuffer message,
        final int offset,
        final int length)
    {
        sessionHeader.wrapAndApplyHeader(header, 0, messageHeader)
            .leadershipTermId(termId)
            .clusterSessionId(sessionId)
            .timestamp(0);
        return publication.offer(header, 0, HEADER_LENGTH, message, offset, length, null);
    }

    long keepAlive(final ExclusivePublication publication, final long termId, final long sessionId)
    {
        keepAlive.wrapAndApplyHeader(buffer, 0, messageHeader)
            .leadershipTermId(termId)
            .clusterSessionId(sessionId);
        return publication.offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + keepAlive.encodedLength());
    }

    /**
     * Ask the leader for a sign of life. A leader answers each request for administration of a session it knows, this
     * one by refusing it: it names nothing to be done. There is no other message that a leader must answer.
     */
    long signOfLife(
        final ExclusivePublication publication, final long termId, final long sessionId, final long correlationId)
    {
        adminRequest.wrapAndApplyHeader(buffer, 0, messageHeader)
            .leadershipTermId(termId)
            .clusterSessionId(sessionId)
            .correlationId(correlationId)
            .requestType(AdminRequestType.NULL_VAL)
            .putPayload(NOTHING, 0, 0);
        return publication.offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + adminRequest.encodedLength());
    }

    long close(final ExclusivePublication publication, final long termId, final long sessionId)
    {
        closeRequest.wrapAndApplyHeader(buffer, 0, messageHeader)
            .leadershipTermId(termId)
            .clusterSessionId(sessionId);
        return publication.offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + closeRequest.encodedLength());
    }
}
