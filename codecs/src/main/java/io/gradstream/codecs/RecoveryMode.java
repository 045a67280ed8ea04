// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The way a job survives failures: what servers keep, and how long workers keep their pushes. */
public enum RecoveryMode
{
    /** Servers keep snapshots: a lost primary goes back to the last one, and what came after it is lost and counted. */
    CHECKPOINT("checkpoint", false, false, "applied"),
    /** Servers keep snapshots and a recorded log: a lost primary comes back as it was. */
    REPLAY("replay", true, false, "recorded"),
    /** As replay, with standbys: one of them takes a lost primary's place. */
    CHAIN("chain", true, true, "replicated"),
    /** Servers keep snapshots: workers keep their pushes until one covers them, and go on without servers. */
    STATELESS("stateless", false, false, "snapshotted"),
    /** As chain, but workers keep their pushes until a snapshot covers them: survives the loss of every server. */
    CHAIN_STATELESS("chain+stateless", true, true, "snapshotted");

    private final String label;
    private final boolean keepsLog;
    private final boolean isReplicated;
    private final String ackLevel;

    RecoveryMode(final String label, final boolean keepsLog, final boolean isReplicated, final String ackLevel)
    {
        this.label = label;
        this.keepsLog = keepsLog;
        this.isReplicated = isReplicated;
        this.ackLevel = ackLevel;
    }

    /**
     * The mode of a name as users write it.
     *
     * @param label such as {@code chain+stateless}.
     * @return the mode.
     * @throws IllegalArgumentException if there is no such mode; its message lists those there are.
     */
    public static RecoveryMode of(final String label)
    {
        for (final RecoveryMode mode : values())
        {
            if (mode.label.equals(label))
            {
                return mode;
            }
        }

        throw new IllegalArgumentException("invalid mode=" + label + ": must be " +
            Arrays.stream(values()).map(RecoveryMode::label).collect(Collectors.joining(", ")));
    }

    /** The name that users write. */
    public String label()
    {
        return label;
    }

    /**
     * True if servers record the log. If not, a server that starts must be granted its epoch by the coordinator: what
     * the server keeps does not tell which epochs there have been.
     */
    public boolean keepsLog()
    {
        return keepsLog;
    }

    /** True if there are standbys. */
    public boolean isReplicated()
    {
        return isReplicated;
    }

    /** True if workers keep every push until a snapshot covers it, and go on while no server can be reached. */
    public boolean isStateless()
    {
        return STATELESS == this || CHAIN_STATELESS == this;
    }

    /** True if pushes that were acknowledged may be lost. They are counted then. */
    public boolean acceptsLoss()
    {
        return CHECKPOINT == this;
    }

    /**
     * The level at which a push is acknowledged, unless the user asks for another one that the mode offers.
     *
     * @return applied, replicated, recorded or snapshotted.
     */
    public String ackLevel()
    {
        return ackLevel;
    }

    /**
     * True if a push may be acknowledged at a level in this mode.
     *
     * @param level applied, replicated, recorded or snapshotted.
     * @return false if there is no such level, or it would promise what the mode does not keep.
     */
    public boolean offers(final String level)
    {
        return switch (level)
        {
            case "applied" -> !isStateless();
            case "replicated", "recorded" -> keepsLog && !isStateless();
            case "snapshotted" -> true;
            default -> false;
        };
    }

    @Override
    public String toString()
    {
        return label;
    }
}
