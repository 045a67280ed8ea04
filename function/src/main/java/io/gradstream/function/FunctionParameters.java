// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.function;

/** The parameters in the text of an update function, {@code name=number}, as 32-bit floats. Each is taken once. */
public interface FunctionParameters
{
    /**
     * A number above 0.
     *
     * @throws IllegalArgumentException if it is missing, or another.
     */
    float positive(String name);

    /**
     * A number above 0, or a default.
     *
     * @throws IllegalArgumentException if it is another.
     */
    float positive(String name, float otherwise);

    /**
     * A finite number, 0 or above.
     *
     * @throws IllegalArgumentException if it is missing, or another.
     */
    float notNegative(String name);

    /**
     * A finite number, 0 or above, or a default.
     *
     * @throws IllegalArgumentException if it is another.
     */
    float notNegative(String name, float otherwise);

    /**
     * A number from 0 to below 1, or a default.
     *
     * @throws IllegalArgumentException if it is another.
     */
    float share(String name, float otherwise);

    /**
     * To be thrown where parameters do not go together: names the whole text.
     *
     * @param why what is wrong, and what is allowed.
     * @return the exception.
     */
    IllegalArgumentException invalid(String why);
}
