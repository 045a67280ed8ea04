// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

/**
 * How files in LIBSVM format are read.
 *
 * @param rule         what examples must be; labels of a binary one are 0 and 1, or -1 and +1.
 * @param labels       the two values that labels have instead, or null.
 * @param decimalPoint what stands before the fraction of a number.
 * @param maxFeature   largest index that is allowed.
 */
public record LibsvmFormat(ExampleRule rule, LabelValues labels, char decimalPoint, int maxFeature)
{
    /** Largest index by default, so that the number of features is still an int. */
    public static final int MAX_FEATURE = Integer.MAX_VALUE - 1;

    /** Labels 0 and 1, or -1 and +1, or numbers; the rest as by default. */
    public static LibsvmFormat of(final boolean areLabelsNumbers)
    {
        return new LibsvmFormat(
            areLabelsNumbers ? ExampleRule.numbers() : ExampleRule.binary(), null, '.', MAX_FEATURE);
    }
}
