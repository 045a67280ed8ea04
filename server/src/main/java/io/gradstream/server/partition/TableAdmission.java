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
package io.gradstream.server.partition;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.function.UpdateFunctions;

/**
 * Judges tables that workers want before they are logged, and says in a sentence why one is refused.
 */
final class TableAdmission
{
    private final PartitionState state;
    private String reason = "";

    TableAdmission(final PartitionState state)
    {
        this.state = state;
    }

    /**
     * May this table be created? One that is there with the same specification is not refused.
     */
    Refusal check(final TableSpec spec)
    {
        final RowTable known = state.table(spec.tableId());
        if (null != known)
        {
            return known.spec().equals(spec) ? Refusal.NONE : refuse(Refusal.TABLE_MISMATCH,
                "table " + spec.tableId() + " is there already: it has " + known.spec().difference(spec) +
                "; use that specification or another tableId");
        }
        final String problem = problem(spec);
        if (null != problem)
        {
            return refuse(Refusal.INVALID_TABLE, problem);
        }
        for (final RowTable table : state.tables())
        {
            if (table.spec().name().equals(spec.name()))
            {
                return refuse(Refusal.TABLE_MISMATCH, "table " + table.spec().tableId() +
                    " has this name: choose another name");
            }
        }

        return Refusal.NONE;
    }

    /**
     * Why the last table that was refused was refused.
     */
    String reason()
    {
        return reason;
    }

    private Refusal refuse(final Refusal refusal, final String why)
    {
        reason = why;
        return refusal;
    }

    private static String problem(final TableSpec spec)
    {
        final String problem = spec.problem();
        if (null != problem)
        {
            return problem;
        }
        try
        {
            return UpdateFunctions.parse(spec.function()).supports(spec.elementType()) ? null :
                "function='" + spec.function() + "' cannot update elementType=" + spec.elementType();
        }
        catch (final IllegalArgumentException ex)
        {
            return ex.getMessage();
        }
    }
}
