// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.aeron.cluster.client.AeronCluster;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/** The name of a message, which the SBE header at its beginning tells. */
final class MessageKind
{
    /** Messages within a process: to its Archive, to its log, and between the two halves of a coordinator. */
    static final String LOCAL = "local";
    /** Frames with no header that this class knows. */
    static final String OTHER = "other";

    private static final int HEADER_LENGTH = 8;
    private static final int TEMPLATE_OFFSET = 2;
    private static final int SCHEMA_OFFSET = 4;
    private static final int TEMPLATE_BITS = 16;
    private static final int UNSIGNED_SHORT = 0xFFFF;
    private static final int CLUSTER_SCHEMA = io.aeron.cluster.codecs.MessageHeaderDecoder.SCHEMA_ID;
    private static final int SESSION_MESSAGE = io.aeron.cluster.codecs.SessionMessageHeaderDecoder.TEMPLATE_ID;
    private static final int SCHEDULE_TIMER = io.aeron.cluster.codecs.ScheduleTimerDecoder.TEMPLATE_ID;
    private static final int ARCHIVE_SCHEMA = io.aeron.archive.codecs.MessageHeaderDecoder.SCHEMA_ID;
    private static final int WIRE_SCHEMA = io.gradstream.codecs.wire.MessageHeaderDecoder.SCHEMA_ID;
    private static final int LOG_SCHEMA = io.gradstream.codecs.log.MessageHeaderDecoder.SCHEMA_ID;
    private static final int CHAIN_SCHEMA = io.gradstream.codecs.chain.MessageHeaderDecoder.SCHEMA_ID;
    private static final int COORDINATOR_SCHEMA = io.gradstream.codecs.coordinator.MessageHeaderDecoder.SCHEMA_ID;
    private static final Map<Integer, String> NAMES = new HashMap<>();

    static
    {
        names(CLUSTER_SCHEMA, "2 SessionEvent", "3 SessionConnectRequest", "5 SessionKeepAlive", "6 NewLeaderEvent",
            "20 TimerEvent", "21 SessionOpenEvent", "22 SessionCloseEvent", "23 ClusterActionRequest",
            "24 NewLeadershipTermEvent", "26 AdminRequest", "27 AdminResponse");
        names(WIRE_SCHEMA, "1 Connect", "2 Hello", "3 CreateTable", "4 Push", "5 ClockDone", "6 Pull", "7 KeepAlive",
            "21 Connected", "22 Welcome", "23 Watermarks", "25 TableCreated", "26 Refused");
        names(CHAIN_SCHEMA, "1 Heartbeat", "2 Attach", "3 Progress", "11 AttachAnswer", "12 Forward",
            "13 SnapshotFrame");
        names(COORDINATOR_SCHEMA, "1 DefineJob", "2 NodeReport", "8 StatusRequest", "9 Follow", "12 WorkerReach",
            "16 Ask", "18 DrainNode", "19 TakeSlot", "20 LeaveSlot", "21 Map", "22 Status", "23 Answer",
            "24 SlotTaken", "25 WorkReport", "26 Work", "27 CreateJob", "28 DeleteJob");
    }

    private MessageKind()
    {
    }

    /** The name of the message, or of the system to which it belongs. */
    static String of(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER_LENGTH)
        {
            return OTHER;
        }
        final int template = buffer.getShort(offset + TEMPLATE_OFFSET, ByteOrder.LITTLE_ENDIAN) & UNSIGNED_SHORT;
        final int schema = buffer.getShort(offset + SCHEMA_OFFSET, ByteOrder.LITTLE_ENDIAN) & UNSIGNED_SHORT;
        if (CLUSTER_SCHEMA == schema && SESSION_MESSAGE == template)
        {
            final int skipped = AeronCluster.SESSION_HEADER_LENGTH;
            return of(buffer, offset + skipped, length - skipped);
        }
        if (ARCHIVE_SCHEMA == schema || LOG_SCHEMA == schema || CLUSTER_SCHEMA == schema && SCHEDULE_TIMER == template)
        {
            return LOCAL;
        }

        return NAMES.getOrDefault(key(schema, template), CLUSTER_SCHEMA == schema ? "of Aeron Cluster" : OTHER);
    }

    private static void names(final int schema, final String... numbered)
    {
        for (final String entry : numbered)
        {
            final int blank = entry.indexOf(' ');
            NAMES.put(key(schema, Integer.parseInt(entry.substring(0, blank))), entry.substring(blank + 1));
        }
    }

    private static int key(final int schema, final int template)
    {
        return schema << TEMPLATE_BITS | template;
    }
}
