// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Names a process within the names of the files it makes, so that a later process can prove that the owner is dead and
 * remove what a kill left.
 * <p>
 * A token is {@code scope-pid-start}: a hash of the boot and the namespace in which process ids count, the process id,
 * and when the process started, in the kernel's ticks since boot, because ids are used again. None of it depends on the
 * wall clock.
 */
public final class ProcessToken
{
    /** The form of a file name that begins with a prefix and a token, the token's parts as groups. */
    private static final Pattern PARTS = Pattern.compile("([0-9a-z]{1,7})-([0-9]{1,10})-([0-9]{1,19})(-.*)?");

    private static final Path PROC = Path.of("/proc");
    private static final String UNKNOWN = "0";
    private static final int STATE_FIELD = 0;
    private static final int THREADS_FIELD = 17;
    private static final int START_FIELD = 19;
    private static final Set<String> ENDED_STATES = Set.of("Z", "X");
    private static final String ONE_THREAD = "1";

    private ProcessToken()
    {
    }

    /** The token of this process, such as {@code 1a2b3c-4711-123456}. */
    public static String own()
    {
        final long pid = ProcessHandle.current().pid();
        return scope() + '-' + pid + '-' + startOf(pid);
    }

    /** A short text that is the same for all processes that see each other's process ids. */
    public static String scope()
    {
        final CRC32 crc = new CRC32();
        crc.update((read(PROC.resolve("sys/kernel/random/boot_id")) + link(PROC.resolve("self/ns/pid")))
            .getBytes(StandardCharsets.UTF_8));
        return Long.toString(crc.getValue(), Character.MAX_RADIX);
    }

    /**
     * True if the process that a name's token names is proved dead.
     *
     * @param nameFromToken on: what follows the prefix in a file's name.
     * @return false if the process lives, if it cannot be seen from here, or if the name begins with no token.
     */
    public static boolean isDead(final String nameFromToken)
    {
        final Matcher parts = PARTS.matcher(nameFromToken);
        return parts.matches() && parts.group(1).equals(scope()) && !isOfLivingProcess(parts);
    }

    /** True if this begins with the token of a process that lives in this PID namespace. */
    static boolean isOfLivingProcess(final String nameFromToken)
    {
        final Matcher parts = PARTS.matcher(nameFromToken);
        return parts.matches() && parts.group(1).equals(scope()) && isOfLivingProcess(parts);
    }

    private static boolean isOfLivingProcess(final Matcher parts)
    {
        final long pid = Long.parseLong(parts.group(2));
        return isAlive(pid) && (parts.group(3).equals(UNKNOWN) || parts.group(3).equals(startOf(pid)));
    }

    /** True if a process of this PID namespace runs. A zombie, whose parent has not asked how it ended, does not. */
    static boolean isAlive(final long pid)
    {
        return pid > 0 && ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false) && !isZombie(pid);
    }

    private static boolean isZombie(final long pid)
    {
        final String[] fields = statOf(pid);
        // the first thread of a process that lives may have ended
        return ENDED_STATES.contains(fields[STATE_FIELD]) && fields.length > THREADS_FIELD &&
            ONE_THREAD.equals(fields[THREADS_FIELD]);
    }

    private static String startOf(final long pid)
    {
        final String[] fields = statOf(pid);
        return fields.length > START_FIELD && !fields[STATE_FIELD].isEmpty() ? fields[START_FIELD] : UNKNOWN;
    }

    private static String[] statOf(final long pid)
    {
        final String stat = read(PROC.resolve(Long.toString(pid)).resolve("stat"));
        // the name before ')' may hold anything, spaces too
        return stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file).trim();
        }
        catch (final IOException ex)
        {
            // not Linux, or the process ended
            return "";
        }
    }

    private static String link(final Path file)
    {
        try
        {
            return Files.readSymbolicLink(file).toString();
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            return "";
        }
    }
}
