// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Chromium without a window, that shows one page; expressions are evaluated there over its DevTools protocol.
 */
final class Browser implements AutoCloseable
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long ANSWER_TIMEOUT_S = 15;
    private static final long POLL_MS = 50;
    private static final int MAX_ANSWERS = 256;
    private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\"\\s*:\\s*\"(ws://[^\"]+)\"");
    private static final Pattern VALUE =
        Pattern.compile("\"value\"\\s*:\\s*(\"((?:[^\"\\\\]|\\\\.)*)\"|[^,}\\s]+)");

    private final Process process;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>(MAX_ANSWERS);
    private final WebSocket socket;
    private int lastId;

    private Browser(final Process process, final String address)
    {
        this.process = process;
        socket = HttpClient.newHttpClient().newWebSocketBuilder()
            .buildAsync(URI.create(address), new Listener()).join();
    }

    /** Where it is installed, or null if it is not. */
    static Path find()
    {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .flatMap((directory) -> Stream.of("chromium", "chromium-browser", "google-chrome")
                .map((name) -> Path.of(directory, name)))
            .filter(Files::isExecutable).findFirst().orElse(null);
    }

    /**
     * Start it, and let it load a page.
     *
     * @param directory empty, for its profile.
     */
    static Browser open(final Path program, final Path directory, final String url)
        throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(List.of(program.toString(), "--headless", "--no-sandbox",
            "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--window-size=1400,980",
            "--remote-debugging-port=0", "--user-data-dir=" + directory, url))
            .redirectErrorStream(true).redirectOutput(directory.resolve("output").toFile()).start();
        try
        {
            return new Browser(process, awaitPage(process, directory.resolve("DevToolsActivePort")));
        }
        catch (final IOException | InterruptedException | RuntimeException ex)
        {
            process.destroyForcibly();
            throw ex;
        }
    }

    /**
     * The value of an expression in the page.
     *
     * @return text, number or truth value, as text.
     */
    String evaluate(final String expression) throws InterruptedException
    {
        final int id = ++lastId;
        socket.sendText("{\"id\":" + id + ",\"method\":\"Runtime.evaluate\",\"params\":{\"returnByValue\":true," +
            "\"expression\":\"" + expression.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}}", true).join();
        String answer = "";
        while (!answer.startsWith("{\"id\":" + id + ","))
        {
            answer = answers.poll(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
            if (null == answer)
            {
                throw new AssertionError("no answer of the browser to " + expression);
            }
        }
        final Matcher value = VALUE.matcher(answer);
        if (!value.find())
        {
            throw new AssertionError("no value of " + expression + ": " + answer);
        }

        return null == value.group(2) ? value.group(1) : value.group(2);
    }

    /**
     * Wait until an expression in the page is true.
     */
    void await(final String expression, final long timeoutSeconds) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        while (!"true".equals(evaluate("Boolean(" + expression + ")")))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not within " + timeoutSeconds + " s: " + expression + "; the page says: " +
                    evaluate("document.body.innerText"));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    @Override
    public void close()
    {
        socket.abort();
        process.destroy();
        final List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
        try
        {
            CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                .get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        catch (final ExecutionException | TimeoutException ex)
        {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static String awaitPage(final Process process, final Path portFile)
        throws IOException, InterruptedException
    {
        final HttpClient client = HttpClient.newHttpClient();
        final long deadlineNs = System.nanoTime() + START_TIMEOUT_NS;
        while (System.nanoTime() - deadlineNs < 0 && process.isAlive())
        {
            if (Files.exists(portFile) && Files.size(portFile) > 0)
            {
                final String port = Files.readAllLines(portFile).get(0);
                final String pages = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list")).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
                final Matcher address = SOCKET.matcher(pages);
                if (pages.contains("\"page\"") && address.find())
                {
                    return address.group(1);
                }
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new IOException("the browser has no page: " + Files.readString(portFile.resolveSibling("output")));
    }

    /** Takes answers, which may come in several parts. */
    private final class Listener implements WebSocket.Listener
    {
        private final StringBuilder parts = new StringBuilder();

        @Override
        public CompletionStage<?> onText(final WebSocket webSocket, final CharSequence data, final boolean isLast)
        {
            parts.append(data);
            if (isLast)
            {
                answers.offer(parts.toString());
                parts.setLength(0);
            }
            webSocket.request(1);

            return null;
        }
    }
}
