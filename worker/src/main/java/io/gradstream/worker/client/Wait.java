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
package io.gradstream.worker.client;

import java.util.function.BooleanSupplier;

/**
 * What blocking requests do while they cannot go on.
 */
@FunctionalInterface
public interface Wait
{
    /**
     * Poll until a condition holds.
     *
     * @param what      is waited for, for the error.
     * @param condition that must hold.
     * @throws RuntimeException if it does not hold in time.
     */
    void until(String what, BooleanSupplier condition);
}
