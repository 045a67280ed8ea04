// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.launcher.kills.KillTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration into milliseconds. */
public final class DurationConverter implements ITypeConverter<Long>
{
    @Override
    public Long convert(final String value)
    {
        try
        {
            final KillTime time = KillTime.parse("0".equals(value.trim()) ? "0s" : value);
            if (time.isTime())
            {
                return time.afterMs();
            }
        }
        catch (final IllegalArgumentException ignore)
        {
            // the message below names what is allowed here
        }
        throw new TypeConversionException("'" + value + "' must be a duration (10s, 500ms, 1m; at most a day)");
    }
}
