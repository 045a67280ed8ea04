// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Refusal;

/**
 * A partition refused a part of a push, or a pull, for its content. Other parts of the same ticket may have been
 * taken.
 */
public class PushRefusedException extends GradstreamException
{
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;
    private final int partition;

    /**
     * An exception with the refusal.
     *
     * @param refusal   reason for it.
     * @param partition that refused.
     */
    public PushRefusedException(final Refusal refusal, final int partition)
    {
        super("partition=" + partition + " refused with " + refusal + advice(refusal));
        this.refusal = refusal;
        this.partition = partition;
    }

    /**
     * An exception with the first of several refusals.
     *
     * @param count     of pushes that were refused.
     * @param refusal   reason for the first.
     * @param partition that refused it.
     */
    PushRefusedException(final long count, final Refusal refusal, final int partition)
    {
        super(count + " pushes were refused and are not in the model, one of them by partition=" + partition +
            " with " + refusal + advice(refusal));
        this.refusal = refusal;
        this.partition = partition;
    }

    /** The reason for the refusal. */
    public Refusal refusal()
    {
        return refusal;
    }

    /** Number of the partition that refused. */
    public int partition()
    {
        return partition;
    }

    private static String advice(final Refusal refusal)
    {
        return switch (refusal)
        {
            case ROW_NOT_FINITE -> ": the push would make a row infinite or NaN; lower the rate, or clip (clip=C in" +
                " the table's function). Other partitions have taken their parts of it: do not push the same again";
            case BAD_KEY -> ": a key does not belong there: do client and servers have the same number of partitions?";
            case OUT_OF_ROWS -> ": the table is full; give the job more rows (coordinator --rows), or push fewer keys" +
                "; if the job has a limit of bytes (job list), raise it (job set --max-row-bytes)";
            case NOT_FINITE -> ": a gradient is infinite or NaN; lower the rate, or clip gradients";
            case DIMENSION_MISMATCH -> ": rows of another length than the table's; open it with its own specification";
            default -> "";
        };
    }
}
