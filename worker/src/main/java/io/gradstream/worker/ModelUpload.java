// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.PartitionAnswer;
import io.gradstream.worker.client.Requests;
import io.gradstream.worker.client.Wait;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.model.ModelFile;
import io.gradstream.model.TableEntry;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.LongArrayList;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Loads the rows of a model file into a cluster by pushes of whole rows, a few of them outstanding at a time. */
final class ModelUpload
{
    /** Most bytes of rows in a push; a longer row is pushed alone. */
    private static final int MAX_PUSH_BYTES = 64 * 1024;
    /** Most pushes that are not acknowledged. */
    private static final int MAX_OUTSTANDING = 32;

    private static final String MISSING = "rows are not acknowledged";

    private final GradstreamClient face;
    private final Requests requests;
    private final PushRequest push;
    private final Wait wait;
    private final ExpandableArrayBuffer rows = new ExpandableArrayBuffer();
    private final LongArrayList keys = new LongArrayList();
    private final Queue<Long> outstanding = new ArrayDeque<>(MAX_OUTSTANDING);

    /**
     * An upload that has not begun.
     *
     * @param wait that gives up in time, and says what is missing.
     */
    ModelUpload(final GradstreamClient face, final Client client, final Wait wait)
    {
        this.face = face;
        this.wait = wait;
        requests = client.requests();
        push = new PushRequest(client.partitions());
    }

    /**
     * Check that the model may be loaded.
     *
     * @throws TableException        if another table with that id or name is there.
     * @throws IllegalStateException if a table has rows and may not be overwritten.
     */
    static void check(final ModelFile model, final boolean overwrite, final List<PartitionAnswer> answers)
    {
        for (final TableEntry table : model.tables())
        {
            long present = 0;
            for (final PartitionAnswer answer : answers)
            {
                for (final Map.Entry<TableSpec, PartitionAnswer.RowCounts> known : answer.tables().entrySet())
                {
                    present += rowsOfSame(table.spec(), known.getKey(), known.getValue().present());
                }
            }
            if (present > 0 && !overwrite)
            {
                throw new IllegalStateException("table '" + table.spec().name() + "' has " + present +
                    " rows already: load the model into another job, or overwrite; rows that the model does not" +
                    " have stay then");
            }
        }
    }

    private static long rowsOfSame(final TableSpec wanted, final TableSpec known, final long present)
    {
        if (wanted.equals(known))
        {
            return present;
        }
        if (wanted.tableId() == known.tableId() || wanted.name().equals(known.name()))
        {
            throw new TableException("table " + wanted.tableId() + " '" + wanted.name() + "' of the model is another" +
                " one than table " + known.tableId() + " '" + known.name() + "' that is there: it has " +
                wanted.difference(known) + "; load the model into another job", Refusal.TABLE_MISMATCH);
        }

        return 0;
    }

    void run(final ModelFile model)
    {
        for (final TableEntry table : model.tables())
        {
            face.createTable(table.spec());
        }
        for (final TableEntry table : model.tables())
        {
            upload(model, table);
        }
        while (!outstanding.isEmpty())
        {
            awaitOldest();
        }
    }

    private void upload(final ModelFile model, final TableEntry table)
    {
        final int rowLength = table.spec().valuesLength() + table.stateLength();
        final int maxRows = Math.max(1, MAX_PUSH_BYTES / (Long.BYTES + rowLength));
        for (long index = 0; index < table.rows(); index++)
        {
            model.row(table.spec().tableId(), index, rows, keys.size() * rowLength);
            keys.addLong(model.key(table.spec().tableId(), index));
            if (keys.size() == maxRows || index + 1 == table.rows())
            {
                push(table.spec(), rowLength);
                keys.clear();
            }
        }
    }

    private void push(final TableSpec spec, final int rowLength)
    {
        if (MAX_OUTSTANDING == outstanding.size())
        {
            awaitOldest();
        }
        push.of(spec, keys.toLongArray(), 0, keys.size()).wholeRows(rows, 0, rowLength);
        wait.until(MISSING, this::tryPush);
    }

    private boolean tryPush()
    {
        final long ticket = requests.tryPush(push, face.nowNs());
        return GradstreamClient.NOT_NOW != ticket && outstanding.add(ticket);
    }

    private void awaitOldest()
    {
        final long oldest = outstanding.remove();
        wait.until(MISSING, () -> face.isDone(oldest));
        // throws if it was refused
        face.await(oldest);
    }
}
