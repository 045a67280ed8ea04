// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.ElementType;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.training.model.ModelSpec.Kind;
import io.gradstream.training.read.DataScale;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Option;

/**
 * Options that say how servers update weights. Options that are not given follow from the model and, for data in files,
 * from how large their labels and numbers are: docs/TRAINING.md has the measurements.
 */
@OptionGroup(Heading.OPTIMIZER)
public final class OptimizerOptions
{
    private static final double MAX_PARAMETER = 1e6;
    private static final String ID = "[A-Za-z0-9-]+/[0-9]+";
    private static final String FTRL = "ftrl";
    private static final String SGD = "sgd";
    /** The function for factors. Not ftrl, whose weights follow from its state alone: factors would begin as zeros. */
    private static final String OF_FACTORS = "adagrad/1";
    private static final double GENERATED_ALPHA = 1.0;
    private static final double GENERATED_BETA = 1.0;
    private static final double GENERATED_RATE = 0.5;
    private static final double ALPHA = 0.1;
    private static final double BETA = 0.02;
    private static final double RATE = 0.1;
    private static final MathContext THREE_DIGITS = new MathContext(3);

    @Option(names = "--function", paramLabel = "ftrl|sgd|TEXT",
        description = "How servers update weights: ftrl or sgd with the options below, or a function with its" +
            " parameters as in docs/OPTIMIZERS.md: \"adam/1 rate=0.01\". Default: ftrl, and \"" + OF_FACTORS +
            "\" with a rate of its own with --model fm and mf.")
    String function;

    @Option(names = "--alpha", paramLabel = "A",
        description = "Learning rate of ftrl. Default: " + GENERATED_ALPHA + " for generated data; for files " + ALPHA +
            ", with --model linear times the size of the labels, and less if numbers are large.")
    Double alpha;

    @Advanced
    @Option(names = "--beta", paramLabel = "B",
        description = "Smoothing of the learning rate of ftrl. Default: " + GENERATED_BETA + " for generated data;" +
            " for files " + BETA + ", with --model linear times the size of the labels.")
    Double beta;

    @Advanced
    @Option(names = "--l1", paramLabel = "L", defaultValue = "0.001",
        description = "L1 strength of ftrl. Default: ${DEFAULT-VALUE}.")
    double l1;

    @Advanced
    @Option(names = "--l2", paramLabel = "L", defaultValue = "0.0",
        description = "L2 strength of ftrl. Default: ${DEFAULT-VALUE}.")
    double l2;

    @Option(names = "--rate", paramLabel = "R",
        description = "Learning rate of sgd. Default: " + GENERATED_RATE + " for generated data; for files " + RATE +
            ", and less if numbers are large.")
    Double rate;

    @Option(names = "--clip", paramLabel = "C", defaultValue = "0",
        description = "Servers bring each element of a gradient into -C..C, 0 for no limit. Default: ${DEFAULT-VALUE}.")
    double clip;

    /** Scale of the training data; null if the data are generated, or not read yet. */
    private DataScale scale;

    /** Choose the options that the user did not give, for data of a scale. */
    void choose(final DataScale scale)
    {
        this.scale = scale;
    }

    /**
     * Check the options.
     *
     * @param isForOwnServers true if servers may have users' functions; they refuse a function that they do not know.
     */
    void validate(final Kind kind, final boolean isForOwnServers)
    {
        CommonOptions.checkRange("beta", beta, 0, MAX_PARAMETER);
        CommonOptions.checkRange("l1", l1, 0, MAX_PARAMETER);
        CommonOptions.checkRange("l2", l2, 0, MAX_PARAMETER);
        CommonOptions.checkRange("clip", clip, 0, MAX_PARAMETER);
        CommonOptions.checkPositive("alpha", null == alpha ? GENERATED_ALPHA : alpha);
        CommonOptions.checkPositive("rate", null == rate ? GENERATED_RATE : rate);
        final String text = text(kind);
        UsageException.refuseIf(kind.hasFactors() && text.startsWith(FTRL),
            "--function " + function + " with a model of factors: its weights begin as" +
                " zeros, and factors that are zeros stay so; use adagrad/1, adam/1 or sgd");
        final String id = text.split("\\s+", 2)[0];
        if (!UpdateFunctions.isBuiltIn(id) && isForOwnServers && id.matches(ID))
        {
            return;
        }
        try
        {
            UsageException.refuseIf(!UpdateFunctions.BUILT_IN.parse(text).supports(ElementType.FLOAT32),
                "invalid --function=" + function + ": it cannot update floats");
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException("invalid --function=" + function + ": " + ex.getMessage() +
                ", as in docs/OPTIMIZERS.md; or ftrl or sgd" + (isForOwnServers || UpdateFunctions.isBuiltIn(id) ? "" :
                ". The servers of train have no --plugins: for a function of your own start servers and workers" +
                " yourself, as in docs/FUNCTIONS.md"));
        }
    }

