// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands in a mount namespace of their own, where /dev/shm is too small.
 */
@Tag("faults")
class SmallSharedMemoryIT
{
    private static final long TIMEOUT_SECONDS = 60;
    private static final int EXIT_NO_SPACE = 3;

    @TempDir
    private Path directory;

    @BeforeEach
    void requireNamespaces() throws InterruptedException
    {
        Assumptions.assumeTrue(hasNamespaces(),
            "SKIPPED: no mount namespaces here; they need root and unshare of util-linux");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "media-driver --stop-on-eof",
        "server --node-id 0 --coordinator 127.0.0.1:MEMBER --endpoint 127.0.0.1:PORT --dir DIR/server --stop-on-eof",
        "coordinator --members 127.0.0.1:MEMBER --dir DIR/coordinator --stop-on-eof"})
    void shouldSayHowMuchIsNeededWhereAndWhatToDo(final String line) throws Exception
    {
        final Command command = Command.run(directory, TIMEOUT_SECONDS, inSharedMemoryOf(40, List.of()), Map.of(),
            line.replace("DIR", directory.toString()).replace("MEMBER", Integer.toString(CoordinatorIT.freeRange()))
                .replace("PORT", Integer.toString(CoordinatorIT.freePort())).split(" "));

        assertThat(command.exitCode()).as(command.err()).isEqualTo(EXIT_NO_SPACE);
        assertThat(command.err())
            .containsPattern("not enough room for the Aeron directory /dev/shm/\\S+: needs \\d+ MiB")
            .contains("has 40 MiB", "--shm-size", "--aeron-dir").doesNotContain("SIGBUS");
    }

    /** There is room for each driver alone: five processes would end in the middle of a write. */
    @ParameterizedTest
    @CsvSource({"40,train --examples 1000", "200,train --mode chain --coordinators 3 --examples 1000"})
    void shouldSayHowMuchProcessesNeedTogether(final int mib, final String line) throws Exception
    {
        final Command command = Command.run(
            directory, TIMEOUT_SECONDS, inSharedMemoryOf(mib, List.of()), Map.of(), line.split(" "));

        assertThat(command.exitCode()).as(command.err()).isEqualTo(EXIT_NO_SPACE);
        assertThat(command.err())
            .containsPattern("not enough room in /dev/shm: needs \\d+ MiB at least, for \\d media drivers")
            .contains("has " + mib + " MiB", "--shm-size", "--coordinators").doesNotContain("fault");
    }

    /** More streams than there is room for are refused; what there is room for can be filled. */
    @Test
    void shouldRefuseStreamsRatherThanCrash() throws Exception
    {
        final Command filler = Command.runMain(directory, TIMEOUT_SECONDS, inSharedMemoryOf(130, List.of()), Map.of(),
            SharedMemoryFiller.class.getName());

        assertThat(filler.exitCode()).as(filler.err()).isZero();
        assertThat(filler.out()).contains("refused after");
    }

    private static boolean hasNamespaces() throws InterruptedException
    {
        try
        {
            return 0 == new ProcessBuilder(inSharedMemoryOf(1, List.of("true")))
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        }
        catch (final IOException noSuchCommand)
        {
            return false;
        }
    }

    private static List<String> inSharedMemoryOf(final int mib, final List<String> command)
    {
        final List<String> line = new ArrayList<>(Arrays.asList("unshare", "-m", "sh", "-c",
            "mount -t tmpfs -o size=" + mib + "m tmpfs /dev/shm && exec \"$@\"", "sh"));
        line.addAll(command);

        return line;
    }
}
