// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page as a person sees it: a browser looks on while a primary is killed in the middle of training.
 */
@Tag("faults")
@Tag("alone")
class ConsoleIT
{
    private static final long TIMEOUT_SECONDS = 40;
    private static final Pattern URL = Pattern.compile("the run is shown at (http://127\\.0\\.0\\.1:\\d+/)");
    private static final String POINTS =
        "(document.querySelector('#chart-loss .curve')?.getAttribute('d').match(/[ML]/g) || []).length";
    private static final String MARK = "document.querySelectorAll('#chart-loss .mark.%s line').length === 1";
    private static final String ALL_SERVED = "document.querySelector('#tile-served b').textContent === '4 of 4' && " +
        "document.querySelectorAll('#partitions tr.served').length === 4";

    @TempDir
    private Path directory;

    @Test
    @Timeout(120)
    void shouldShowTheCurveTheKillTheFailoverAndAllPartitionsServedInTheEnd() throws Exception
    {
        final Path program = Browser.find();
        Assumptions.assumeTrue(null != program, "no chromium here: apt-get install chromium");
        final Path picture = directory.resolve("curves.png");
        final Process train = Command.start(directory, "train", "--mode", "chain", "--kill", "primary@40%",
            "--examples", "24000", "--features", "16384", "--pace", "60",
            "--ui", "--serve-after", "60s", "--plot", picture.toString());
        try
        {
            final String url = awaitUrl(train);
            try (Browser browser = Browser.open(program, Files.createDirectory(directory.resolve("profile")), url))
            {
                browser.await(POINTS + " >= 3", TIMEOUT_SECONDS);
                assertThat(browser.evaluate("document.querySelectorAll('#chart-loss .mark.kill').length"))
                    .as("before the kill").isEqualTo("0");
                assertThat(browser.evaluate("document.querySelectorAll('#nodes tbody tr').length")).isEqualTo("2");
                final int early = Integer.parseInt(browser.evaluate(POINTS));

                browser.await(String.format(MARK, "kill"), TIMEOUT_SECONDS);
                browser.await(String.format(MARK, "failover"), TIMEOUT_SECONDS);
                browser.await(String.format(MARK, "service_back"), TIMEOUT_SECONDS);
                browser.await(POINTS + " > " + (early + 5), TIMEOUT_SECONDS);
                browser.await("document.querySelector('#state').textContent === 'ended'", TIMEOUT_SECONDS);

                browser.await(ALL_SERVED, 1);
                assertThat(browser.evaluate("document.querySelector('#tile-failovers b').textContent")).isEqualTo("1");
                assertThat(browser.evaluate("document.querySelector('#events').innerText"))
                    .contains("kill -9 of server", "leads partitions", "service is back after");
                assertThat(browser.evaluate("document.querySelectorAll('.chip.head').length")).isEqualTo("4");
                assertThat(browser.evaluate("performance.getEntriesByType('resource').every((r) => " +
                    "r.name.startsWith(location.origin))")).as("nobody else was asked").isEqualTo("true");
            }
            assertThat(picture).exists();
        }
        finally
        {
            train.destroy();
            assertThat(train.waitFor(20, TimeUnit.SECONDS)).as("ends on SIGTERM").isTrue();
        }
    }

    private String awaitUrl(final Process train) throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        final Path errors = directory.resolve(Command.ERRORS);
        Matcher url = URL.matcher(Files.readString(errors));
        while (!url.find())
        {
            assertThat(train.isAlive() && System.nanoTime() - deadlineNs < 0).as(Files.readString(errors)).isTrue();
            TimeUnit.MILLISECONDS.sleep(20);
            url = URL.matcher(Files.readString(errors));
        }

        return url.group(1);
    }
}
