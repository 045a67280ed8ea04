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
package io.gradstream.cli.options;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.ElementType;
import io.gradstream.server.function.UpdateFunctions;
import picocli.CommandLine.Option;

/**
 * Options that say how servers update weights.
 */
public final class OptimizerOptions
{
    private static final double MAX_PARAMETER = 1e6;
    private static final String ID = "[A-Za-z0-9-]+/[0-9]+";
    private static final String FTRL = "ftrl";
    private static final String SGD = "sgd";
    /** Weights of ftrl follow from its state alone, which begins as zeros: so would factors. */
    private static final String OF_FACTORS = "adagrad/1 rate=0.1";

    @Option(names = "--function", paramLabel = "ftrl|sgd|TEXT",
        description = "How servers update weights: ftrl or sgd with the options below, or a function with its" +
            " parameters as in docs/OPTIMIZERS.md: \"adam/1 rate=0.01\". Default: ftrl, and \"" + OF_FACTORS +
            "\" with --model fm and mf.")
    String function;

    @Option(names = "--alpha", paramLabel = "A", defaultValue = "1.0",
        description = "Learning rate of ftrl. Default: ${DEFAULT-VALUE}.")
    double alpha;

    @Option(names = "--beta", paramLabel = "B", defaultValue = "1.0",
        description = "Smoothing of the learning rate of ftrl. Default: ${DEFAULT-VALUE}.")
    double beta;

    @Option(names = "--l1", paramLabel = "L", defaultValue = "0.001",
        description = "L1 strength of ftrl. Default: ${DEFAULT-VALUE}.")
    double l1;

    @Option(names = "--l2", paramLabel = "L", defaultValue = "0.0",
        description = "L2 strength of ftrl. Default: ${DEFAULT-VALUE}.")
    double l2;

    @Option(names = "--rate", paramLabel = "R", defaultValue = "0.5",
        description = "Learning rate of sgd. Default: ${DEFAULT-VALUE}.")
    double rate;

    @Option(names = "--clip", paramLabel = "C", defaultValue = "0",
        description = "Servers bring each element of a gradient into -C..C, 0 for no limit. Default: ${DEFAULT-VALUE}.")
    double clip;

    /**
     * Check them.
     *
     * @param isForOwnServers are there users' functions on the servers perhaps, which refuse what they do not know?
     */
    void validate(final boolean hasFactors, final boolean isForOwnServers)
    {
        CommonOptions.checkRange("beta", beta, 0, MAX_PARAMETER);
        CommonOptions.checkRange("l1", l1, 0, MAX_PARAMETER);
        CommonOptions.checkRange("l2", l2, 0, MAX_PARAMETER);
        CommonOptions.checkRange("clip", clip, 0, MAX_PARAMETER);
        CommonOptions.checkPositive("alpha", alpha);
        CommonOptions.checkPositive("rate", rate);
        final String text = text(hasFactors);
        if (hasFactors && text.startsWith(FTRL))
        {
            throw new UsageException("--function " + function + " with a model of factors: its weights begin as" +
                " zeros, and factors that are zeros stay so; use adagrad/1, adam/1 or sgd");
        }
        final String id = text.split("\\s+", 2)[0];
        if (!UpdateFunctions.isBuiltIn(id) && isForOwnServers && id.matches(ID))
        {
            return;
        }
        try
        {
            if (!UpdateFunctions.BUILT_IN.parse(text).supports(ElementType.FLOAT32))
            {
                throw new UsageException("invalid --function=" + function + ": it cannot update floats");
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException("invalid --function=" + function + ": " + ex.getMessage() +
                ", as in docs/OPTIMIZERS.md; or ftrl or sgd" + (isForOwnServers || UpdateFunctions.isBuiltIn(id) ? "" :
                ". The servers of train have no --plugins: for a function of your own start servers and workers" +
                " yourself, as in docs/FUNCTIONS.md"));
        }
    }

    /** The function as servers take it. */
    public String text(final boolean hasFactors)
    {
        final String text;
        if (null == function)
        {
            text = hasFactors ? OF_FACTORS : ftrl();
        }
        else
        {
            text = FTRL.equals(function) ? ftrl() : SGD.equals(function) ? "sgd/1 rate=" + rate : function.strip();
        }
        return clip > 0 ? text + " clip=" + clip : text;
    }

    List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>(List.of("--alpha=" + alpha, "--beta=" + beta, "--l1=" + l1,
            "--l2=" + l2, "--rate=" + rate, "--clip=" + clip));
        if (null != function)
        {
            arguments.add("--function=" + function);
        }
        return arguments;
    }

    private String ftrl()
    {
        return "ftrl/1 alpha=" + alpha + " beta=" + beta + " l1=" + l1 + " l2=" + l2;
    }
}
