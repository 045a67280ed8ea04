// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/** Told when a partition that changed its primary acknowledges again. */
@FunctionalInterface
public interface OutageListener
{
    /**
     * A part that was outstanding when the new epoch began is acknowledged (or none was outstanding).
     *
     * @param partition   that is back.
     * @param epoch       of its new primary.
     * @param outstanding parts not acknowledged when the new primary said welcome.
     * @param lostNs      when the old primary last acknowledged a part, or if it never did, when this worker lost it.
     * @param nowNs       when the first outstanding part was acknowledged.
     */
    void onServiceBack(int partition, long epoch, int outstanding, long lostNs, long nowNs);
}
