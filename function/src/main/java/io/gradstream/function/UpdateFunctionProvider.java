// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.function;

/**
 * Makes an update function of a user's own. It is found by {@link java.util.ServiceLoader}: a jar names its providers,
 * one a line, in {@code META-INF/services/io.gradstream.function.UpdateFunctionProvider}, and each has a constructor
 * without parameters.
 */
public interface UpdateFunctionProvider
{
    /**
     * First part of the text by which tables name the function: letters, digits and hyphens, such as {@code sketch} of
     * {@code sketch/1 depth=4}.
     *
     * @return a name that no function of Gradstream has.
     */
    String name();

    /**
     * Second part of that text. It grows whenever the function gives other bits, and the old one stays as long as logs
     * or tables hold it.
     *
     * @return 1 or more.
     */
    int version();

    /**
     * A function for one table of one partition.
     *
     * @param parameters of the table's text; those that nobody asks for are refused as unknown. Guards and the
     *                   schedule are not among them: they work with every function of floats.
     * @return a function of its own.
     * @throws IllegalArgumentException if parameters do not go together; see {@link FunctionParameters#invalid}.
     */
    UpdateFunction create(FunctionParameters parameters);
}
