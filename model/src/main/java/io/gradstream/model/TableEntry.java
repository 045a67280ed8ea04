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
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;

/**
 * A table of a model.
 *
 * @param spec        of the table.
 * @param stateLength bytes of update function state of a row, behind its values.
 * @param rows        that the model has of it.
 */
public record TableEntry(TableSpec spec, int stateLength, long rows)
{
    int rowLength()
    {
        return spec.valuesLength() + stateLength;
    }
}
