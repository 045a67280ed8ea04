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
package io.gradstream.training.model;

/**
 * Where the rows of a model are: a cluster, or a file.
 */
@FunctionalInterface
public interface RowSource
{
    /**
     * Fetch rows. One that no update has touched has its initial value.
     *
     * @param keys  of which the first {@code count} count, ascending.
     * @param count at least 1.
     * @param rows  receives the values of each, one row behind the other.
     */
    void fetch(long[] keys, int count, float[] rows);
}
