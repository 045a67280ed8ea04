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

import io.gradstream.codecs.Refusal;

/**
 * A server refused a hello or a part, which consumed nothing.
 *
 * @param incarnation of the process that is answered.
 * @param helloId     of the hello, or of the one by which the slot is attached where the part came.
 * @param epoch       of the node that says so.
 * @param sequence    of the part, 0 for a hello.
 * @param expected    for a gap, the sequence that would be taken; for a hello that is fenced, the newest process of the
 *                    slot, or 0.
 * @param refusal     why.
 */
public record PartRefused(
    long incarnation, long helloId, long epoch, long sequence, long expected, Refusal refusal)
{
}
