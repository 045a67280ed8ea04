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
package io.gradstream.perf.train;

/**
 * What is trained.
 */
enum Task
{
    CLICKS("sparse logistic regression", ""),
    FACTORS("matrix factorisation rank " + FactorBatch.RANK, "matrix factorisation rank " + FactorBatch.RANK + ", ");

    private final String title;
    private final String prefix;

    Task(final String title, final String prefix)
    {
        this.title = title;
        this.prefix = prefix;
    }

    String title()
    {
        return title;
    }

    /** What a line of the target begins with. */
    String prefix()
    {
        return prefix;
    }
}
