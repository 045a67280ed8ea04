// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.Arrays;
import java.util.Locale;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Option;

/**
 * Options that say what servers keep, and the reading of {@code --ack}, which must not contradict them.
 */
@OptionGroup(OptionGroup.Heading.CLUSTER)
public final class ModeOptions
{
    private static final int MAX_REPLICAS = 3;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "replay",
        description = "What servers keep, and how a job survives: checkpoint, replay, chain, stateless or" +
            " chain+stateless. Default: ${DEFAULT-VALUE}.")
    private String mode;

    @Option(names = "--replicas", paramLabel = "1|2|3",
        description = "Replicas of each partition, each on another server, the primary included. Default: 2 with" +
            " chain, else 1.")
    private Integer replicas;

    /**
     * Replicas of each partition, the primary included: those asked for, or the mode's own.
     *
     * @throws UsageException if there are more than a partition can have, or more than the mode has.
     */
    public int replicas()
    {
        final int count = null == replicas ? (mode().isReplicated() ? 2 : 1) : replicas;
        CommonOptions.checkRange("replicas", count, 1, MAX_REPLICAS);
        UsageException.refuseIf(count > 1 && !mode().isReplicated(),
            "--replicas " + count + " contradicts --mode " + mode().label() +
                ": use --mode chain or chain+stateless, or --replicas 1");

        return count;
    }

    /** The mode asked for. */
    public RecoveryMode mode()
    {
        return UsageException.refusing(() -> RecoveryMode.of(mode));
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
        UsageException.refuseIf(!mode.offers(name(level)),
            "--ack " + name + " contradicts --mode " + mode + ": " +
                reason(mode) + "; use " + mode.ackLevel() + ", or leave it out");

        return level;
    }

    /** The acknowledgement level of a name. */
    public static AckLevel ackLevel(final String name)
    {
        return Arrays.stream(AckLevel.values()).filter((level) -> name(level).equals(name)).findAny().orElseThrow(() ->
            new UsageException("invalid --ack=" + name + ": must be applied, replicated, recorded or snapshotted"));
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
