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
import io.gradstream.codecs.TableSpec;

/**
 * A partition refused to create a table.
 */
public class TableException extends GradstreamException
{
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    /**
     * With the refusal.
     *
     * @param spec      that was asked for.
     * @param refusal   why.
     * @param partition that refused.
     */
    public TableException(final TableSpec spec, final Refusal refusal, final int partition)
    {
        super("partition=" + partition + " refused table " + spec.tableId() + " '" + spec.name() + "' with " + refusal +
            (Refusal.TABLE_MISMATCH == refusal ?
            ": it exists with another specification; use that one or another tableId" : ""));
        this.refusal = refusal;
    }

    /**
     * Why it was refused.
     *
     * @return the refusal.
     */
    public Refusal refusal()
    {
        return refusal;
    }
}
