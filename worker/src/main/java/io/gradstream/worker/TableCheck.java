/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.client.PartitionAnswer;

import java.util.ArrayList;
import java.util.List;

/**
 * Compares a table that is to be opened with what every partition has.
 */
final class TableCheck
{
    private TableCheck()
    {
    }

    /**
     * @throws TableException if a partition has no such table, or has it with another specification.
     */
    static void require(final TableSpec spec, final List<PartitionAnswer> answers)
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
