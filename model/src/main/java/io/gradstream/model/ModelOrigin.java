// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

/**
 * The origin of a model.
 *
 * @param jobId        the job that trained it.
 * @param clock        iterations that every slot had ended; -1 where there is none.
 * @param partitions   of the job.
 * @param servers      of the job.
 * @param exportedAtMs when it was taken out, in milliseconds since 1970 (UTC).
 */
public record ModelOrigin(int jobId, long clock, int partitions, int servers, long exportedAtMs)
{
    /** The clock of a model that is of no iteration in particular. */
    public static final long NO_CLOCK = -1;
}
