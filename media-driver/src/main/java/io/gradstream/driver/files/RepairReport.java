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
package io.gradstream.driver.files;

import java.util.List;

/**
 * What was found in an archive directory at start.
 *
 * @param ran       whether the last stop was unclean, so that recordings were examined at all.
 * @param truncated one line for each segment whose torn last fragment was cut off; nothing acknowledged is lost by it.
 * @param damaged   one line for each recording the Archive will not offer any more, because its last segment or its
 *                  catalog entry is wrong in another way, or a file of it cannot be used: it has to come from another
 *                  copy.
 * @param mended    one line for each thing in the catalog that a kill had left half written.
 * @param tookNs    nanoseconds the examination took.
 */
public record RepairReport(boolean ran, List<String> truncated, List<String> damaged, List<String> mended, long tookNs)
{
    /** Nothing was to be examined. */
    public static final RepairReport NOT_NEEDED = new RepairReport(false, List.of(), List.of(), List.of(), 0);
}
