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
package io.gradstream.coordinator.client;

/**
 * A replica's word that its link to a neighbour in the chain has failed for the suspicion time, one way or both.
 *
 * @param nodeId     of the neighbour.
 * @param isAnswered have the coordinators answered the reporter since the link failed? If not, the reporter itself may
 *                   be the node that hears nobody.
 */
public record Suspicion(int nodeId, boolean isAnswered)
{
}
