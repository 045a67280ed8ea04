// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * The waits of a session before it tries again.
 *
 * @param helloRetryNs from a hello without answer, or a refusal of it, to the next hello.
 * @param busyRetryNs  from a busy partition to the next push or pull.
 * @param stallNs      without progress of what is outstanding until hello is said again.
 */
public record SessionTiming(long helloRetryNs, long busyRetryNs, long stallNs)
{
    /** 100 ms, 1 ms and 2 s. */
    public static final SessionTiming DEFAULT = new SessionTiming(100_000_000L, 1_000_000L, 2_000_000_000L);
}
