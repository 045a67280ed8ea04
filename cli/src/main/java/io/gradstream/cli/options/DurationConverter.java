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
package io.gradstream.cli.options;

import io.gradstream.launcher.kills.KillTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a duration into milliseconds.
 */
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
