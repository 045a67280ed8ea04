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
