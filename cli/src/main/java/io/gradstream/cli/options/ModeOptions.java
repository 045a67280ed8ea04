// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.Locale;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.worker.session.AckLevel;
import picocli.CommandLine.Option;

/**
 * Options that say what servers keep, and the reading of {@code --ack}, which must not contradict them.
 */
public final class ModeOptions
{
    /** Most standbys of a partition. */
    private static final int MAX_STANDBYS = 2;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "replay",
        description = "What servers keep, and how a job survives: checkpoint, replay, chain, stateless or" +
            " chain+stateless. Default: ${DEFAULT-VALUE}.")
    private String mode;

    @Option(names = "--standbys", paramLabel = "0|1|2",
        description = "Standbys of each partition, on other servers. Default: 1 with chain, else 0.")
    private Integer standbys;

    /** Standbys of each partition: those asked for, or the mode's own. */
    public int standbys()
    {
        final int count = null == standbys ? (mode().isReplicated() ? 1 : 0) : standbys;
        CommonOptions.checkRange("standbys", count, 0, MAX_STANDBYS);

        return count;
    }

    /**
     * The mode asked for.
     *
     * @throws UsageException naming what is allowed.
     */
    public RecoveryMode mode()
    {
        try
        {
            return RecoveryMode.of(mode);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage().replace("invalid ", "invalid --"));
        }
    }

    /**
     * The acknowledgement level asked for, or the mode's own.
     *
     * @param name of a level, or null.
     * @throws UsageException if there is no such level, or the mode does not offer it.
     */
    public static AckLevel ackLevel(final RecoveryMode mode, final String name)
    {
        final AckLevel level = ackLevel(null == name ? mode.ackLevel() : name);
        if (!mode.offers(name(level)))
        {
            throw new UsageException("--ack " + name + " contradicts --mode " + mode + ": " +
                reason(mode) + "; use " + mode.ackLevel() + ", or leave it out");
        }

        return level;
    }

    /**
     * The acknowledgement level of a name.
     *
     * @throws UsageException if there is no such level.
     */
    public static AckLevel ackLevel(final String name)
    {
        for (final AckLevel level : AckLevel.values())
        {
            if (name(level).equals(name))
            {
                return level;
            }
        }

        throw new UsageException("invalid --ack=" + name + ": must be applied, replicated, recorded or snapshotted");
    }

    public static String name(final AckLevel level)
    {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private static String reason(final RecoveryMode mode)
    {
        return mode.isStateless() ?
            "its workers keep pushes until a snapshot covers them" : "its servers keep neither log nor standby";
    }
}
