// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.usage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The heading in {@code --help} under which an option stands, or all options of a class that have none of their own.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface OptionGroup
{
    /** The heading. */
    Heading value();

    /** The headings, in their order. */
    enum Heading
    {
        /** Options that are not under another heading. */
        GENERAL("Options"),
        /** Processes and what they keep. */
        CLUSTER("Cluster"),
        /** Options of the data. */
        DATA("Data"),
        /** Options of the model. */
        MODEL("Model and training"),
        /** How servers apply gradients. */
        OPTIMIZER("Optimizer"),
        /** Options of the begin and the results of a run. */
        RESULTS("Evaluation, results and display"),
        /** Failures and delays that are made on purpose. */
        FAULTS("Kills and slow workers");

        private final String text;

        Heading(final String text)
        {
            this.text = text;
        }

        /** The heading as the user reads it. */
        public String text()
        {
            return text;
        }
    }

    /**
     * An option that few users need: {@code --help=all} shows it, {@code --help} does not.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.FIELD)
    @interface Advanced
    {
    }
}
