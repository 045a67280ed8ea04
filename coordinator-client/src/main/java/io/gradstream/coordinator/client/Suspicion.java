// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

/**
 * A replica's word that its link to a neighbour in the chain has failed for the suspicion time, one way or both.
 *
 * @param nodeId     of the neighbour.
 * @param isAnswered true if the coordinators have answered the reporter since the link failed. If not, the reporter
 *                   itself may be the node that hears nobody.
 */
public record Suspicion(int nodeId, boolean isAnswered)
{
}
