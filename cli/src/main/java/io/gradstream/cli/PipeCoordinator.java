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

import java.util.function.Supplier;

import io.gradstream.codecs.ChainMap;
import io.gradstream.server.coordinator.CoordinatorPort;

/**
 * The coordinator of a server whose parent process runs the {@link Arbiter}: what it tells goes out by standard output,
 * maps come in by standard input. For one thread.
 */
final class PipeCoordinator implements CoordinatorPort
{
    static final String REGISTER = "register";
    static final String CLIMBED = "climbed";
    static final String CONFIRM = "confirm";
    static final String SUSPECT = "suspect";
    static final String ADMIT = "admit";

    private final LineSender toParent;
    private final Supplier<ChainMap> maps;
    private int node;
    private long incarnation;

    PipeCoordinator(final LineSender toParent, final Supplier<ChainMap> maps)
    {
        this.toParent = toParent;
        this.maps = maps;
    }

    @Override
    public boolean register(final int nodeId, final long newIncarnation)
    {
        node = nodeId;
        incarnation = newIncarnation;
        return send(line(REGISTER));
    }

    @Override
    public boolean climbed(final int partition, final long epoch, final long position)
    {
        return send(line(CLIMBED).with("partition", partition).with("epoch", epoch).with("position", position));
    }

    @Override
    public boolean confirm(final int partition, final long version)
    {
        return send(line(CONFIRM).with("partition", partition).with("version", version));
    }

    @Override
    public boolean suspect(final int partition, final long version, final int nodeId)
    {
        return send(line(SUSPECT).with("partition", partition).with("version", version).with("about", nodeId));
    }

    @Override
    public boolean admit(final int partition, final long version, final int nodeId)
    {
        return send(line(ADMIT).with("partition", partition).with("version", version).with("about", nodeId));
    }

    @Override
    public ChainMap poll()
    {
        return maps.get();
    }

    private Line line(final String type)
    {
        return new Line(Line.COORDINATOR).with("type", type).with("node", node).with("incarnation", incarnation);
    }

    private boolean send(final Line line)
    {
        return toParent.offer(line.toString());
    }
}
