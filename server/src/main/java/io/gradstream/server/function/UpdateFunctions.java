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
package io.gradstream.server.function;

/**
 * Makes update functions from their text: name, slash, version, then parameters, such as
 * {@code ftrl/1 alpha=0.1 beta=1.0 l1=1.0 l2=1.0}. Adding an optimizer is one class and one line here. Every function
 * for floats takes the guards {@code clip=C} and {@code clip-norm=C}, but for assign, which has no gradient, and
 * {@code refuse-non-finite}. Every function with a rate takes a {@code schedule}.
 */
public final class UpdateFunctions
{
    private static final float BETA_1 = 0.9f;
    private static final float BETA_2 = 0.999f;
    private static final float EPSILON = 1e-8f;

    private UpdateFunctions()
    {
    }

    /**
     * The function for a text.
     *
     * @throws IllegalArgumentException if the name, the version or a parameter is unknown, missing or out of range.
     */
    public static UpdateFunction parse(final String text)
    {
        final String[] words = text.trim().split("\\s+");
        final FunctionParameters parameters = new FunctionParameters(text, words);
        final UpdateFunction function = switch (words[0])
        {
            case "add/1" -> new Add();
            case "assign/1" -> new Assign();
            case "sgd/1" -> new Sgd(parameters.positive("rate"));
            case "sgd/2" -> decayed(sgd(parameters), parameters);
            case "adagrad/1" -> new Adagrad(
                parameters.positive("rate"),
                parameters.positive("epsilon", EPSILON),
                parameters.notNegative("initial", 0f));
            case "adam/1" -> decayed(adam(parameters.positive("rate"), parameters), parameters);
            case "adamw/1" -> adamW(parameters);
            case "ftrl/1" -> new Ftrl(
                parameters.positive("alpha"),
                parameters.notNegative("beta"),
                parameters.notNegative("l1"),
                parameters.notNegative("l2"));
            default -> throw new IllegalArgumentException("unknown update function '" + words[0] +
                "': must be add/1, assign/1, sgd/1, sgd/2, adagrad/1, adam/1, adamw/1 or ftrl/1");
        };

        checkSchedule(function, words[0], parameters);

        return guarded(function, parameters);
    }

    /**
     * How the rate of the function for a text changes.
     *
     * @return null if it does not.
     * @throws IllegalArgumentException as {@link #parse}.
     */
    public static RateSchedule schedule(final String text)
    {
        return new FunctionParameters(text, text.trim().split("\\s+")).schedule();
    }

    private static void checkSchedule(
        final UpdateFunction function, final String name, final FunctionParameters parameters)
    {
        if (null != parameters.schedule() && !function.hasRate())
        {
            throw parameters.invalid(function instanceof Ftrl ?
                name + " takes no schedule: alpha is inside of the z that it has added up; use adagrad/1" :
                name + " has no rate, and takes no schedule");
        }
    }

    private static UpdateFunction sgd(final FunctionParameters parameters)
    {
        final float rate = parameters.positive("rate");
        final float momentum = parameters.share("momentum", 0f);
        final boolean isNesterov = parameters.flag(FunctionParameters.NESTEROV);
        if (isNesterov && 0f == momentum)
        {
            throw parameters.invalid(FunctionParameters.NESTEROV + " needs momentum above 0");
        }

        return 0f == momentum ? new Sgd(rate) : new Momentum(rate, momentum, isNesterov);
    }

    private static Adam adam(final float rate, final FunctionParameters parameters)
    {
        return new Adam(
            rate,
            parameters.share("beta1", BETA_1),
            parameters.share("beta2", BETA_2),
            parameters.positive("epsilon", EPSILON));
    }

    private static UpdateFunction adamW(final FunctionParameters parameters)
    {
        final float rate = parameters.positive("rate");
        final float decay = parameters.positive("decay");
        if (rate * decay >= 1f)
        {
            throw parameters.invalid("rate * decay must be below 1, or weights change their sign");
        }

        return new AdamW(adam(rate, parameters), rate * decay);
    }

    private static UpdateFunction decayed(final UpdateFunction function, final FunctionParameters parameters)
    {
        final float decay = parameters.notNegative("decay", 0f);

        return 0f == decay ? function : new Decayed(function, decay);
    }

    private static UpdateFunction guarded(final UpdateFunction function, final FunctionParameters parameters)
    {
        final boolean isGradient = !(function instanceof Assign);
        final float clip = isGradient ? parameters.positive("clip", Float.POSITIVE_INFINITY) : Float.POSITIVE_INFINITY;
        final float clipNorm =
            isGradient ? parameters.positive("clip-norm", Float.POSITIVE_INFINITY) : Float.POSITIVE_INFINITY;
        final boolean refusesNonFinite = parameters.flag(FunctionParameters.REFUSE_NON_FINITE);
        parameters.requireAllUsed();

        return clip < Float.POSITIVE_INFINITY || clipNorm < Float.POSITIVE_INFINITY || refusesNonFinite ?
            new Guarded(function, clip, clipNorm, refusesNonFinite) : function;
    }
}
