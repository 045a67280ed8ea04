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
package io.gradstream.recovery.replica;

/**
 * One attempt of a replica to follow another.
 *
 * @param nodeId     of the node at the other end.
 * @param partition  both keep.
 * @param attachment number of the attempt, which grows with each attempt of a node over all its lives.
 */
public record ChainLink(int nodeId, int partition, long attachment)
{
}
