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
package io.gradstream.perf.peers;

/**
 * The server's side of a peer: it applies pushes and answers pulls.
 */
interface PeerService extends AutoCloseable
{
    /** Longest wait in one duty cycle, and so until a command of the parent is heard. */
    long MAX_WAIT_NS = 5_000_000;

    /** Where it listens on the loopback address. */
    int port();

    /**
     * One duty cycle.
     *
     * @param isBusy shall it never sleep? A service with threads of its own does not care.
     */
    void doWork(boolean isBusy);

    @Override
    void close();
}
