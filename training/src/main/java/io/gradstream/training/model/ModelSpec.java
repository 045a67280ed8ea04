// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import java.util.List;
import java.util.Locale;

import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;
import io.gradstream.training.Model;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.metric.Accuracy;
import io.gradstream.training.metric.AreaUnderCurve;
import io.gradstream.training.metric.LogLoss;
import io.gradstream.training.metric.Metric;
import io.gradstream.training.metric.RootMeanSquare;

/**
 * Specifies the model that is learned, with all that turns its rows into predictions. The name of its table and the
 * length of its rows hold what is needed to predict, so a model file states it.
 *
 * @param kind             of model.
 * @param dim              values of a row: 1, the number of classes, or 1 + the number of factors.
 * @param loss             of a factorisation machine; for other kinds, the loss of the kind.
 * @param mean             that a matrix factorisation predicts deviations from; 0 otherwise.
 * @param decay            of models of factors.
 * @param initialDeviation of new rows, 0 if they are zeros.
 */
public record ModelSpec(Kind kind, int dim, Loss loss, double mean, double decay, double initialDeviation)
{
    /** Fewest classes. */
    public static final int MIN_CLASSES = 2;
    /** Most classes: a row of a table has one value for each. */
    public static final int MAX_CLASSES = 8192;
    /** Most factors: a row has one value more. */
    public static final int MAX_FACTORS = Factors.MAX_FACTORS;

    private static final String LOGISTIC_TABLE = "weights";
    private static final String MEAN = " mean=";
    private static final String LOSS = " loss=";

    /** The kinds of models. */
    public enum Kind
    {
        /** Logistic regression: labels 0 and 1. */
        LOGISTIC,
        /** Linear regression: labels are numbers. */
        LINEAR,
        /** Softmax regression: labels are indexes of classes. */
        SOFTMAX,
        /** Factorisation machine. */
        FM,
        /** Matrix factorisation: examples are ratings. */
        MF;

        /** In lower case. */
        public String label()
        {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * The kind with a label.
         *
         * @throws IllegalArgumentException if there is none.
         */
        public static Kind of(final String label)
        {
            for (final Kind kind : values())
            {
                if (kind.label().equals(label))
                {
                    return kind;
                }
            }
            throw new IllegalArgumentException(
                "invalid model=" + label + ": must be logistic, linear, softmax, fm or mf");
        }

        /** True if the model's rows hold factors, which must not begin as zeros. */
        public boolean hasFactors()
        {
            return FM == this || MF == this;
        }
    }

    /** Logistic regression. */
    public static ModelSpec logistic()
    {
        return new ModelSpec(Kind.LOGISTIC, 1, Loss.LOGISTIC, 0, 0, 0);
    }

    /** Linear regression. */
    public static ModelSpec linear()
    {
        return new ModelSpec(Kind.LINEAR, 1, Loss.SQUARED, 0, 0, 0);
    }

    /** Softmax regression. */
    public static ModelSpec softmax(final int classes)
    {
        return new ModelSpec(Kind.SOFTMAX, classes, Loss.LOGISTIC, 0, 0, 0);
    }

    /** A factorisation machine. */
    public static ModelSpec factorisationMachine(
        final Loss loss, final int factors, final double decay, final double initialDeviation)
    {
        return new ModelSpec(Kind.FM, 1 + factors, loss, 0, decay, initialDeviation);
    }

    /** Matrix factorisation. */
    public static ModelSpec matrixFactorisation(
        final double mean, final int factors, final double decay, final double initialDeviation)
    {
        return new ModelSpec(Kind.MF, 1 + factors, Loss.SQUARED, mean, decay, initialDeviation);
    }

    /**
     * The model whose rows are in a table, as far as predictions go: without decay.
     *
     * @param table            as {@link #tableName()} names it.
     * @param dim              values of its rows.
     * @param initialDeviation of its new rows.
     * @return the model, or null if no model has a table of this name.
     */
    public static ModelSpec ofTable(final String table, final int dim, final double initialDeviation)
    {
        if (LOGISTIC_TABLE.equals(table))
        {
            return new ModelSpec(Kind.LOGISTIC, dim, Loss.LOGISTIC, 0, 0, initialDeviation);
        }
        for (final Kind kind : Kind.values())
        {
            final String rest = table.startsWith(kind.label()) ? table.substring(kind.label().length()) : null;
            if (null != rest && rest.isEmpty() && (Kind.LINEAR == kind || Kind.SOFTMAX == kind))
            {
                return new ModelSpec(
                    kind, dim, Kind.LINEAR == kind ? Loss.SQUARED : Loss.LOGISTIC, 0, 0, initialDeviation);
            }
            if (null != rest && Kind.FM == kind && rest.startsWith(LOSS))
            {
                return lossOf(rest.substring(LOSS.length()), dim, initialDeviation);
            }
            if (null != rest && Kind.MF == kind && rest.startsWith(MEAN))
            {
                return meanOf(rest.substring(MEAN.length()), dim, initialDeviation);
            }
        }

        return null;
    }

    /** Name of the table of its rows. */
    public String tableName()
    {
        return switch (kind)
        {
            case LOGISTIC -> LOGISTIC_TABLE;
            case LINEAR, SOFTMAX -> kind.label();
            case FM -> kind.label() + LOSS + loss.label();
            case MF -> kind.label() + MEAN + mean;
        };
    }

    /** Number of factors, of a model that has them. */
    public int factors()
    {
        return dim - 1;
    }

    /**
     * The worker's part of the model.
     *
     * @throws IllegalArgumentException if the examples do not suit the model, or a property is out of range.
     */
    public Model of(final Examples examples)
    {
        return switch (kind)
        {
            case LOGISTIC -> new LinearModel(examples, Loss.LOGISTIC);
            case LINEAR -> new LinearModel(examples, Loss.SQUARED);
            case SOFTMAX -> new SoftmaxRegression(examples, dim);
            case FM -> new FactorisationMachine(examples, loss, factors(), decay, initialDeviation);
            case MF -> new MatrixFactorisation(examples, mean, factors(), decay, initialDeviation);
        };
    }

    /** True if labels are classes, and not numbers to be predicted. */
    public boolean hasClasses()
    {
        return Loss.LOGISTIC == loss;
    }

    /** The rule that examples must meet. */
    public ExampleRule rule()
    {
        return switch (kind)
        {
            case SOFTMAX -> ExampleRule.classes(dim);
            case MF -> ExampleRule.ratings();
            case LOGISTIC, LINEAR, FM -> hasClasses() ? ExampleRule.binary() : ExampleRule.numbers();
        };
    }

    /** The metrics of the model, each without examples; the first is the default by which the model is judged. */
    public List<Metric> metrics()
    {
        if (!hasClasses())
        {
            return List.of(new RootMeanSquare());
        }
        return Kind.SOFTMAX == kind ? List.of(new Accuracy(), new LogLoss()) :
            List.of(new LogLoss(), new Accuracy(), new AreaUnderCurve());
    }

    private static ModelSpec lossOf(final String label, final int dim, final double initialDeviation)
    {
        for (final Loss loss : Loss.values())
        {
            if (loss.label().equals(label))
            {
                return new ModelSpec(Kind.FM, dim, loss, 0, 0, initialDeviation);
            }
        }
        return null;
    }

    private static ModelSpec meanOf(final String text, final int dim, final double initialDeviation)
    {
        try
        {
            return new ModelSpec(Kind.MF, dim, Loss.SQUARED, Double.parseDouble(text), 0, initialDeviation);
        }
        catch (final NumberFormatException ex)
        {
            return null;
        }
    }
}
