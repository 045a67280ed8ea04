// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

/**
 * What examples must be for a model, which is checked where files are read, so that file and line can be named.
 *
 * @param classes  number of classes that labels are indexes of; 0 if labels are any finite numbers.
 * @param isBinary true if labels are 0 and 1, which LIBSVM format may write -1 and +1.
 * @param isRating true if an example is a rating, which has two entries of value 1, the user and the item.
 * @param remedy   what to do about a label that cannot be, behind a colon; may be empty.
 */
public record ExampleRule(int classes, boolean isBinary, boolean isRating, String remedy)
{
    /** What an example is that is none of a rating. */
    public static final String NO_RATING = "must be a rating, which has two entries of value 1, the user and the" +
        " item; where they are hashed, use more bits and no intercept";

    /** Labels are any finite numbers. */
    public static ExampleRule numbers()
    {
        return new ExampleRule(0, false, false, "");
    }

    /** Labels are 0 and 1. */
    public static ExampleRule binary()
    {
        return new ExampleRule(2, true, false, "");
    }

    /** Labels are the indexes of classes. */
    public static ExampleRule classes(final int classes)
    {
        return new ExampleRule(classes, false, false, "");
    }

    /** Examples are ratings, and labels any finite numbers. */
    public static ExampleRule ratings()
    {
        return new ExampleRule(0, false, true, "");
    }

    /** The same for examples of which no label is known. */
    public ExampleRule withoutLabels()
    {
        return new ExampleRule(0, false, isRating, "");
    }

    /** The same with what to do about a label that cannot be. */
    public ExampleRule withRemedy(final String newRemedy)
    {
        return new ExampleRule(classes, isBinary, isRating, newRemedy);
    }

    /** True if a finite number can be a label. */
    public boolean isLabel(final float label)
    {
        return 0 == classes || label >= 0 && label < classes && label == (int)label;
    }

    /** What labels must be, and what to do about one that is not. */
    public String labelError(final String label)
    {
        return "label must be " + (isBinary ? "0 or 1" : "a whole number 0.." + (classes - 1) +
            ", the index of one of " + classes + " classes") + ", got " + label +
            (remedy.isEmpty() ? "" : ": " + remedy);
    }
}
