/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gradstream.worker.session.AckLevel;

/**
 * How a job survives failures: what its servers keep, and how long its workers keep their pushes.
 */
enum JobMode
{
    /** Snapshots only; what came after the last one is lost with a server, and counted. */
    CHECKPOINT("checkpoint", 0, AckLevel.APPLIED, List.of()),
    /** Snapshots and a recorded log, replayed after a restart. */
    REPLAY("replay", 0, AckLevel.RECORDED, List.of(AckLevel.APPLIED, AckLevel.COVERED)),
    /** As replay, and a standby on another server, which takes over. */
    CHAIN("chain", 1, AckLevel.REPLICATED, List.of(AckLevel.APPLIED, AckLevel.RECORDED, AckLevel.COVERED)),
    /** Snapshots only; workers keep their pushes until one covers them, and go on while servers are away. */
    STATELESS("stateless", 0, AckLevel.COVERED, List.of()),
    /** As chain, and workers keep their pushes until a snapshot covers them. */
    CHAIN_STATELESS("chain+stateless", 1, AckLevel.COVERED, List.of());

    private final String text;
    private final int standbys;
    private final AckLevel ack;
    private final List<AckLevel> otherAcks;

    JobMode(final String text, final int standbys, final AckLevel ack, final List<AckLevel> otherAcks)
    {
        this.text = text;
        this.standbys = standbys;
        this.ack = ack;
        this.otherAcks = otherAcks;
    }

    /**
     * The mode of a name.
     *
     * @throws UsageException naming what is allowed.
     */
    static JobMode parse(final String text)
    {
        final List<String> allowed = new ArrayList<>();
        for (final JobMode mode : values())
        {
            if (mode.text.equals(text))
            {
                return mode;
            }
            allowed.add(mode.text);
        }

        throw new UsageException("invalid --mode=" + text + ": must be " + String.join(" or ", allowed));
    }

    /**
     * The acknowledgement level asked for, or the mode's own.
     *
     * @param name of a level, or null.
     * @throws UsageException if there is no such level, or not in this mode.
     */
    AckLevel ackLevel(final String name)
    {
        if (null == name || name(ack).equals(name))
        {
            return ack;
        }
        for (final AckLevel level : AckLevel.values())
        {
            if (name(level).equals(name))
            {
                if (!otherAcks.contains(level))
                {
                    throw new UsageException("--ack " + name + " contradicts --mode " + text + ": " + reason(level));
                }
                return level;
            }
        }

        throw new UsageException("invalid --ack=" + name + ": must be applied, replicated, recorded or covered");
    }

    /**
     * Standbys of each partition, unless asked otherwise.
     */
    int standbys()
    {
        return standbys;
    }

    /** Is one process of a partition to take over from another? Then a coordinator decides who. */
    boolean isChained()
    {
        return standbys > 0;
    }

    /** Do workers go on while servers are away? */
    boolean isStateless()
    {
        return this == STATELESS || this == CHAIN_STATELESS;
    }

    /** Does it promise that nothing is lost when servers are killed? */
    boolean isLossless()
    {
        return this != CHECKPOINT;
    }

    @Override
    public String toString()
    {
        return text;
    }

    static String name(final AckLevel level)
    {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private String reason(final AckLevel level)
    {
        if (isStateless())
        {
            return "its workers keep pushes until a snapshot covers them; use covered, or leave it out";
        }
        if (this == CHECKPOINT)
        {
            return AckLevel.COVERED == level ?
                "keeping pushes until a snapshot covers them is --mode stateless" :
                "its servers keep neither log nor standby; use applied, or leave it out";
        }
        return "it has no standbys; use --mode chain";
    }
}