    /** True if weights are updated by ftrl with these options. */
    boolean isFtrl(final Kind kind)
    {
        return null == function ? !kind.hasFactors() : FTRL.equals(function);
    }

    /** True if the user has chosen how servers update weights. */
    boolean isGiven()
    {
        return null != function;
    }

    /** True if weights are updated by sgd with these options. */
    boolean isSgd()
    {
        return SGD.equals(function);
    }

    /** The option that determines the function, for people. */
    String chosenBy(final Kind kind)
    {
        return null != function ? "--function " + function :
            kind.hasFactors() ? "--model " + kind.label() : "--function " + FTRL;
    }

    /** The function as servers take it. */
    public String text(final Kind kind)
    {
        return clip > 0 ? unclipped(kind) + " clip=" + clip : unclipped(kind);
    }

    /** Advice if training has diverged. */
    String advice(final Kind kind)
    {
        final String text = unclipped(kind);
        final String lower = text.startsWith(FTRL) ? "a lower --alpha" : SGD.equals(function) ? "a lower --rate" :
            "a lower rate in --function";
        final String clipped = clip > 0 ? " or a lower --clip" : ", or --clip 1";
        final boolean areLarge = null != scale && scale.featureMax() > DataScale.GOOD_RMS;
        return "with " + text(kind) + ": use " + lower + clipped + (areLarge ? ofLargeValues() : "");
    }

    private String ofLargeValues()
    {
        final BigDecimal max = new BigDecimal(scale.featureMax()).round(THREE_DIGITS);
        return ", or scale the values of feature " + scale.feature() + ", which reach " + max.toPlainString() +
            " (of csv and tsv: --log-scale)";
    }

    List<String> arguments(final Kind kind)
    {
        return new ArrayList<>(List.of("--function=" + unclipped(kind), "--clip=" + clip));
    }

    private String unclipped(final Kind kind)
    {
        if (null == function)
        {
            return kind.hasFactors() ? ofFactors(kind) : ftrl(kind);
        }
        return FTRL.equals(function) ? ftrl(kind) : SGD.equals(function) ? "sgd/1 rate=" + sgdRate() : function.strip();
    }

    private String ftrl(final Kind kind)
    {
        final double ofLabels =
            Kind.LINEAR != kind || null == scale || 0 == scale.labelRms() ? 1 : scale.labelRms();
        final double chosenAlpha = null == scale ? GENERATED_ALPHA : ALPHA * ofLabels / scale.shrink();
        final double chosenBeta = null == scale ? GENERATED_BETA : BETA * ofLabels;
        return "ftrl/1 alpha=" + (null == alpha ? rounded(chosenAlpha) : alpha) +
            " beta=" + (null == beta ? rounded(chosenBeta) : beta) + " l1=" + l1 + " l2=" + l2;
    }

    private String ofFactors(final Kind kind)
    {
        if (null == scale)
        {
            return OF_FACTORS + " rate=0.1";
        }
        if (Kind.MF == kind)
        {
            // a rating is a product of two factors
            final double ofFactor = 0 == scale.labelDeviation() ? 1 : StrictMath.sqrt(scale.labelDeviation());
            return OF_FACTORS + " rate=" + rounded(0.2 * ofFactor);
        }
        return OF_FACTORS + " rate=" + rounded(0.05 / scale.shrink()) + " initial=0.01";
    }

    private double sgdRate()
    {
        // the curvature grows as the square of the values
        final double chosen = null == scale ? GENERATED_RATE : RATE / (scale.shrink() * scale.shrink());
        return null == rate ? rounded(chosen) : rate;
    }

    private static double rounded(final double value)
    {
        return new BigDecimal(value).round(THREE_DIGITS).doubleValue();
    }
}
