// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Draws which of a class's long tests run in this build. Each build draws anew, so that over some builds all of them
 * run, as the seeds of a simulation do. {@code -Dgradstream.drawn=9} draws as many, {@code -Dgradstream.drawn=all} all;
 * tests that {@code -Dit.test} names by their methods always run. {@code -Dgradstream.draw=N} repeats a draw.
 */
final class Draw implements ExecutionCondition
{
    private static final String DRAWN = "gradstream.drawn";
    private static final String ALL = "all";
    private static final String DEFAULT_DRAWN = "2";
    static final long SEED = Long.getLong("gradstream.draw", System.nanoTime() & 0xffff);

    /**
     * The cases that run in this build, in their order.
     *
     * @param cases of which some run.
     * @return all of them if so many are drawn, or the user has named a method.
     */
    static <T> List<T> of(final List<T> cases)
    {
        return of(cases, System.getProperty(DRAWN, DEFAULT_DRAWN), System.getProperty("it.test", ""), SEED);
    }

    /** So many of a number of kinds as a build takes, or all of them where the user wants all tests. */
    static int of(final int some, final int all)
    {
        return ALL.equals(System.getProperty(DRAWN, DEFAULT_DRAWN)) ? all : some;
    }

    /**
     * The cases that run, in their order.
     *
     * @param drawn how many, or {@code all}.
     * @param named tests that the user has named; all cases run if there is a method among them.
     */
    static <T> List<T> of(final List<T> cases, final String drawn, final String named, final long seed)
    {
        if (ALL.equals(drawn) || named.contains("#"))
        {
            return cases;
        }
        final List<T> shuffled = new ArrayList<>(cases);
        Collections.shuffle(shuffled, new Random(seed));
        final List<T> chosen = shuffled.subList(0, Math.min(cases.size(), Integer.parseInt(drawn)));

        return cases.stream().filter(chosen::contains).toList();
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(final ExtensionContext context)
    {
        final List<String> tests = Arrays.stream(context.getRequiredTestClass().getDeclaredMethods())
            .filter((method) -> method.isAnnotationPresent(Drawn.class))
            .map((method) -> method.getName())
            .sorted()
            .toList();

        return of(tests).contains(context.getRequiredTestMethod().getName()) ?
            ConditionEvaluationResult.enabled("drawn with -Dgradstream.draw=" + SEED) :
            ConditionEvaluationResult.disabled(
                "SKIPPED: not drawn with -Dgradstream.draw=" + SEED + "; -D" + DRAWN + "=all runs all");
    }
}
