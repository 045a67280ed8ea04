// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.FunctionParameters;
import io.gradstream.function.UpdateFunction;
import io.gradstream.function.UpdateFunctionProvider;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Makes update functions from their text: name, slash, version, then parameters, such as
 * {@code ftrl/1 alpha=0.1 beta=1.0 l1=1.0 l2=1.0}. Adding an optimizer is one class and one line here; users add theirs
 * by {@link UpdateFunctionProvider}. Every function for floats takes the guards {@code clip=C}, {@code clip-norm=C} and
 * {@code refuse-non-finite}; assign, which has no gradient, takes only the last. Every function with a rate takes a
 * {@code schedule}. Immutable.
 */
public final class UpdateFunctions
{
    /** Gradstream's own functions alone. */
    public static final UpdateFunctions BUILT_IN = new UpdateFunctions(Map.of());

    private static final Set<String> BUILT_IN_NAMES =
        Set.of("add", "assign", "sgd", "adagrad", "adam", "adamw", "ftrl");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final int MAX_STATE_PER_VALUE = 4;
    private static final float BETA_1 = 0.9f;
    private static final float BETA_2 = 0.999f;
    private static final float EPSILON = 1e-8f;

    /** Functions of users, by name/version. */
    private final SortedMap<String, UpdateFunctionProvider> providers;

    private UpdateFunctions(final Map<String, UpdateFunctionProvider> providers)
    {
        this.providers = Collections.unmodifiableSortedMap(new TreeMap<>(providers));
    }

    /** True if a function (name/version) is one of Gradstream's own by its name, whatever its version. */
    public static boolean isBuiltIn(final String id)
    {
        return BUILT_IN_NAMES.contains(id.substring(0, (id + "/").indexOf('/')));
    }

    /**
     * Add a function of a user.
     *
     * @throws IllegalArgumentException if its name or version is invalid, or is there already.
     */
    public UpdateFunctions with(final UpdateFunctionProvider provider)
    {
        final String name = provider.name();
        final String id = name + '/' + provider.version();
        if (null == name || !NAME.matcher(name).matches() || provider.version() < 1)
        {
            throw new IllegalArgumentException("invalid update function " + id +
                ": its name must be 1 to 64 letters, digits and hyphens, its version 1 or more");
        }
        if (BUILT_IN_NAMES.contains(name))
        {
            throw new IllegalArgumentException(
                "update function " + id + " has a name of Gradstream's own: choose another");
        }
        final Map<String, UpdateFunctionProvider> all = new TreeMap<>(providers);
        if (null != all.put(id, provider))
        {
            throw new IllegalArgumentException("update function " + id + " is there twice: remove one of them");
        }

        return new UpdateFunctions(all);
    }

    /**
     * Keep Gradstream's own functions, and only some of the users' functions.
     *
     * @param ids name/version of the functions that are kept.
     * @throws IllegalArgumentException naming the functions that are not there.
     */
    public UpdateFunctions only(final Collection<String> ids)
    {
        final Set<String> missing = new TreeSet<>(ids);
        missing.removeAll(providers.keySet());
        if (!missing.isEmpty())
        {
            throw new IllegalArgumentException("no update functions " + missing + " here, where there are " + ids());
        }
        final Map<String, UpdateFunctionProvider> kept = new TreeMap<>(providers);
        kept.keySet().retainAll(ids);

        return new UpdateFunctions(kept);
    }

    /** The users' functions, as name/version, in order. */
    public List<String> ids()
    {
        return List.copyOf(providers.keySet());
    }

    /**
     * The function for a text.
     *
     * @throws IllegalArgumentException if the name, the version or a parameter is unknown, missing or out of range, or
     *                                  a provider fails.
     */
    public UpdateFunction parse(final String text)
    {
        final String[] words = text.trim().split("\\s+");
        final ParsedParameters parameters = new ParsedParameters(text, words);
        final UpdateFunctionProvider provider = providers.get(words[0]);
        final UpdateFunction function =
            null == provider ? builtIn(words[0], parameters) : create(provider, words[0], parameters);
        checkSchedule(function, words[0], parameters);

        return guarded(function, parameters);
    }

