// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.agrona.SystemUtil;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of docs/CONFIGURATION.md, against the properties that the modules read.
 */
class ConfigurationTableTest
{
    private static final String NAME = "_PROP_NAME";
    private static final Pattern ROW =
        Pattern.compile("^\\| `([a-z.]+)`(?: \\*)? \\| (\\S+) \\| ([^|]+) \\|", Pattern.MULTILINE);

    @Test
    void shouldListEachPropertyWithItsDefaultAndUnit() throws IOException, ReflectiveOperationException
    {
        final TreeMap<String, Object> expected = new TreeMap<>();
        for (final JavaField field : new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.gradstream").stream().flatMap((type) -> type.getFields().stream())
            .filter((each) -> each.getName().endsWith(NAME)).toList())
        {
            final Class<?> owner = field.getOwner().reflect();
            final String setting = field.getName().substring(0, field.getName().length() - NAME.length());
            final boolean isTime = field.getOwner().tryGetField(setting + "_DEFAULT_NS").isPresent();
            final Object value = owner.getField(setting + (isTime ? "_DEFAULT_NS" : "_DEFAULT")).get(null);
            final boolean isNumber = !isTime && value instanceof Number;
            expected.put((String)owner.getField(field.getName()).get(null),
                isTime ? value + " time" : isNumber ? ((Number)value).longValue() + " number" : value + " word");
        }

        final TreeMap<String, Object> listed = new TreeMap<>();
        final Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "CONFIGURATION.md")));
        while (row.find())
        {
            assertThat(listed.put(row.group(1), parsed(row.group(1), row.group(2), row.group(3))))
                .as(row.group(1) + " a second time").isNull();
        }

        assertThat(listed).hasSizeGreaterThan(20).isEqualTo(expected);
    }

    private static String parsed(final String name, final String value, final String unit)
    {
        return switch (unit)
        {
            case "time" -> SystemUtil.parseDuration(name, value) + " time";
            case "bytes", "number" -> SystemUtil.parseSize(name, value) + " number";
            default ->
            {
                assertThat(unit).as(name).contains("`" + value + "`");
                yield value + " word";
            }
        };
    }
}
