// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.aeron.ErrorCode;
import io.aeron.exceptions.RegistrationException;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.client.OpenFiles;
import io.gradstream.launcher.ProcessEndedException;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import static io.gradstream.driver.client.HostDriverException.Reason.NO_SPACE;

/**
 * Reports the failure of a command: by its exit code and one line.
 * <p>
 * A file system without room has an exit code of its own. Our own check refuses a start without room, and the media
 * driver refuses a stream later; the exit code of a child of {@code train} that had no room is passed on.
 */
public final class Failures
{
    /** Exit code of a run that failed. */
    public static final int EXIT_FAILED = 1;
    /** Exit code of a command that was not understood or whose input cannot be used. */
    public static final int EXIT_USAGE = 2;
    /** Exit code of a command whose Aeron directory, or the one it records in, has no room. */
    public static final int EXIT_NO_SPACE = 3;

    private static final int MAX_CAUSES = 8;
    private static final char REPLACEMENT = 0xFFFD;

    private Failures()
    {
    }

    /** The exit code of a failure that is not the user's. */
    public static int exitCodeOf(final Throwable thrown)
    {
        return null != findNoSpace(thrown) ? EXIT_NO_SPACE : EXIT_FAILED;
    }

    /** Advice on a failure whose message gives none; may be empty. */
    public static String adviceFor(final Throwable thrown)
    {
        if (OpenFiles.isLimitReached(thrown) && !oneLine(thrown).contains(OpenFiles.REMEDY))
        {
            return ": " + OpenFiles.REMEDY;
        }

        return findNoSpace(thrown) instanceof RegistrationException ? ": the Aeron directory has no room for another" +
            " stream; enlarge its file system (in a container --shm-size), or choose another directory" +
            " (--aeron-dir)" : "";
    }

    /** An exception and its causes in one line. */
    public static String oneLine(final Throwable thrown)
    {
        final StringBuilder line = new StringBuilder();
        String last = "";
        for (final Throwable cause : causes(thrown))
        {
            final String message = message(cause);
            if (!last.contains(message))
            {
                line.append(line.isEmpty() ? "" : ": ").append(message);
                last = message;
            }
        }

        return line.toString().replaceAll("\\s*\\R\\s*", " ");
    }

    private static List<Throwable> causes(final Throwable thrown)
    {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES).toList();
    }

    /**
     * The path that a name stands for.
     *
     * @throws UsageException if there is none, as where the locale does not have its letters.
     */
    public static Path path(final String name)
    {
        final Path path;
        try
        {
            path = Path.of(name);
        }
        catch (final InvalidPathException ex)
        {
            throw new UsageException("no file can have the name '" + name + "' here (" + ex.getReason() +
                "): if it has letters beyond ASCII, set the locale, as with LANG=C.UTF-8");
        }
        // the character stands for bytes that cannot be decoded, and which are no longer known
        UsageException.refuseIf(name.indexOf(REPLACEMENT) >= 0 && !Files.exists(path),
            "'" + name + "': the name has a byte that is no text in UTF-8, and cannot be" +
                " opened here: rename the file");
        return path;
    }

    /** The message of an exception, with a reason where it is a path alone, as of many failures of files. */
    private static String message(final Throwable thrown)
    {
        if (null == thrown.getMessage())
        {
            return thrown.getClass().getSimpleName();
        }
        if (!(thrown instanceof final FileSystemException file) || null != file.getReason())
        {
            return thrown.getMessage();
        }
        final String what = thrown instanceof NoSuchFileException ? "no such file or directory" :
            thrown instanceof AccessDeniedException ? "no permission" :
            thrown instanceof FileAlreadyExistsException ? "is there already" :
            thrown instanceof DirectoryNotEmptyException ? "is not empty" : thrown.getClass().getSimpleName();

        return thrown.getMessage() + ": " + what;
    }

    private static Throwable findNoSpace(final Throwable thrown)
    {
        return causes(thrown).stream().filter(Failures::isNoSpace).findFirst().orElse(null);
    }

    private static boolean isNoSpace(final Throwable thrown)
    {
        if (thrown instanceof final RegistrationException refused)
        {
            return ErrorCode.STORAGE_SPACE == refused.errorCode();
        }
        if (thrown instanceof final ProcessEndedException ended)
        {
            return EXIT_NO_SPACE == ended.exitCode();
        }

        return thrown instanceof final HostDriverException host && NO_SPACE == host.reason();
    }
}
