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
package io.gradstream.worker;

import java.lang.reflect.Method;

/**
 * How much direct memory this JVM may take.
 */
final class DirectMemory
{
    private DirectMemory()
    {
    }

    /**
     * What {@code -XX:MaxDirectMemorySize} says, or else the largest heap.
     *
     * @return bytes.
     */
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
