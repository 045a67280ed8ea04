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
package io.gradstream.cli.options;

import java.util.Locale;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.worker.session.AckLevel;

/**
 * Reads {@code --mode} and {@code --ack}, which must not contradict each other.
 */
public final class ModeOptions
{
    /** Most standbys of a partition. */
    public static final int MAX_STANDBYS = 2;

    private ModeOptions()
    {
    }

    /**
     * The mode of a name.
     *
     * @throws UsageException naming what is allowed.
     */
    public static RecoveryMode mode(final String name)
    {
        try
        {
            return RecoveryMode.of(name);
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
