// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Prints the ten slowest test classes of a build, from the reports of all modules.
 */
public final class SlowestTests
{
    private static final int SHOWN = 10;
    private static final String[] REPORTS = {
        "target/surefire-reports", "target/surefire-reports/alone",
        "target/failsafe-reports", "target/failsafe-reports/alone"};

    private SlowestTests()
    {
    }

    /** Time of one test class in seconds. */
    record TestClass(String name, double seconds)
    {
    }

    /**
     * Print them.
     *
     * @param args root of the build; instant at which the build began, as ISO 8601. Older reports are left out.
     * @throws IOException if a report cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final List<TestClass> classes = read(Path.of(args[0]), Instant.parse(args[1]));
        if (classes.isEmpty())
        {
            return;
        }
        final double sum = classes.stream().mapToDouble(TestClass::seconds).sum();
        System.out.printf(Locale.ROOT, "The slowest of %d test classes, of %.0f s in all:%n", classes.size(), sum);
        classes.stream().limit(SHOWN).forEach((each) ->
            System.out.printf(Locale.ROOT, "%7.1f s  %s%n", each.seconds, each.name));
    }

    /** Test classes whose reports were written after that instant, slowest first. */
    static List<TestClass> read(final Path root, final Instant since) throws IOException
    {
        final List<TestClass> classes = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root))
        {
            for (final Path module : modules.toList())
            {
                for (final String reports : REPORTS)
                {
                    if (Files.isDirectory(module.resolve(reports)))
                    {
                        add(module.resolve(reports), since, classes);
                    }
                }
            }
        }
        classes.sort(Comparator.comparingDouble(TestClass::seconds).reversed());
        return classes;
    }

    private static void add(final Path reports, final Instant since, final List<TestClass> classes) throws IOException
    {
        try (Stream<Path> files = Files.list(reports))
        {
            for (final Path file : files.toList())
            {
                if (file.getFileName().toString().startsWith("TEST-") &&
                    !Files.getLastModifiedTime(file).toInstant().isBefore(since))
                {
                    classes.add(testClass(file));
                }
            }
        }
    }

    private static TestClass testClass(final Path file) throws IOException
    {
        try (InputStream in = Files.newInputStream(file))
        {
            final XMLStreamReader xml = XMLInputFactory.newFactory().createXMLStreamReader(in);
            xml.nextTag();
            return new TestClass(
                xml.getAttributeValue(null, "name"), Double.parseDouble(xml.getAttributeValue(null, "time")));
        }
        catch (final XMLStreamException ex)
        {
            throw new IOException(file + " is no test report", ex);
        }
    }
}
