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

import io.gradstream.codecs.TableSpec;

/**
 * A table that exists.
 *
 * @param spec          it was created with: fit for {@link GradstreamClient#openTable}. The rows of a sparse table are
 *                      0 there; a negative id is a table of the system's own.
 * @param rowsPresent   rows that are kept because they were updated, summed over the partitions that answered. A
 *                      system table has a copy in each partition, which all count.
 * @param rowsNotFinite of these, rows that have overflowed: a value, or the update function's state, is infinite or
 *                      NaN.
 * @param partitions    of those that answered, which have it: fewer than all while it is being created.
 */
public record TableDescription(TableSpec spec, long rowsPresent, long rowsNotFinite, int partitions)
{
}
