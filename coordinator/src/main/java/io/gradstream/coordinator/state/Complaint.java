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
package io.gradstream.coordinator.state;

/**
 * The link between two neighbours in a chain has failed for the suspicion time, one way or both, says one of them.
 *
 * @param reporter     id of the node that complains.
 * @param incarnation  of its process.
 * @param partition    its number.
 * @param chainVersion under which they are neighbours.
 * @param suspected    id of the other.
 * @param isAnswered   has the coordinator answered the reporter since the link failed? If not it may be the reporter
 *                     that hears nobody.
 * @param atMs         time of the message.
 */
public record Complaint(
    int reporter, long incarnation, int partition, long chainVersion, int suspected, boolean isAnswered, long atMs)
{
    /**
     * Of a node that hears the coordinator, whenever that is.
     *
     * @param reporter     as above.
     * @param incarnation  as above.
     * @param partition    as above.
     * @param chainVersion as above.
     * @param suspected    as above.
     * @return the complaint.
     */
    public static Complaint answered(
        final int reporter, final long incarnation, final int partition, final long chainVersion, final int suspected)
    {
        return new Complaint(reporter, incarnation, partition, chainVersion, suspected, true, 0);
    }
}
