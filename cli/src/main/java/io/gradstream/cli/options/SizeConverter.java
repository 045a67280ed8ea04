// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import org.agrona.SystemUtil;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a number of bytes, which may end with k, m or g. */
public final class SizeConverter implements ITypeConverter<Long>
{
    @Override
    public Long convert(final String value)
    {
        try
        {
            final long bytes = SystemUtil.parseSize("size", value.trim());
            if (bytes >= 0)
            {
                return bytes;
            }
        }
        catch (final NumberFormatException | IndexOutOfBoundsException ignore)
        {
            // the message below says what is allowed
        }
        throw new TypeConversionException("'" + value + "' must be a number of bytes (1048576, 512k, 50m, 1g)");
    }
}
