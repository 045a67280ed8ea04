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
package io.gradstream.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(20)
class ArbiterTest
{
    private long nowMs = 1000;
    private final List<String> journal = new ArrayList<>();
    private final Arbiter arbiter = new Arbiter(2, List.of(List.of(0, 1), List.of(1, 0)), () -> nowMs, journal::add);
    private final List<ChainMap> told = new ArrayList<>();

    @Test
    void shouldTellFollowersTheMapOfNowAndEachNewOne()
    {
        arbiter.follow("one", told::add);
        assertThat(told).hasSize(1);
        line("register", 0, "");

        assertThat(told).hasSize(2);
        assertThat(told.get(1).incarnations()).containsExactly(10L, 0L);
        line("register", 0, "");
        assertThat(told).hasSize(2);
        assertThat(journal).containsExactly("COORDINATOR type=register node=0 incarnation=10",
            "map " + told.get(1).format(), "COORDINATOR type=register node=0 incarnation=10");
    }

    @Test
    void shouldTellAFollowerNoMoreWhenItsNameIsTakenByAnother()
    {
        arbiter.follow("one", told::add);
        arbiter.follow("one", (map) -> {});
        line("register", 0, "");

        assertThat(told).hasSize(1);
    }

    @Test
    void shouldDecideByTheLinesOfServers()
    {
        whole();
        assertThat(arbiter.isWhole()).isTrue();
        assertThat(arbiter.map().chains()).containsExactly(
            new Chain(1, 2, List.of(0, 1), Chain.NONE, 2), new Chain(1, 2, List.of(1, 0), Chain.NONE, 2));

        line("confirm", 0, "partition=0 version=2");
        line("suspect", 1, "partition=0 version=2 about=0");
        assertThat(arbiter.map().chains().get(0)).isEqualTo(new Chain(2, 3, List.of(1), Chain.NONE, 2));
        assertThat(arbiter.failovers()).isEqualTo(1);
        assertThat(arbiter.spuriousFailovers()).isZero();
        line("climbed", 0, "partition=0 epoch=1 position=64");
        assertThat(arbiter.spuriousFailovers()).isEqualTo(1);
    }

    @Test
    void shouldMeasureTheTimeInWhichCopiesAreMissing()
    {
        nowMs = 5000;
        whole();
        nowMs = 6000;
        assertThat(arbiter.degradedMs()).isZero();
        line("suspect", 1, "partition=0 version=2 about=0");
        nowMs = 6100;
        assertThat(arbiter.degradedMs()).isEqualTo(100);
        line("climbed", 0, "partition=0 epoch=1 position=64");
        line("admit", 1, "partition=0 version=4 about=0");
        nowMs = 7000;

        assertThat(arbiter.isWhole()).isTrue();
        assertThat(arbiter.degradedMs()).isEqualTo(100);
    }

    @Test
    void shouldLeaveOtherLinesToOthers()
    {
        assertThat(arbiter.onLine("READY node=0")).isFalse();
        assertThat(arbiter.onLine("COORDINATORS type=register")).isFalse();
        assertThat(arbiter.onLine("")).isFalse();
    }

    @Test
    void shouldSayWhichLineItDoesNotKnow()
    {
        line("register", 0, "");

        assertThatThrownBy(() -> line("elect", 0, "partition=0"))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("type=elect");
    }

    @Test
    void shouldUnderstandWhatAServerSaysThroughItsPipe() throws IOException
    {
        final PipedInputStream in = new PipedInputStream();
        final LineSender sender = LineSender.start("test", new PipedOutputStream(in));
        final List<ChainMap> maps = new ArrayList<>(List.of(arbiter.map()));
        final PipeCoordinator coordinator =
            new PipeCoordinator(sender, () -> maps.isEmpty() ? null : maps.remove(0));
        coordinator.register(1, 7);
        coordinator.climbed(1, 3, 640);
        coordinator.confirm(1, 1);
        coordinator.suspect(1, 1, 0);
        coordinator.admit(1, 1, 0);
        sender.close();

        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()).containsExactly(
            "COORDINATOR type=register node=1 incarnation=7",
            "COORDINATOR type=climbed node=1 incarnation=7 partition=1 epoch=3 position=640",
            "COORDINATOR type=confirm node=1 incarnation=7 partition=1 version=1",
            "COORDINATOR type=suspect node=1 incarnation=7 partition=1 version=1 about=0",
            "COORDINATOR type=admit node=1 incarnation=7 partition=1 version=1 about=0");
        assertThat(coordinator.poll()).isEqualTo(arbiter.map());
        assertThat(coordinator.poll()).isNull();
    }

    @Test
    void shouldNotWaitForAProcessThatDoesNotRead() throws IOException
    {
        final PipedInputStream in = new PipedInputStream(1);
        final LineSender sender = LineSender.start("test", new PipedOutputStream(in));
        final PipeCoordinator coordinator = new PipeCoordinator(sender, () -> null);
        int taken = 0;
        while (coordinator.register(0, taken + 1))
        {
            taken++;
            assertThat(taken).isLessThanOrEqualTo(2 * LineSender.MAX_LINES);
        }

        assertThat(taken).isGreaterThanOrEqualTo(LineSender.MAX_LINES);
    }

    @Test
    void shouldSendOnlyTheNewestOfLinesThatSupersedeEachOther() throws IOException
    {
        final PipedInputStream in = new PipedInputStream(1);
        final LineSender sender = LineSender.start("test", new PipedOutputStream(in));
        for (int i = 0; i < 1000; i++)
        {
            sender.offerNewest("map " + i);
        }
        sender.offer("release");
        sender.close();

        final List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).contains("map 999", "release");
        assertThat(lines.size()).isLessThan(10);
    }

    @Test
    void shouldTakeWhatIsSentToAProcessThatHasEnded() throws Exception
    {
        final LineSender sender = LineSender.start("test", new ByteArrayOutputStream()
        {
            @Override
            public void flush() throws IOException
            {
                throw new IOException("broken pipe");
            }
        });
        for (int i = 0; i < 2 * LineSender.MAX_LINES; i++)
        {
            while (!sender.offer("step"))
            {
                Thread.onSpinWait();
            }
        }
    }

    private void whole()
    {
        line("register", 0, "");
        line("register", 1, "");
        for (int partition = 0; partition < 2; partition++)
        {
            line("climbed", 0, "partition=" + partition + " epoch=0 position=0");
            line("climbed", 1, "partition=" + partition + " epoch=0 position=0");
            line("admit", partition, "partition=" + partition + " version=1 about=" + (1 - partition));
        }
    }

    private void line(final String type, final int node, final String fields)
    {
        final String text = "COORDINATOR type=" + type + " node=" + node + " incarnation=" + (10 + node) + " " + fields;
        assertThat(arbiter.onLine(text)).isTrue();
    }
}
