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
package io.gradstream.launcher;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessEndedExceptionTest
{
    @Test
    void shouldPointToErrorsOnlyIfThereAreSome()
    {
        assertThat(new ProcessEndedException("worker-0", 1, "a\nthe table is full"))
            .hasMessage("worker-0 ended with exit code 1: see its errors above");
        assertThat(new ProcessEndedException("worker-0", 1, "")).hasMessage(
            "worker-0 ended with exit code 1: it wrote no error");
        assertThat(new ProcessEndedException("worker-0", 137, "server: node 0 is not READY yet")).hasMessage(
            "worker-0 ended with exit code 137: it was killed, by somebody or by a system without memory");
    }

    @Test
    void shouldQuoteTheLastErrorAsTheReasonUnlessTheProcessWasKilled()
    {
        assertThat(ProcessEndedException.reason(1, "a\nthe table is full")).isEqualTo("the table is full");
        assertThat(ProcessEndedException.reason(1, "")).isEqualTo("it wrote no error");
        assertThat(ProcessEndedException.reason(137, "server: node 0 is not READY yet"))
            .isEqualTo("it was killed, by somebody or by a system without memory");
    }
}
