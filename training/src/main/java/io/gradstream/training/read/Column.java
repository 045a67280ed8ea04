// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

/**
 * A column of a table that a model was trained on.
 *
 * @param name in the header, or its number from 1 where there is none.
 * @param kind how the model uses it.
 */
public record Column(String name, Kind kind)
{
    /** The ways in which a model uses a column. */
    public enum Kind
    {
        /** Of numbers: one feature. */
        NUMBER,
        /** Of categories: a feature for each value. */
        CATEGORY,
        /** Of labels. */
        LABEL,
        /** Not read. */
        LEFT_OUT
    }
}
