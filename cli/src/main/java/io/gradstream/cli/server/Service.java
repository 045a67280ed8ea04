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
package io.gradstream.cli.server;

/**
 * What one of the long-running commands runs: a server, a coordinator or a media driver.
 */
interface Service extends AutoCloseable
{
    /** One duty cycle. */
    default void poll(final long nowNs)
    {
    }

    /** Has it ended by itself? */
    boolean isTerminated();

    /** Having ended: may it be started anew, if this process stood still? */
    default boolean isRestartable()
    {
        return true;
    }

    /** Why it ended by itself. */
    default RuntimeException failure(final String name)
    {
        return new IllegalStateException("the " + name + " ended by itself: start it again");
    }

    /** How long it may rest between two duty cycles. */
    default long parkNs()
    {
        return ServiceOptions.PARK_NS;
    }

    @Override
    void close();
}