    private UpdateFunction builtIn(final String id, final ParsedParameters parameters)
    {
        return switch (id)
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
            default -> throw new IllegalArgumentException("unknown update function '" + id +
                "': must be add/1, assign/1, sgd/1, sgd/2, adagrad/1, adam/1, adamw/1 or ftrl/1" +
                (providers.isEmpty() ?
                ", or one of your own, which --plugins has and the coordinators' --functions name" :
                " or, of the job's own, one of " + ids()));
        };
    }

    /**
     * Create a function. Whatever the code of a user throws refuses the text: a table that names the function must not
     * end a node.
     */
    private static UpdateFunction create(
        final UpdateFunctionProvider provider, final String id, final FunctionParameters parameters)
    {
        try
        {
            return checked(provider.create(parameters));
        }
        catch (final RuntimeException | LinkageError | AssertionError | StackOverflowError ex)
        {
            final boolean isSaid = ex instanceof IllegalArgumentException && null != ex.getMessage();
            throw new IllegalArgumentException("update function " + id + " of " +
                provider.getClass().getClassLoader().getName() + ": " + (isSaid ? ex.getMessage() : ex), ex);
        }
    }

    private static UpdateFunction checked(final UpdateFunction function)
    {
        if (null == function)
        {
            throw new IllegalArgumentException("its provider returns null");
        }
        final int statePerValue = function.statePerValue();
        if (statePerValue < 0 || statePerValue > MAX_STATE_PER_VALUE)
        {
            throw new IllegalArgumentException("it keeps " + statePerValue +
                " elements beside a value: must be 0.." + MAX_STATE_PER_VALUE);
        }
        final boolean refusesNonFinite = function.refusesNonFinite();
        if (function.supports(ElementType.INT64) && (statePerValue > 0 || refusesNonFinite))
        {
            throw new IllegalArgumentException("it supports INT64, whose rows " + (refusesNonFinite ?
                "are always finite" : "have no state") + ": make another function of it for FLOAT32");
        }
        // these are called once a table is logged: a call that would fail then fails here, where it is a refusal
        function.supports(ElementType.FLOAT32);
        function.isPerValue();
        function.takesLast();
        function.hasRate();

        return function;
    }

    /**
     * How the rate of the function for a text changes.
     *
     * @return null if it does not.
     * @throws IllegalArgumentException as {@link #parse}.
     */
    public static RateSchedule schedule(final String text)
    {
        return new ParsedParameters(text, text.trim().split("\\s+")).schedule();
    }

    private static void checkSchedule(
        final UpdateFunction function, final String id, final ParsedParameters parameters)
    {
        if (null != parameters.schedule() && !function.hasRate())
        {
            throw parameters.invalid(function instanceof Ftrl ?
                id + " takes no schedule: alpha is inside of the z that it has added up; use adagrad/1" :
                id + " has no rate, and takes no schedule");
        }
    }

    private static Optimizer sgd(final ParsedParameters parameters)
    {
        final float rate = parameters.positive("rate");
        final float momentum = parameters.share("momentum", 0f);
        final boolean isNesterov = parameters.flag(ParsedParameters.NESTEROV);
        if (isNesterov && 0f == momentum)
        {
            throw parameters.invalid(ParsedParameters.NESTEROV + " needs momentum above 0");
        }

        return 0f == momentum ? new Sgd(rate) : new Momentum(rate, momentum, isNesterov);
    }

    private static Adam adam(final float rate, final ParsedParameters parameters)
    {
        return new Adam(
            rate,
            parameters.share("beta1", BETA_1),
            parameters.share("beta2", BETA_2),
            parameters.positive("epsilon", EPSILON));
    }

    private static UpdateFunction adamW(final ParsedParameters parameters)
    {
        final float rate = parameters.positive("rate");
        final float decay = parameters.positive("decay");
        if (rate * decay >= 1f)
        {
            throw parameters.invalid("rate * decay must be below 1, or weights change their sign");
        }

        return new AdamW(adam(rate, parameters), rate * decay);
    }

    private static Optimizer decayed(final Optimizer optimizer, final ParsedParameters parameters)
    {
        final float decay = parameters.notNegative("decay", 0f);

        return 0f == decay ? optimizer : new WeightDecay(optimizer, decay);
    }

    private static UpdateFunction guarded(final UpdateFunction function, final ParsedParameters parameters)
    {
        final boolean isGradient = !(function instanceof Assign);
        final float clip = isGradient ? parameters.positive("clip", Float.POSITIVE_INFINITY) : Float.POSITIVE_INFINITY;
        final float clipNorm =
            isGradient ? parameters.positive("clip-norm", Float.POSITIVE_INFINITY) : Float.POSITIVE_INFINITY;
        final boolean refusesNonFinite = parameters.flag(ParsedParameters.REFUSE_NON_FINITE);
        parameters.requireAllUsed();

        return clip < Float.POSITIVE_INFINITY || clipNorm < Float.POSITIVE_INFINITY || refusesNonFinite ?
            new ClippedFunction(function, clip, clipNorm, refusesNonFinite) : function;
    }
}
