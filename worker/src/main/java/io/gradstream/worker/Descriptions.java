// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.PartitionAnswer;

import java.util.ArrayList;
import java.util.List;

/**
 * Asks every partition for its description, waits for the answers, and compares a table that is to be opened with them.
 */
final class Descriptions
{
    private final ClientContext context;
    private final Client client;
    private final BlockingCalls calls;

    Descriptions(final ClientContext context, final Client client, final BlockingCalls calls)
    {
        this.context = context;
        this.client = client;
        this.calls = calls;
    }

    /**
     * All partitions' answers.
     *
     * @param what the caller does, for the error.
     * @return an answer of each, complete.
     * @throws OperationTimeoutException if a partition does not answer within the operation timeout; it names all that
     *                                   did not.
     */
    List<PartitionAnswer> await(final String what)
    {
        final List<PartitionAnswer> answers = await(context.operationTimeoutNs);
        final List<Integer> silent = silent(answers);
        if (!silent.isEmpty())
        {
            throw new OperationTimeoutException(what + ": no answer from partitions " + silent + " within " +
                context.operationTimeoutNs / 1_000_000 + " ms" + client.describe(calls.nowNs()));
        }

        return answers;
    }

    /** Partitions that have not answered whole. */
    static List<Integer> silent(final List<PartitionAnswer> answers)
    {
        return answers.stream().filter((answer) -> !answer.isComplete())
            .map((answer) -> answer.partition()).toList();
    }

    /**
     * The answers that partitions give in time.
     *
     * @param timeoutNs how long.
     * @return an answer of each partition; an answer that is not complete has no content.
     */
    List<PartitionAnswer> await(final long timeoutNs)
    {
        client.descriptions().begin(client.partitions());
        calls.await("a description", client.descriptions()::isComplete, calls.deadlineNs(timeoutNs));

        return client.descriptions().end();
    }

    /**
     * Compare a table that is to be opened with the tables of every partition.
     *
     * @throws TableException if a partition has no such table, or has it with another specification.
     */
    static void requireTable(final TableSpec spec, final List<PartitionAnswer> answers)
    {
        final List<Integer> missing = new ArrayList<>();
        String sameName = "";
        for (final PartitionAnswer answer : answers)
        {
            boolean isThere = false;
            for (final TableSpec known : answer.tables().keySet())
            {
                if (known.tableId() == spec.tableId())
                {
                    isThere = true;
                    requireSame(known, spec, answer);
                }
                else if (known.name().equals(spec.name()))
                {
                    sameName = "table " + known.tableId() + " has this name: open that one, or ";
                }
            }
            if (!isThere)
            {
                missing.add(answer.partition());
            }
        }
        if (!missing.isEmpty())
        {
            throw new TableException("table " + spec.tableId() + " '" + spec.name() + "' is not there at partitions " +
                missing + ": " + sameName + "create it with createTable first", Refusal.NO_SUCH_TABLE);
        }
    }

    private static void requireSame(final TableSpec known, final TableSpec spec, final PartitionAnswer answer)
    {
        if (!known.equals(spec))
        {
            throw new TableException("table " + spec.tableId() + " '" + spec.name() + "' at partition=" +
                answer.partition() + " is another one: it has " + known.difference(spec) +
                "; open it as it is, see describe()", Refusal.TABLE_MISMATCH);
        }
    }
}
