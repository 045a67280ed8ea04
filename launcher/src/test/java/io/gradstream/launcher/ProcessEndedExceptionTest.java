// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
