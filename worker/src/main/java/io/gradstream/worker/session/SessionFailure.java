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
 * Why a session can never go on.
 *
 * @param kind   of failure.
 * @param detail what was seen and what to do, one line.
 */
public record SessionFailure(Kind kind, String detail)
{
    /**
     * What kinds of failure there are.
     */
    public enum Kind
    {
        /** The partition expects pushes that this worker was told are safe and keeps no more. */
        PUSHES_LOST,
        /** Another process holds the slot. */
        FENCED,
        /** Worker and server disagree about the protocol. */
        REJECTED
    }
}
