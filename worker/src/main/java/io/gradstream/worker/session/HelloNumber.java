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
package io.gradstream.worker.session;

/**
 * Number of the hello by which a session is attached or wants to be. Answers name it, so that one which comes late
 * from an earlier connection is known as such. A hello that is sent again because no answer came keeps its number.
 */
final class HelloNumber
{
    private final WorkerIdentity identity;
    private long number;
    private boolean isOver = true;

    HelloNumber(final WorkerIdentity identity)
    {
        this.identity = identity;
    }

    long toSend()
    {
        return isOver ? number + 1 : number;
    }

    void onSent()
    {
        number = toSend();
        isOver = false;
    }

    /**
     * Whatever answers the last hello does not count any more.
     */
    void end()
    {
        isOver = true;
    }

    boolean isAnsweredBy(final long messageIncarnation, final long helloId)
    {
        return !isOver && messageIncarnation == identity.incarnation() && helloId == number;
    }
}
