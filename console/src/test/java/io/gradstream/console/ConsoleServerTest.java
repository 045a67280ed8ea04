// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is answered, what is refused, and that nobody can keep others from being answered for long.
 */
class ConsoleServerTest
{
    /** Ends a request; by version 1.0 the server closes after the answer. */
    private static final String REST = " HTTP/1.0\r\nHost: localhost\r\n\r\n";
    private static final String HEAD_LIMIT = "sun.net.httpserver.maxReqHeaderSize";
    private static final int SOCKET_TIMEOUT_MS = 10_000;
    private static final int MAX_CONNECTIONS = 4;
    private static final int MAX_HEAD_LENGTH = Integer.parseInt(ConsoleServer.LIMITS.get(HEAD_LIMIT));
    /** More than the buffers of two sockets take. */
    private static final int LONG_LENGTH = 8 << 20;

    static
    {
        // shorter than the server's own, which leave alone what a user has set; read once, by the first server
        System.setProperty("jdk.httpserver.maxConnections", String.valueOf(MAX_CONNECTIONS));
        System.setProperty("sun.net.httpserver.maxReqTime", "1");
        System.setProperty("sun.net.httpserver.maxRspTime", "1");
        System.setProperty("sun.net.httpserver.idleInterval", "1");
        System.setProperty("sun.net.httpserver.clockTick", "100");
        System.setProperty("sun.net.httpserver.timerMillis", "100");
    }

    private final RunHistory history = Histories.empty();
    private ConsoleServer server;

    @BeforeEach
    void start() throws IOException
    {
        server = ConsoleServer.start("127.0.0.1", 0, history);
    }

    @AfterEach
    void stop()
    {
        server.close();
    }

    @Test
    void shouldServePageDataAndMetricsToAClientOfTheJdk()
    {
        history.onSample(Histories.sample(1, 0.5));

        final HttpResponse<String> page = get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
        assertThat(page.headers().firstValue("Content-Security-Policy")).get().asString()
            .startsWith("default-src 'none'").contains("script-src 'sha256-", "style-src 'sha256-")
            .doesNotContain("unsafe");
        assertThat(page.headers().map()).doesNotContainKey("access-control-allow-origin");
        assertThat(get("/data?since=0").body()).contains("\"progress\":[[1800000000500,");
        assertThat(get("/data?since=1").body()).contains("\"progress\":[]");
        assertThat(get("/metrics").body()).contains("gradstream_training_loss 0.5\n");
    }

    @Test
    void shouldAskNobodyElse()
    {
        assertThat(get("/").body().replace("http://www.w3.org/2000/svg", ""))
            .doesNotContain("http://", "https://", "//cdn", "@import", "url(");
    }

    @Test
    void shouldRefuseOtherPathsAndMethods() throws IOException
    {
        for (final String path : new String[]{"/x", "/../etc/passwd", "/%2e%2e/x", "/console.html", "/data/",
            "/metrics/..", "/index.html"})
        {
            assertThat(answer("GET " + path + REST)).as(path).startsWith("HTTP/1.1 404 ");
        }
        for (final String query : new String[]{"", "?", "?since=-1", "?since=x", "?since=1&since=2",
            "?since=1234567890123456789012"})
        {
            assertThat(answer("GET /data" + query + REST)).as(query).startsWith("HTTP/1.1 400 ");
        }
        for (final String method : new String[]{"POST", "PUT", "DELETE", "OPTIONS", "get"})
        {
            assertThat(answer(method + " /" + REST)).as(method)
                .startsWith("HTTP/1.1 405 ").contains("\r\nAllow: GET, HEAD\r\n");
        }
    }

    @Test
    void shouldAnswerHeadWithoutABody() throws IOException
    {
        final int length = get("/").body().getBytes(StandardCharsets.UTF_8).length;

        assertThat(answer("HEAD /" + REST)).startsWith("HTTP/1.1 200 ")
            .contains("\r\nContent-length: " + length + "\r\n").endsWith("\r\n\r\n");
    }

