// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

/**
 * The rule that examples must meet for a model. Readers of files check it, so that errors can name file and line.
 *
 * @param classes  number of classes that labels are indexes of; 0 if labels are any finite numbers.
 * @param isBinary true if labels are 0 and 1, which LIBSVM format may write -1 and +1.
 * @param isRating true if an example is a rating, which has two entries of value 1, the user and the item.
 * @param remedy   what to do about a label that breaks the rule, shown after a colon; may be empty.
 */
public record ExampleRule(int classes, boolean isBinary, boolean isRating, String remedy)
{
    /** Message for an example that is no rating where it must be one. */
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

    /** The same with a remedy for a label that breaks the rule. */
    public ExampleRule withRemedy(final String newRemedy)
    {
        return new ExampleRule(classes, isBinary, isRating, newRemedy);
    }

    /** True if a finite number can be a label. */
    public boolean isLabel(final float label)
    {
        return 0 == classes || label >= 0 && label < classes && label == (int)label;
    }

    /** Message for a label that breaks the rule: what labels must be, and the remedy. */
    public String labelError(final String label)
    {
        return "label must be " + (isBinary ? "0 or 1" : "a whole number 0.." + (classes - 1) +
            ", the index of one of " + classes + " classes") + ", got " + label +
            (remedy.isEmpty() ? "" : ": " + remedy);
    }
}
