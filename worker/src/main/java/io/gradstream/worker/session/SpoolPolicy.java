// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/** The fate of a push that finds its spool full. */
public enum SpoolPolicy
{
    /** It waits for room, as long as the operation timeout. */
    BLOCK,
    /** It is not made, counted, and its caller is told. */
    DROP_NEWEST
}
