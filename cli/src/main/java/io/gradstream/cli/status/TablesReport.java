// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClusterDescription.SlotDescription;
import io.gradstream.worker.ClusterDescription.TableDescription;
import io.gradstream.worker.ClusterDescription;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tables and slots as their servers describe them, as a part of the status.
 */
final class TablesReport
{
    private static final int MAX_NAME_WIDTH = 24;
    private static final int MAX_FUNCTION_WIDTH = 28;
    private static final String TABLE_FORMAT =
        "%6s  %-" + MAX_NAME_WIDTH + "s  %-7s  %5s  %12s  %12s  %10s  %-" + MAX_FUNCTION_WIDTH + "s%n";
    private static final String SLOT_FORMAT = "%6s  %20s  %12s  %12s  %12s%n";

    private final StatusSample sample;

    TablesReport(final StatusSample sample)
    {
        this.sample = sample;
    }

    void append(final StringBuilder text)
    {
        final ClusterDescription description = sample.description();
        if (null == description || !sample.isWithTables())
        {
            return;
        }
        text.append(String.format(Locale.ROOT, "%n" + TABLE_FORMAT,
            "table", "name", "type", "dim", "rows", "present", "not finite", "function"));
        for (final TableDescription table : description.tables())
        {
            final TableSpec spec = table.spec();
            text.append(String.format(Locale.ROOT, TABLE_FORMAT, spec.tableId(), cut(spec.name(), MAX_NAME_WIDTH),
                spec.elementType(), spec.dim(), 0 == spec.rows() ? "sparse" : spec.rows(), table.rowsPresent(),
                table.rowsNotFinite(), cut(spec.function(), MAX_FUNCTION_WIDTH)));
        }
        text.append(String.format(Locale.ROOT, "%n" + SLOT_FORMAT, "slot", "incarnation", "clock", "ended", "parts"));
        for (final SlotDescription slot : description.slots())
        {
            text.append(String.format(Locale.ROOT, SLOT_FORMAT, slot.slot(), slot.incarnation(),
                clock(slot.clock()), clock(slot.ended()), slot.parts()));
        }
        for (final int partition : description.undescribed())
        {
            final int head = sample.chain(partition).head();
            text.append(String.format(Locale.ROOT, "partition %d: %s%n", partition, head < 0 ? "no primary" :
                "no answer from its primary " + head + " within " +
                StatusSession.DESCRIBE_TIMEOUT_NS / 1_000_000_000 + " s"));
        }
    }

    void append(final Map<String, Object> json)
    {
        final ClusterDescription description = sample.description();
        if (null == description)
        {
            json.put("tables", null);
            json.put("slots", null);
            json.put("undescribed", null);
            return;
        }
        json.put("tables", description.tables().stream().map(TablesReport::table).toList());
        json.put("slots", description.slots().stream().map(TablesReport::slot).toList());
        json.put("undescribed", description.undescribed());
    }

    private static Map<String, Object> table(final TableDescription table)
    {
        final TableSpec spec = table.spec();
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", spec.tableId());
        json.put("name", spec.name());
        json.put("system", spec.isSystem());
        json.put("elementType", spec.elementType().name());
        json.put("dim", spec.dim());
        json.put("rows", spec.rows());
        json.put("rowsPresent", table.rowsPresent());
        json.put("rowsNotFinite", table.rowsNotFinite());
        json.put("partitions", table.partitions());
        json.put("function", spec.function());

        return json;
    }

    private static Map<String, Object> slot(final SlotDescription slot)
    {
        final List<Long> lastSequences = slot.lastSequences();
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", slot.slot());
        json.put("incarnation", slot.incarnation());
        json.put("clock", slot.clock());
        json.put("ended", slot.ended());
        json.put("parts", slot.parts());
        json.put("lastSequences", lastSequences);

        return json;
    }

    private static String clock(final long clock)
    {
        return Consistency.FINISHED == clock ? "finished" : Long.toString(clock);
    }

    private static String cut(final String text, final int width)
    {
        return text.length() <= width ? text : text.substring(0, width - 3) + "...";
    }
}
