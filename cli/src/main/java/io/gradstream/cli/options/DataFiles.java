// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Names of data files as a user gives them: of files, directories, patterns, pipes.
 * <p>
 * A directory stands for all files in it, a pattern ({@code *}, {@code ?}, {@code [...]} in the last part of a name)
 * for all that it matches, in the order of their names. In both, names that begin with {@code .} or {@code _} are left
 * out, as other programs use them for files that are no data.
 */
public final class DataFiles
{
    /** Most files that one name stands for. */
    public static final int MAX_FILES = 10_000;

    /** Most commas in one name. */
    private static final int MAX_COMMAS = 16;

    private static final String WILDCARDS = "*?[";
    private static final List<Path> OPEN_FILES = List.of(Path.of("/dev/stdin"), Path.of("/dev/stdout"),
        Path.of("/dev/stderr"), Path.of("/dev/fd"), Path.of("/proc/self/fd"));

    private DataFiles()
    {
    }

    /**
     * Join names that a comma in them has cut, and replace {@code /dev/stdin} by the file that it stands for, if any.
     *
     * @param parts as an option's commas have cut them.
     * @return the names; the same if they are given again.
     */
    public static List<Path> named(final List<Path> parts)
    {
        final List<Path> names = new ArrayList<>();
        final boolean isCut = parts.stream().anyMatch((part) -> !isKnown(part));
        int at = 0;
        while (at < parts.size())
        {
            int end = isCut ? Math.min(parts.size(), at + 1 + MAX_COMMAS) : at + 1;
            Path name = joined(parts, at, end);
            while (end > at + 1 && !Files.exists(name))
            {
                name = joined(parts, at, --end);
            }
            names.add(behind(name));
            at = end;
        }
        return names;
    }

    /**
     * Refuse names that stand for nothing that can be read.
     *
     * @param option that has them.
     * @param names  as {@link #named} has put them together.
     */
    public static void check(final String option, final List<Path> names)
    {
        for (final Path name : names)
        {
            try
            {
                expand(name);
            }
            catch (final UsageException ex)
            {
                throw new UsageException("--" + option + " " + ex.getMessage());
            }
        }
    }

    /** Refuse what can be read only once. */
    public static void checkReadAgain(final String option, final List<Path> names)
    {
        names.stream().filter(DataFiles::isStream).findFirst().ifPresent((name) ->
        {
            throw new UsageException("--" + option + " " + name + ": is a pipe or a device, which is read once, but" +
                " train and each of its workers read the data: write them to a file first");
        });
    }

    /** The files that names stand for. */
    public static List<Path> expanded(final List<Path> names)
    {
        return names.stream().flatMap((name) -> expand(name).stream()).toList();
    }

    /** True if a path is there and is neither a file nor a directory: a pipe or a device. */
    public static boolean isStream(final Path path)
    {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    /** True if output to this path goes to what is there already: a pipe, a device, or a file that is open. */
    public static boolean isOpenOutput(final Path path)
    {
        return isStream(path) || (isOpenFile(path) && Files.exists(path) && !Files.isDirectory(path));
    }

    private static boolean isOpenFile(final Path path)
    {
        return OPEN_FILES.stream().anyMatch(path::startsWith);
    }

    private static List<Path> expand(final Path name)
    {
        UsageException.refuseIf(name.toString().isBlank() || name.toString().endsWith(",") && !Files.exists(name),
            "'" + name + "': a name is empty: is a variable not set, or a comma too many?");
        if (Files.isDirectory(name))
        {
            return inDirectory(name);
        }
        if (!Files.exists(name) && hasWildcards(name))
        {
            return matching(name);
        }
        UsageException.refuseIf(!Files.exists(name) || !Files.isReadable(name),
            name + ": no such file, or not readable" +
                (name.isAbsolute() ? "" : "; it is looked for in " + Path.of("").toAbsolutePath()));
        return List.of(name);
    }

    private static List<Path> inDirectory(final Path directory)
    {
        final List<Path> entries = list(directory, (entry) -> true);
        for (final Path entry : entries)
        {
            UsageException.refuseIf(!Files.isRegularFile(entry) || !Files.isReadable(entry),
                directory + ": all files of this directory would be read, but " + entry +
                    " is " + (Files.isDirectory(entry) ? "a directory" : "no readable file") +
                    ": name the files, or a pattern: '" + directory.resolve("*.svm") + "'");
        }
        UsageException.refuseIf(entries.isEmpty(), directory + ": is a directory without files that could be read");
        return entries;
    }

    private static List<Path> matching(final Path pattern)
    {
        final Path parent = null == pattern.getParent() ? Path.of("") : pattern.getParent();
        UsageException.refuseIf(hasWildcards(parent) || !Files.isDirectory(parent),
            pattern + ": no such file; as a pattern it may have *, ? and [...] in its last" +
                " part only, in a directory that is there");
        final String last = pattern.getFileName().toString().replaceAll("[\\\\{}]", "\\\\$0");
        final PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + last);
        final List<Path> entries = list(parent, (entry) -> matcher.matches(entry.getFileName()) &&
            Files.isRegularFile(entry) && Files.isReadable(entry));
        UsageException.refuseIf(entries.isEmpty(), pattern + ": no file matches this pattern");
        return entries;
    }

    private static List<Path> list(final Path directory, final DirectoryStream.Filter<Path> filter)
    {
        final List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, filter))
        {
            for (final Path entry : all)
            {
                final String name = entry.getFileName().toString();
                if (!name.startsWith(".") && !name.startsWith("_"))
                {
                    entries.add(entry);
                }
                UsageException.refuseIf(entries.size() > MAX_FILES,
                    directory + ": more than " + MAX_FILES + " files: put several into one");
            }
        }
        catch (final IOException | UncheckedIOException ex)
        {
            throw new UsageException(directory + ": cannot be listed: " + Failures.oneLine(ex));
        }
        entries.sort(null);
        return entries;
    }

    private static boolean isKnown(final Path part)
    {
        return !part.toString().isEmpty() && (Files.exists(part) || hasWildcards(part));
    }

    private static boolean hasWildcards(final Path path)
    {
        return path.toString().chars().anyMatch((c) -> WILDCARDS.indexOf(c) >= 0);
    }

    private static Path joined(final List<Path> parts, final int begin, final int end)
    {
        return Path.of(String.join(",", Stream.iterate(begin, (i) -> i < end, (i) -> i + 1)
            .map((i) -> parts.get(i).toString()).toList()));
    }

    /** The file that a name stands for: other processes, which have another standard input, take the file. */
    private static Path behind(final Path name)
    {
        if (!isOpenFile(name) || !Files.isRegularFile(name))
        {
            return name;
        }
        try
        {
            return name.toRealPath();
        }
        catch (final IOException ex)
        {
            return name;
        }
    }
}