    @Test
    void shouldRefuseNamesThatAnAttackerCouldLeadHere() throws IOException
    {
        for (final String host : new String[]{"attacker.example", "attacker.example:80", "localhost.attacker.example",
            "127.0.0.1.attacker.example", "", "[::1", "a:b:c", "127.0.0.1:80:80"})
        {
            assertThat(answer("GET /data?since=0 HTTP/1.0\r\nHost: " + host + "\r\n\r\n")).as(host)
                .startsWith("HTTP/1.1 403 ").doesNotContain("startMs");
        }
        for (final String host : new String[]{"127.0.0.1", "localhost", "LOCALHOST:80", "[::1]:8080", "10.1.2.3:9"})
        {
            assertThat(answer("GET /metrics HTTP/1.0\r\nhost:" + host + "\r\n\r\n")).as(host)
                .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void shouldRefuseWhatIsNoRequest() throws IOException
    {
        for (final String request : new String[]{"GET /\r\n\r\n", "GET http://localhost/" + REST, "GET //" + REST,
            "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n\r\n"})
        {
            assertThat(answer(request)).as(request).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void shouldReadNoMoreThanItsLimit() throws IOException
    {
        final String head = "GET / HTTP/1.0\r\nHost: localhost\r\nX: ";

        assertThat(answer(head + "x".repeat(MAX_HEAD_LENGTH / 2) + "\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(answer(head + "x".repeat(MAX_HEAD_LENGTH) + "\r\n\r\n")).isEmpty();
        assertThat(answer("GET /" + "x".repeat(MAX_HEAD_LENGTH))).as("a request line without an end").isEmpty();
        assertThat(answer(head + "x\r\nX: x".repeat(MAX_HEAD_LENGTH / 32) + "\r\n\r\n"))
            .as("each field counts 32 bytes more").isEmpty();
    }

    @Test
    void shouldCloseOneTooManyAndServeWhenThereIsRoom() throws IOException
    {
        final List<Socket> waiting = connectAll("");
        try
        {
            assertThat(answer("")).isEmpty();
        }
        finally
        {
            closeAll(waiting);
        }
        awaitServed();
    }

    @Test
    void shouldEndConnectionsThatSayNothingOrTakeTooLongToAskOrToRead() throws IOException
    {
        server.close();
        server = ConsoleServer.start("127.0.0.1", 0, new RunHistory("x".repeat(LONG_LENGTH), 0, 0));
        for (final String request : new String[]{"", "GET ", "GET / HTTP/1.1\r\nHost: ", "GET /data?since=0" + REST,
            "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"})
        {
            final List<Socket> waiting = connectAll(request);
            awaitServed();
            closeAll(waiting);
        }
    }

    @Test
    void shouldSayThatAPortIsTaken()
    {
        assertThatThrownBy(() -> ConsoleServer.start("127.0.0.1", server.port(), history))
            .isInstanceOf(BindException.class);
    }

    @Test
    void shouldListenOnLoopbackOnlyAndLeaveNoThreadAfterItWasClosed() throws IOException
    {
        assertThat(server.url()).isEqualTo("http://127.0.0.1:" + server.port() + "/");
        final List<Socket> waiting = connectAll("GET ");
        awaitThreads(true);
        server.close();
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
        awaitThreads(false);
        closeAll(waiting);
    }

    /** The threads of the JDK's timers end by themselves soon after they are told to. */
    private static void awaitThreads(final boolean isExpected)
    {
        final Set<String> names = Set.of(
            "console-request", "HTTP-Dispatcher", "idle-timeout-task", "req-rsp-timeout-task");
        Set<String> alive = Set.of();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!alive.equals(isExpected ? names : Set.of()) || alive.isEmpty() == isExpected)
        {
            assertThat(System.nanoTime() - deadlineNs).as("threads: " + alive).isNegative();
            alive = Thread.getAllStackTraces().keySet().stream().map(Thread::getName).filter(names::contains)
                .collect(Collectors.toSet());
        }
    }

    /** As many as may be connected, which all say as much. */
    private List<Socket> connectAll(final String request) throws IOException
    {
        final List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < MAX_CONNECTIONS; i++)
        {
            waiting.add(connect());
            waiting.get(i).getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        }

        return waiting;
    }

    private static void closeAll(final List<Socket> sockets) throws IOException
    {
        for (final Socket socket : sockets)
        {
            socket.close();
        }
    }

    private void awaitServed() throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        String answer = "";
        while (!answer.startsWith("HTTP/1.1 200 "))
        {
            assertThat(System.nanoTime() - deadlineNs).as("served again: " + answer).isNegative();
            answer = answer("GET /" + REST);
        }
    }

    private HttpResponse<String> get(final String path)
    {
        final HttpRequest request = HttpRequest.newBuilder(URI.create(server.url()).resolve(path)).build();
        return HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
    }

    /** What is answered, or nothing if the server closed without an answer. */
    private String answer(final String request) throws IOException
    {
        try (Socket socket = connect())
        {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final SocketException ex)
        {
            return "";
        }
    }

    private Socket connect() throws IOException
    {
        final Socket socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(SOCKET_TIMEOUT_MS);
        return socket;
    }
}
