// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.cluster.codecs.AdminResponseDecoder;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeaderEventDecoder;
import io.aeron.cluster.codecs.SessionEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;

/** Decodes what members say to a client into calls, one for each kind of message. */
final class SessionAdapter
{
    /** Told what members say. */
    interface Listener
    {
        void onSessionEvent(SessionEventDecoder event, EventCode code, Image image);

        void onNewLeader(long sessionId, long termId, int leaderId, Image image);

        void onSignOfLife(long sessionId);

        void onMessage(long sessionId, DirectBuffer buffer, int offset, int length);
    }

    private static final int FRAGMENT_LIMIT = 32;

    private final Listener listener;
    private final FragmentAssembler assembler = new FragmentAssembler(this::onFragment);
    private final MessageHeaderDecoder messageHeader = new MessageHeaderDecoder();
    private final SessionEventDecoder sessionEvent = new SessionEventDecoder();
    private final NewLeaderEventDecoder newLeader = new NewLeaderEventDecoder();
    private final AdminResponseDecoder adminResponse = new AdminResponseDecoder();
    private final SessionMessageHeaderDecoder sessionHeader = new SessionMessageHeaderDecoder();

    SessionAdapter(final Listener listener)
    {
        this.listener = listener;
    }

    int poll(final Subscription subscription)
    {
        return subscription.poll(assembler, FRAGMENT_LIMIT);
    }

    /** Forget parts of messages whose rest will not come. */
    void clear()
    {
        assembler.clear();
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        messageHeader.wrap(buffer, offset);
        if (MessageHeaderDecoder.SCHEMA_ID != messageHeader.schemaId())
        {
            return;
        }

        switch (messageHeader.templateId())
        {
            case SessionMessageHeaderDecoder.TEMPLATE_ID -> onMessage(buffer, offset, length);
            case SessionEventDecoder.TEMPLATE_ID -> onSessionEvent(buffer, offset, header);
            case NewLeaderEventDecoder.TEMPLATE_ID -> onNewLeader(buffer, offset, header);
            case AdminResponseDecoder.TEMPLATE_ID -> onAdminResponse(buffer, offset);
            default ->
            {
                // Challenges, which only a cluster with other authentication than ours sends.
            }
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        sessionHeader.wrapAndApplyHeader(buffer, offset, messageHeader);
        listener.onMessage(
            sessionHeader.clusterSessionId(),
            buffer,
            offset + SessionPublisher.HEADER_LENGTH,
            length - SessionPublisher.HEADER_LENGTH);
    }

    private void onSessionEvent(final DirectBuffer buffer, final int offset, final Header header)
    {
        sessionEvent.wrapAndApplyHeader(buffer, offset, messageHeader);
        listener.onSessionEvent(sessionEvent, sessionEvent.code(), (Image)header.context());
    }

    private void onNewLeader(final DirectBuffer buffer, final int offset, final Header header)
    {
        newLeader.wrapAndApplyHeader(buffer, offset, messageHeader);
        listener.onNewLeader(
            newLeader.clusterSessionId(),
            newLeader.leadershipTermId(),
            newLeader.leaderMemberId(),
            (Image)header.context());
    }

    private void onAdminResponse(final DirectBuffer buffer, final int offset)
    {
        adminResponse.wrapAndApplyHeader(buffer, offset, messageHeader);
        listener.onSignOfLife(adminResponse.clusterSessionId());
    }
}
