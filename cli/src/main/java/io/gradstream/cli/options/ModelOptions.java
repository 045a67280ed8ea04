// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.training.Examples;
import io.gradstream.training.Loss;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.model.ModelSpec.Kind;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.training.read.DataScale;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Option;

/** Options for the model that is learned. */
@OptionGroup(Heading.MODEL)
public final class ModelOptions
{
    private static final String OF_FACTORS = "fm and mf";
    private static final int FACTORS = 8;
    private static final double INITIAL_DEVIATION = 0.05;
    private static final double DEVIATION_OF_MACHINES = 0.01;
    private static final double MAX_DECAY = 1e6;
    private static final double MAX_MEAN = 1e30;

    @Option(names = "--model", paramLabel = "logistic|linear|softmax|fm|mf", defaultValue = "logistic",
        description = "What is learned: logistic, linear or softmax regression, a factorisation machine, or a matrix" +
            " factorisation of ratings. Default: ${DEFAULT-VALUE}.")
    String model;

    @Option(names = "--classes", paramLabel = "N",
        description = "Of softmax: number of classes, which are labels 0 to N - 1. Default: in train what the labels" +
            " say; a worker must be told.")
    Integer classes;

    @Advanced
    @Option(names = "--loss", paramLabel = "logistic|squared",
        description = "Of fm: logistic for labels 0 and 1, squared for numbers. Default: logistic.")
    String loss;

    @Option(names = "--factors", paramLabel = "N",
        description = "Of fm and mf: factors of each feature. Default: 8.")
    Integer factors;

    @Advanced
    @Option(names = "--decay", paramLabel = "D",
        description = "Of fm and mf: weight decay at each occurrence of a feature. Default: 0.")
    Double decay;

    @Advanced
    @Option(names = "--initial-deviation", paramLabel = "S",
        description = "Of fm and mf: rows begin normal with this standard deviation. Default: 0.05; of fm and data in" +
            " files 0.01, and less if numbers are large.")
    Double initialDeviation;

    @Advanced
    @Option(names = "--mean", paramLabel = "M",
        description = "Of mf: what ratings are predicted as deviations from. Default: in train the mean of the" +
            " labels; a worker must be told.")
    Double mean;

    /** Scale of the training data; null if the data are generated, or not read yet. */
    private DataScale scale;

    /** Choose the options that the user did not give, for data of a scale. */
    void choose(final DataScale scale)
    {
        this.scale = scale;
    }

    void validate()
    {
        final Kind kind = kind();
        refuse(null != classes && Kind.SOFTMAX != kind, "--classes", Kind.SOFTMAX.label());
        refuse(null != loss && Kind.FM != kind, "--loss", Kind.FM.label());
        refuse(null != mean && Kind.MF != kind, "--mean", Kind.MF.label());
        refuse(null != factors && !kind.hasFactors(), "--factors", OF_FACTORS);
        refuse(null != decay && !kind.hasFactors(), "--decay", OF_FACTORS);
        refuse(null != initialDeviation && !kind.hasFactors(), "--initial-deviation", OF_FACTORS);
        CommonOptions.checkRange("classes", classes, ModelSpec.MIN_CLASSES, ModelSpec.MAX_CLASSES);
        if (null != loss)
        {
            CommonOptions.checkWord("loss", loss, Loss.LOGISTIC.label(), Loss.SQUARED.label());
        }
        CommonOptions.checkRange("factors", factors(), 1, ModelSpec.MAX_FACTORS);
        CommonOptions.checkRange("decay", decay(), 0, MAX_DECAY);
        CommonOptions.checkRange("mean", mean, -MAX_MEAN, MAX_MEAN);
        CommonOptions.checkPositive("initial-deviation", initialDeviation());
    }

    /** The kind of the model. */
    public Kind kind()
    {
        return UsageException.refusing(() -> Kind.of(model));
    }

    /** True if labels are 0 and 1, and nothing else. */
    public boolean hasTwoClasses()
    {
        return switch (kind())
        {
            case LOGISTIC -> true;
            case FM -> Loss.LOGISTIC == lossOfMachine();
            case LINEAR, SOFTMAX, MF -> false;
        };
    }

    /** The rule that examples must meet; for softmax with an unknown number of classes, any class is allowed. */
    ExampleRule rule()
    {
        return switch (kind())
        {
            case SOFTMAX -> ExampleRule.classes(null == classes ? ModelSpec.MAX_CLASSES : classes);
            case MF -> ExampleRule.ratings();
            case LOGISTIC, LINEAR, FM -> hasTwoClasses() ? ExampleRule.binary() : ExampleRule.numbers();
        };
    }

    /** Determine from the data the options that were left to them, so that all workers can be given the same. */
    public void complete(final Examples train, final Examples test)
    {
        if (Kind.SOFTMAX == kind() && null == classes)
        {
            final double labels = 1.0 + Math.max(train.maxLabel(), test.maxLabel());
            UsageException.refuseIf(!(labels <= ModelSpec.MAX_CLASSES),
                "labels go up to " + (labels - 1) + ": must be classes 0.." +
                    (ModelSpec.MAX_CLASSES - 1) + " for --model softmax");
            classes = Math.max(ModelSpec.MIN_CLASSES, (int)labels);
        }
        if (Kind.MF == kind() && null == mean)
        {
            mean = train.meanLabel();
        }
    }

    /**
     * The model.
     *
     * @throws UsageException if an option that is left to the data is not known.
     */
    public ModelSpec spec()
    {
        return switch (kind())
        {
            case LOGISTIC -> ModelSpec.logistic();
            case LINEAR -> ModelSpec.linear();
            case SOFTMAX -> ModelSpec.softmax((int)known("--classes", classes));
            case FM -> ModelSpec.factorisationMachine(lossOfMachine(), factors(), decay(), initialDeviation());
            case MF -> ModelSpec.matrixFactorisation(
                known("--mean", mean), factors(), decay(), initialDeviation());
        };
    }

    List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>(List.of("--model=" + model));
        if (kind().hasFactors())
        {
            arguments.addAll(List.of("--factors=" + factors(), "--decay=" + decay(),
                "--initial-deviation=" + initialDeviation()));
        }
        GivenOptions.add(arguments, "--classes", classes);
        GivenOptions.add(arguments, "--loss", loss);
        GivenOptions.add(arguments, "--mean", mean);

        return arguments;
    }

    private int factors()
    {
        return null == factors ? FACTORS : factors;
    }

    private double decay()
    {
        return null == decay ? 0 : decay;
    }

    private double initialDeviation()
    {
        if (null != initialDeviation)
        {
            return initialDeviation;
        }
        return null == scale || Kind.FM != kind() ? INITIAL_DEVIATION : DEVIATION_OF_MACHINES / scale.shrink();
    }

    private Loss lossOfMachine()
    {
        return Loss.SQUARED.label().equals(loss) ? Loss.SQUARED : Loss.LOGISTIC;
    }

    private double known(final String option, final Number value)
    {
        UsageException.refuseIf(null == value,
            "--model " + model + " without " + option + ": each worker must be told the same");
        return value.doubleValue();
    }

    private void refuse(final boolean isWrong, final String option, final String kinds)
    {
        UsageException.refuseIf(isWrong, option + " with --model " + model + ": it is for " + kinds);
    }
}
