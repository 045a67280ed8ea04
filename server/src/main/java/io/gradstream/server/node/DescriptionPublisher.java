// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.DescriptionEncoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.server.node.PendingDescriptions.PendingDescription;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.partition.PartitionContents;
import org.agrona.ExpandableDirectByteBuffer;

/** Encodes what a partition has, a page at a time, and offers it to the worker that asked. */
final class DescriptionPublisher
{
    /** Most tables of one page; the rest follow in the next. */
    static final int MAX_TABLES = 64;
    /** Most slots of one page; the rest follow in the next. */
    static final int MAX_SLOTS = 512;
    /** Longest page: every response stream takes a message of this length. */
    static final int MAX_LENGTH = 64 * 1024;
    private static final int INITIAL_LENGTH = 1024;

    private final PendingPulls pulls;
    private final ExpandableDirectByteBuffer buffer = new ExpandableDirectByteBuffer(INITIAL_LENGTH);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final DescriptionEncoder description = new DescriptionEncoder();

    DescriptionPublisher(final PendingPulls pulls)
    {
        this.pulls = pulls;
    }

    /** Send the page that is asked for; false if it cannot be sent now. */
    boolean description(final PendingDescription question)
    {
        final PartitionContents contents = question.copy().contents();
        final Partition partition = question.copy().partition();
        final Chain chain = question.copy().replica().chain();
        final int firstTable = Math.min(question.firstTable(), contents.tableCount());
        final int tables = Math.min(MAX_TABLES, contents.tableCount() - firstTable);
        final int nextSlot = slotAfter(contents, question.firstSlot());
        final boolean isLast = firstTable + tables == contents.tableCount() && PartitionContents.END == nextSlot;
        description.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch())
            .position(partition.cursor().position())
            .requestId(question.requestId())
            .partition(partition.partition())
            .nextTable(firstTable + tables)
            .nextSlot(nextSlot)
            .joiner(chain.joiner())
            .wanted(chain.wanted())
            .last((short)(isLast ? 1 : 0))
            .heldNs(pulls.heldNs(question.copy()));
        final DescriptionEncoder.MembersEncoder members = description.membersCount(chain.members().size());
        chain.members().forEach((nodeId) -> members.next().nodeId(nodeId));
        encodeTables(contents, firstTable, tables);
        encodeSlots(contents, question.firstSlot());

        return question.connection().responses().offer(
            buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + description.encodedLength());
    }

    private void encodeTables(final PartitionContents contents, final int first, final int count)
    {
        final DescriptionEncoder.TablesEncoder tables = description.tablesCount(count);
        for (int i = first; i < first + count; i++)
        {
            final TableSpec spec = contents.tableSpec(i);
            tables.next()
                .rows(spec.rows())
                .rowsPresent(contents.rowsPresent(i))
                .initialiserSeed(spec.initialiserSeed())
                .tableId(spec.tableId())
                .dim(spec.dim())
                .initialiserScale(spec.initialiserScale())
                .elementType((short)spec.elementType().code())
                .initialiser((short)spec.initialiser())
                .rowsNotFinite(contents.rowsNotFinite(i))
                .name(spec.name())
                .function(spec.function());
        }
    }

    private void encodeSlots(final PartitionContents contents, final int first)
    {
        int count = 0;
        for (int slot = contents.nextSlot(first); isOnPage(slot, count); slot = contents.nextSlot(slot + 1))
        {
            count++;
        }
        final DescriptionEncoder.SlotsEncoder slots = description.slotsCount(count);
        int slot = contents.nextSlot(first);
        for (int i = 0; i < count; i++)
        {
            slots.next()
                .incarnation(contents.incarnation(slot))
                .clock(contents.clock(slot))
                .lastSequence(contents.lastSequence(slot))
                .slot(slot)
                .ended(contents.ended(slot));
            slot = contents.nextSlot(slot + 1);
        }
    }

    private static int slotAfter(final PartitionContents contents, final int first)
    {
        int slot = contents.nextSlot(first);
        for (int count = 0; isOnPage(slot, count); count++)
        {
            slot = contents.nextSlot(slot + 1);
        }

        return slot;
    }

    private static boolean isOnPage(final int slot, final int count)
    {
        return PartitionContents.END != slot && count < MAX_SLOTS;
    }
}
