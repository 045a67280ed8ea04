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
package io.gradstream.codecs;

/**
 * Numbers of the Aeron streams of the conversations between workers, servers and servers among themselves.
 */
public final class Streams
{
    /** What workers send to a server. */
    public static final int INGRESS = 101;
    /** What servers send to a worker. */
    public static final int RESPONSE = 102;
    /** What a node sends to a neighbour in a chain: records and snapshots. */
    public static final int CHAIN = 103;
    /** What a node tells a neighbour in a chain and must not wait: heartbeats and how far it has come. */
    public static final int CHAIN_CONTROL = 104;

    private Streams()
    {
    }
}
