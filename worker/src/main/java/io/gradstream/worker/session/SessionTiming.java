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
 * The waits of a session before it tries again.
 *
 * @param helloRetryNs from a hello without answer, or a refusal of it, to the next hello.
 * @param busyRetryNs  from a busy partition to the next push or pull.
 * @param stallNs      without progress of what is outstanding until hello is said again.
 */
public record SessionTiming(long helloRetryNs, long busyRetryNs, long stallNs)
{
    /** 100 ms, 1 ms and 2 s. */
    public static final SessionTiming DEFAULT = new SessionTiming(100_000_000L, 1_000_000L, 2_000_000_000L);
}
