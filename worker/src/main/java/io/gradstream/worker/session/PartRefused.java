// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;

/**
 * A server refused a hello or a part, which consumed nothing.
 *
 * @param incarnation of the process that is answered.
 * @param helloId     of the hello, or of the one by which the slot is attached where the part came.
 * @param epoch       of the node that says so.
 * @param sequence    of the part, 0 for a hello.
 * @param expected    for a gap, the sequence that would be taken; for a hello that is fenced, the newest process of the
 *                    slot, or 0.
 * @param refusal     why.
 */
public record PartRefused(
    long incarnation, long helloId, long epoch, long sequence, long expected, Refusal refusal)
{
}
