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
package io.gradstream.cli.train;

import io.gradstream.launcher.process.StatusLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerProgressTest
{
    @Test
    void shouldHaveBegunWhenThereIsNothingLeftToDo()
    {
        final WorkerProgress worker = new WorkerProgress();

        worker.onLine(progress(0, 0));

        assertThat(worker.hasBegun()).isTrue();
    }

    @Test
    void shouldNotHaveBegunBeforeItsFirstBatch()
    {
        final WorkerProgress worker = new WorkerProgress();

        worker.onLine(progress(0, 9));
        assertThat(worker.hasBegun()).isFalse();

        worker.onLine(progress(1, 9));
        assertThat(worker.hasBegun()).isTrue();
    }

    private static StatusLine progress(final long batches, final long planned)
    {
        return new StatusLine(StatusLine.PROGRESS).with("slot", 0).with("batches", batches).with("planned", planned)
            .with("examples", 0).with("loss", 0.5).with("held", false);
    }
}
