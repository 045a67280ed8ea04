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
package io.gradstream.server.node;

import io.gradstream.codecs.AwaitedWatermark;
import io.gradstream.server.node.WorkerConnection.Watermark;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class AwaitedRecordingTest
{
    private final Watermark watermark = new Watermark();

    @ParameterizedTest
    @CsvSource({
        AwaitedWatermark.ANY + ", false, true",
        AwaitedWatermark.APPLIED + ", false, false",
        AwaitedWatermark.APPLIED + ", true, false",
        AwaitedWatermark.REPLICATED + ", false, false",
        AwaitedWatermark.REPLICATED + ", true, true",
        AwaitedWatermark.RECORDED + ", false, true"})
    void shouldWaitForTheRecordingOnlyIfItsPushesDo(
        final int awaited, final boolean isReplicatedByRecording, final boolean isAwaited)
    {
        watermark.awaited = awaited;
        watermark.set(7, 6, 6, 0);
        assertThat(watermark.isRecordingAwaited(isReplicatedByRecording)).isEqualTo(isAwaited);

        watermark.set(7, 7, 7, 0);
        assertThat(watermark.isRecordingAwaited(isReplicatedByRecording)).isFalse();
    }
}
