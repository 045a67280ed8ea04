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
package io.gradstream.training.read;

/**
 * A column of a table that a model was trained on.
 *
 * @param name in the header, or its number from 1 where there is none.
 * @param kind what it is to the model.
 */
public record Column(String name, Kind kind)
{
    /** What a column is to a model. */
    public enum Kind
    {
        /** Of numbers: one feature. */
        NUMBER,
        /** Of categories: a feature for each value. */
        CATEGORY,
        /** Of labels. */
        LABEL,
        /** Not read. */
        LEFT_OUT
    }

    /** True if the model cannot do without it. */
    boolean isFeature()
    {
        return Kind.NUMBER == kind || Kind.CATEGORY == kind;
    }
}
