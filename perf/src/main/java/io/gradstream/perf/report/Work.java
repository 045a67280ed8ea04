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
package io.gradstream.perf.report;

import io.gradstream.perf.measure.ByteSize;

/**
 * What a system was asked to do: the same words for the same work let ours and a peer's be put side by side.
 *
 * @param isPush a push until the server has applied it, or a pull?
 * @param bytes  of a transfer.
 * @param depth  transfers outstanding.
 */
public record Work(boolean isPush, int bytes, int depth)
{
    public static Work push(final int bytes, final int depth)
    {
        return new Work(true, bytes, depth);
    }

    public static Work pull(final int bytes, final int depth)
    {
        return new Work(false, bytes, depth);
    }

    /** The measure of its median latency, in microseconds. */
    public String latency()
    {
        return text() + ", p50";
    }

    /** The measure of its payload, in millions of bytes a second. */
    public String goodput()
    {
        return text() + ", goodput";
    }

    private String text()
    {
        return (isPush ? "push " : "pull ") + ByteSize.text(bytes) + ", depth " + depth;
    }
}
