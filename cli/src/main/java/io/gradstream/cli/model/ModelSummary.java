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
package io.gradstream.cli.model;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.gradstream.codecs.Consistency;
import io.gradstream.worker.model.ModelFile;
import io.gradstream.worker.model.ModelOrigin;
import io.gradstream.worker.model.TableEntry;

import java.time.Instant;

/**
 * Says what a model file holds, as text and as JSON.
 */
final class ModelSummary
{
    private final ModelFile model;

    ModelSummary(final ModelFile model)
    {
        this.model = model;
    }

    String text()
    {
        final ModelOrigin origin = model.origin();
        final StringBuilder text = new StringBuilder(String.format(
            "job %d, clock %s, %d partitions of %d servers, taken out %s%n", origin.jobId(), clock(origin.clock()),
            origin.partitions(), origin.servers(), Instant.ofEpochMilli(origin.exportedAtMs())));
        text.append(String.format("%-6s %-24s %12s %6s %-8s %12s  %s%n",
            "table", "name", "rows", "dim", "type", "state bytes", "function"));
        for (final TableEntry table : model.tables())
        {
            text.append(String.format("%-6d %-24s %12d %6d %-8s %12d  %s%n", table.spec().tableId(),
                table.spec().name(), table.rows(), table.spec().dim(), table.spec().elementType(),
                table.stateLength(), table.spec().function()));
        }

        return text.append("parametersSha256 ").append(model.parametersSha256()).append(System.lineSeparator())
            .toString();
    }

    String json()
    {
        final ModelOrigin origin = model.origin();
        final JsonObject json = new JsonObject();
        json.addProperty("job", origin.jobId());
        json.addProperty("clock", Consistency.FINISHED == origin.clock() ? -1 : origin.clock());
        json.addProperty("partitions", origin.partitions());
        json.addProperty("servers", origin.servers());
        json.addProperty("exportedAtMs", origin.exportedAtMs());
        final JsonArray tables = new JsonArray();
        for (final TableEntry table : model.tables())
        {
            final JsonObject entry = new JsonObject();
            entry.addProperty("table", table.spec().tableId());
            entry.addProperty("name", table.spec().name());
            entry.addProperty("rows", table.rows());
            entry.addProperty("dim", table.spec().dim());
            entry.addProperty("type", table.spec().elementType().toString());
            entry.addProperty("stateBytes", table.stateLength());
            entry.addProperty("function", table.spec().function());
            tables.add(entry);
        }
        json.add("tables", tables);
        json.addProperty("parametersSha256", model.parametersSha256());

        return json.toString();
    }

    private static String clock(final long clock)
    {
        return ModelOrigin.NO_CLOCK == clock ? "none" :
            Consistency.FINISHED == clock ? "finished" : Long.toString(clock);
    }
}
