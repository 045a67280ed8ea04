// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/** The safety that a push must have before it counts as acknowledged and leaves the spool. */
public enum AckLevel
{
    /** The primary has applied it. */
    APPLIED,
    /** Every in-sync replica has applied it. */
    REPLICATED,
    /** It is on the disk of every in-sync replica. */
    RECORDED,
    /** It is in the oldest snapshot that is kept. */
    SNAPSHOTTED
}
