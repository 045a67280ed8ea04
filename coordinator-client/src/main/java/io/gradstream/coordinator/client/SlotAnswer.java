// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

/**
 * The answer of the coordinators to a process that has asked for a slot.
 *
 * @param requestId   of the question.
 * @param slot        that the process has, or {@link #NONE_FREE}.
 * @param incarnation with which the process is to connect in that slot: above that of any process of the slot before.
 * @param slots       how many slots there may be.
 */
public record SlotAnswer(long requestId, int slot, long incarnation, int slots)
{
    /** In place of a slot: all are held, or have finished. */
    public static final int NONE_FREE = -1;
}
