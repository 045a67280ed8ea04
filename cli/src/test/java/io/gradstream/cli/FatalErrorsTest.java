// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.launcher.process.ParentLink;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FatalErrorsTest
{
    private static final long TIMEOUT_SECONDS = 60;

    @Test
    void shouldEndTheProcessWhateverThreadsItHas() throws Exception
    {
        final Process process = start("thread");

        final String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(errors).isEqualTo(1);
        assertThat(errors.strip()).isEqualTo("gradstream: the process ends, for its thread worn-out met" +
            " OutOfMemoryError: Java heap space; give it more memory (GRADSTREAM_JAVA_OPTS=-Xmx1g for ./gradstream," +
            " --worker-heap for the workers of train), or use fewer --partitions");
    }

    @Test
    void shouldLetAProcessLiveOnWhoseThreadMeetsAnException() throws Exception
    {
        final Process process = start("exception");

        final String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(out.strip()).isEqualTo("still here");
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void shouldNameTheErrorAlsoWithoutAMessage()
    {
        assertThat(FatalErrors.text("main", new StackOverflowError()))
            .startsWith("the process ends, for its thread main met StackOverflowError; ");
    }

    @Test
    void shouldSayWhatToDoWhereNoFileOfAClassCanBeOpened()
    {
        assertThat(FatalErrors.text("main", new NoClassDefFoundError("com/google/gson/Gson")))
            .contains("NoClassDefFoundError: com/google/gson/Gson").endsWith("with ulimit -n 4096");
    }

    @Test
    void shouldNotTakeAnErrorOfACommandThatIsAMethodForAFailureOfTheCommand()
    {
        final CommandLine commandLine = Gradstream.commandLine();
        commandLine.addSubcommand("failing", new CommandThatIsAMethod());

        assertThatThrownBy(() -> commandLine.execute("failing", "now")).isInstanceOf(OutOfMemoryError.class);
    }

    @Command(name = "failing")
    static final class CommandThatIsAMethod
    {
        @Command
        int now()
        {
            throw new OutOfMemoryError("Java heap space");
        }
    }

    private static Process start(final String what) throws Exception
    {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((flag) -> flag.startsWith("--")).forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Victim.class.getName(), what));
        return new ProcessBuilder(command).start();
    }

    /** A process as the commands are: it stops in order, and has threads that are no daemons. */
    static final class Victim
    {
        private Victim()
        {
        }

        public static void main(final String[] arguments) throws InterruptedException
        {
            FatalErrors.install();
            final boolean isError = "thread".equals(arguments[0]);
            try (ParentLink link = ParentLink.open(false))
            {
                final Thread thread = new Thread(() ->
                {
                    if (isError)
                    {
                        throw new OutOfMemoryError("Java heap space");
                    }
                    throw new IllegalStateException("not fatal");
                }, "worn-out");
                thread.start();
                thread.join();
                // without the error the process would end here
                while (isError && !link.isStopped())
                {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            System.out.println("still here");
            if (!isError)
            {
                System.exit(0);
            }
        }
    }
}
