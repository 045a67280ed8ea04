// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
