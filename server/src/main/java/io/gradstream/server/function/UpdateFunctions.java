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
package io.gradstream.server.function;

import java.util.HashMap;
import java.util.Map;

/**
 * Makes update functions from their text: name, slash, version, then parameters, such as
 * {@code ftrl/1 alpha=0.1 beta=1.0 l1=1.0 l2=1.0}. Adding an optimizer is one class and one line here. Every function
 * for floats takes the guards {@code clip=C}, but for assign, which has no gradient, and {@code refuse-non-finite}.
 */
public final class UpdateFunctions
{
    private static final String REFUSE_NON_FINITE = "refuse-non-finite";

    private UpdateFunctions()
    {
    }

    /**
     * The function for a text.
     *
     * @throws IllegalArgumentException if the name, the version or a parameter is unknown, missing or out of range.
     */
    public static UpdateFunction parse(final String text)
    {
        final String[] words = text.trim().split("\\s+");
        final Parameters parameters = new Parameters(text, words);
        final UpdateFunction function = switch (words[0])
        {
            case "add/1" -> new Add();
            case "assign/1" -> new Assign();
            case "sgd/1" -> new Sgd(parameters.positive("rate"));
            case "ftrl/1" -> new Ftrl(
                parameters.positive("alpha"),
                parameters.notNegative("beta"),
                parameters.notNegative("l1"),
                parameters.notNegative("l2"));
            default -> throw new IllegalArgumentException("unknown update function '" + words[0] +
                "': must be add/1, assign/1, sgd/1 rate=R or ftrl/1 alpha=A beta=B l1=L l2=L");
        };
        final float clip = parameters.has("clip") && !(function instanceof Assign) ?
            parameters.positive("clip") : Float.POSITIVE_INFINITY;
        parameters.requireAllUsed();

        return clip < Float.POSITIVE_INFINITY || parameters.refusesNonFinite() ?
            new Guarded(function, clip, parameters.refusesNonFinite()) : function;
    }

    private static final class Parameters
    {
        private final String text;
        private final Map<String, Float> byName = new HashMap<>();
        private boolean refusesNonFinite;

        Parameters(final String text, final String[] words)
        {
            this.text = text;
            for (int i = 1; i < words.length; i++)
            {
                if (REFUSE_NON_FINITE.equals(words[i]))
                {
                    refusesNonFinite = true;
                    continue;
                }
                final int equals = words[i].indexOf('=');
                try
                {
                    byName.put(words[i].substring(0, equals), Float.parseFloat(words[i].substring(equals + 1)));
                }
                catch (final IndexOutOfBoundsException | NumberFormatException ex)
                {
                    throw new IllegalArgumentException(
                        "invalid function='" + text + "': '" + words[i] + "' must be name=number or " +
                        REFUSE_NON_FINITE, ex);
                }
            }
        }

        boolean has(final String name)
        {
            return byName.containsKey(name);
        }

        boolean refusesNonFinite()
        {
            return refusesNonFinite;
        }

        float positive(final String name)
        {
            final float value = notNegative(name);
            if (0f == value)
            {
                throw new IllegalArgumentException("invalid function='" + text + "': " + name + " must be above 0");
            }
            return value;
        }

        float notNegative(final String name)
        {
            final Float value = byName.remove(name);
            if (null == value || !Float.isFinite(value) || value < 0)
            {
                throw new IllegalArgumentException(
                    "invalid function='" + text + "': " + name + "=" + value + " must be 0 or above");
            }
            return value;
        }

        void requireAllUsed()
        {
            if (!byName.isEmpty())
            {
                throw new IllegalArgumentException(
                    "invalid function='" + text + "': unknown parameters " + byName.keySet());
            }
        }
    }
}
