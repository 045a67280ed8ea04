// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.function.Supplier;

/** Something the user asked for cannot be done as asked. The message is one line that says what to do; exit code 2. */
public final class UsageException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public UsageException(final String message)
    {
        super(message);
    }

    /** Refuses what the user asked for, with a line that says what to do, if a condition is true. */
    public static void refuseIf(final boolean isWrong, final String message)
    {
        if (isWrong)
        {
            throw new UsageException(message);
        }
    }

    /** The value that a library makes of an option; where the library refuses a setting, the option is refused. */
    public static <T> T refusing(final Supplier<T> value)
    {
        try
        {
            return value.get();
        }
        catch (final IllegalArgumentException ex)
        {
            // the command's options are put in the place of settings where it says what was wrong
            throw new UsageException(ex.getMessage());
        }
    }
}
