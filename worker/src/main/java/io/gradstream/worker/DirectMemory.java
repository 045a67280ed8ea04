// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import java.lang.reflect.Method;

/** Finds out how much direct memory this JVM may take. */
final class DirectMemory
{
    private DirectMemory()
    {
    }

    /** The value of {@code -XX:MaxDirectMemorySize}, or else the largest heap, in bytes. */
    static long maxBytes()
    {
        try
        {
            // its package is opened for Agrona
            final Method method = Class.forName("jdk.internal.misc.VM").getMethod("maxDirectMemory");
            method.setAccessible(true);
            return (long)method.invoke(null);
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            return Runtime.getRuntime().maxMemory();
        }
    }
}
