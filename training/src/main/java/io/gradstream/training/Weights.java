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
package io.gradstream.training;

/**
 * The weight of each feature of a linear model, however it is kept.
 */
@FunctionalInterface
public interface Weights
{
    /**
     * The weight of a feature.
     *
     * @param feature id, which is the key of its row.
     * @return its weight, 0 if the model does not know the feature.
     */
    float weight(long feature);

    /**
     * Weights in an array under their feature ids. Features behind its end weigh 0.
     *
     * @param weights of features 0 and up; read in place, not copied.
     */
    static Weights of(final float[] weights)
    {
        return (feature) -> feature < weights.length ? weights[(int)feature] : 0.0f;
    }
}
