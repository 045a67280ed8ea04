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
package io.gradstream.server.partition;

/**
 * The fate of a message at a partition.
 */
public enum Outcome
{
    /** It is in the log and in the state (for a part refused for its content: its refusal is). */
    APPENDED,
    /** It had been appended before; the watermarks say how far it has come. */
    DUPLICATE,
    /** It was refused, with {@link Partition#refusal()}, and consumed nothing. */
    REFUSED,
    /** There is no room now and nothing has happened: do not consume the message. */
    NOT_NOW;

    /** Of a message for which there was room in the log, or not. */
    static Outcome appendedIf(final boolean isAppended)
    {
        return isAppended ? APPENDED : NOT_NOW;
    }
}
