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
 * The safety that a push must have before it counts as acknowledged and leaves the spool.
 */
public enum AckLevel
{
    /** The primary has applied it. */
    APPLIED,
    /** Every in-sync replica has applied it. */
    REPLICATED,
    /** It is on the disk of every in-sync replica. */
    RECORDED,
    /** It is in the oldest snapshot that is kept. */
    SNAPSHOTTED
}
