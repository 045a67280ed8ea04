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

import io.gradstream.codecs.Refusal;

/**
 * A table cannot be created or opened: a partition refused it, or has none such.
 */
public class TableException extends GradstreamException
{
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    /**
     * With the refusal.
     *
     * @param message which table and why.
     * @param refusal why.
     */
    public TableException(final String message, final Refusal refusal)
    {
        super(message);
        this.refusal = refusal;
    }

    /**
     * Why it was refused.
     *
     * @return the refusal: {@link Refusal#NO_SUCH_TABLE} if it was to be opened and is not there.
     */
    public Refusal refusal()
    {
        return refusal;
    }
}
