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

/**
 * Where a model comes from.
 *
 * @param jobId        the job that trained it.
 * @param clock        iterations that every slot had ended; -1 where there is none.
 * @param partitions   of the job.
 * @param servers      of the job.
 * @param exportedAtMs when it was taken out, in milliseconds since 1970 (UTC).
 */
public record ModelOrigin(int jobId, long clock, int partitions, int servers, long exportedAtMs)
{
    /** The clock of a model that is of no iteration in particular. */
    public static final long NO_CLOCK = -1;
}
