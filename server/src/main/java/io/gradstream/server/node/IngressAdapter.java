// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.WireFrames;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.DescribeDecoder;
import io.gradstream.codecs.wire.DisconnectDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.KeepAliveDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.OutcomesKnownDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.SnapshotWantedDecoder;
import io.gradstream.codecs.wire.TakeModelDecoder;
import org.agrona.DirectBuffer;

/** Checks the structure of what workers send, decodes it, and makes one call of it. */
public final class IngressAdapter
{
    private final WorkerRequests requests;
    private final WireFrames frames = new WireFrames();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ConnectDecoder connect = new ConnectDecoder();
    private final HelloDecoder hello = new HelloDecoder();
    private final CreateTableDecoder createTable = new CreateTableDecoder();
    private final PushDecoder push = new PushDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final PullDecoder pull = new PullDecoder();
    private final KeepAliveDecoder keepAlive = new KeepAliveDecoder();
    private final SnapshotWantedDecoder snapshotWanted = new SnapshotWantedDecoder();
    private final OutcomesKnownDecoder outcomesKnown = new OutcomesKnownDecoder();
    private final TakeModelDecoder takeModel = new TakeModelDecoder();
    private final DescribeDecoder describe = new DescribeDecoder();
    private final DisconnectDecoder disconnect = new DisconnectDecoder();

    IngressAdapter(final WorkerRequests requests)
    {
        this.requests = requests;
    }

    /** Take a message; false if it cannot be taken now and must come again. */
    public boolean onMessage(final int sessionId, final DirectBuffer buffer, final int offset, final int length)
    {
        final Refusal problem = frames.checkFromWorker(buffer, offset, length);
        if (Refusal.NONE != problem && Refusal.TOO_LARGE != problem)
        {
            return requests.onMalformed(WireFrames.isOfOtherVersion(buffer, offset, length));
        }

        return switch (WireFrames.templateId(buffer, offset))
        {
            case ConnectDecoder.TEMPLATE_ID ->
                requests.onConnect(sessionId, connect.wrapAndApplyHeader(buffer, offset, header));
            case HelloDecoder.TEMPLATE_ID ->
                requests.onHello(sessionId, hello.wrapAndApplyHeader(buffer, offset, header));
            case CreateTableDecoder.TEMPLATE_ID ->
                requests.onCreateTable(sessionId, createTable.wrapAndApplyHeader(buffer, offset, header));
            case PushDecoder.TEMPLATE_ID ->
                requests.onPush(sessionId, push.wrapAndApplyHeader(buffer, offset, header), offset + length);
            case ClockDoneDecoder.TEMPLATE_ID ->
                requests.onClockDone(sessionId, clockDone.wrapAndApplyHeader(buffer, offset, header));
            case PullDecoder.TEMPLATE_ID ->
                requests.onPull(sessionId, pull.wrapAndApplyHeader(buffer, offset, header), offset + length, problem);
            case KeepAliveDecoder.TEMPLATE_ID ->
                requests.onKeepAlive(sessionId, keepAlive.wrapAndApplyHeader(buffer, offset, header));
            case SnapshotWantedDecoder.TEMPLATE_ID ->
                requests.onSnapshotWanted(sessionId, snapshotWanted.wrapAndApplyHeader(buffer, offset, header));
            case OutcomesKnownDecoder.TEMPLATE_ID ->
                requests.onOutcomesKnown(sessionId, outcomesKnown.wrapAndApplyHeader(buffer, offset, header));
            case DescribeDecoder.TEMPLATE_ID ->
                requests.onDescribe(sessionId, describe.wrapAndApplyHeader(buffer, offset, header));
            case TakeModelDecoder.TEMPLATE_ID ->
                requests.onTakeModel(sessionId, takeModel.wrapAndApplyHeader(buffer, offset, header));
            case DisconnectDecoder.TEMPLATE_ID ->
                requests.onDisconnect(sessionId, disconnect.wrapAndApplyHeader(buffer, offset, header));
            default -> requests.onMalformed(false);
        };
    }
}
