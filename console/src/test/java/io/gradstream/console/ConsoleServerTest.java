// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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
    private static final int SOCKET_TIMEOUT_MS = 10_000;
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(500);

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
    void shouldServePageDataAndMetricsToAClientOfTheJdk() throws Exception
    {
        history.onSample(Histories.sample(1, 0.5));
        final HttpClient client = HttpClient.newHttpClient();

        final HttpResponse<String> page = get(client, "");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
        assertThat(page.headers().firstValue("Content-Security-Policy")).get().asString()
            .startsWith("default-src 'none'").contains("script-src 'sha256-", "style-src 'sha256-")
            .doesNotContain("unsafe");
        assertThat(page.headers().map()).doesNotContainKey("access-control-allow-origin");
        assertThat(get(client, "data?since=0").body()).contains("\"progress\":[[1800000000500,");
        assertThat(get(client, "data?since=1").body()).contains("\"progress\":[]");
        assertThat(get(client, "metrics").body()).contains("gradstream_training_loss 0.5\n");
    }

    @Test
    void shouldAskNobodyElse() throws Exception
    {
        assertThat(get(HttpClient.newHttpClient(), "").body().replace("http://www.w3.org/2000/svg", ""))
            .doesNotContain("http://", "https://", "//cdn", "@import", "url(");
    }

    @Test
    void shouldRefuseOtherPathsAndMethods() throws IOException
    {
        for (final String path : new String[]{"/x", "/../etc/passwd", "/%2e%2e/x", "//", "/console.html", "/data/",
            "/metrics/..", "/index.html"})
        {
            assertThat(answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 404 ");
        }
        for (final String query : new String[]{"", "?", "?since=-1", "?since=x", "?since=1&since=2",
            "?since=1234567890123456789012"})
        {
            assertThat(answer("GET /data" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        }
        for (final String method : new String[]{"POST", "HEAD", "PUT", "DELETE", "OPTIONS", "get"})
        {
            assertThat(answer(method + " / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ").contains("\r\nAllow: GET\r\n");
        }
    }

    @Test
    void shouldRefuseNamesThatAnAttackerCouldLeadHere() throws IOException
    {
        for (final String host : new String[]{"attacker.example", "attacker.example:80", "localhost.attacker.example",
            "127.0.0.1.attacker.example", "", "[::1", "a:b:c", "127.0.0.1:80:80"})
        {
            assertThat(answer("GET /data?since=0 HTTP/1.1\r\nHost: " + host + "\r\n\r\n")).as(host)
                .startsWith("HTTP/1.1 403 ").doesNotContain("startMs");
        }
        for (final String host : new String[]{"127.0.0.1", "localhost", "LOCALHOST:80", "[::1]:8080", "10.1.2.3:9"})
        {
            assertThat(answer("GET /metrics HTTP/1.1\r\nhost:" + host + "\r\n\r\n")).as(host)
                .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void shouldRefuseWhatIsNoRequest() throws IOException
    {
        for (final String request : new String[]{"\r\n\r\n", "GET /\r\n\r\n",
            "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/2\r\nHost: localhost\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"})
        {
            assertThat(answer(request)).as(request).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void shouldReadNoMoreThanItsLimit() throws IOException
    {
        final String head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: ";
        final int fits = HttpRequest.MAX_HEAD_LENGTH - head.length() - 4;

        assertThat(answer(head + "x".repeat(fits) + "\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(answer(head + "x".repeat(fits + 1) + "\r\n\r\n")).startsWith("HTTP/1.1 431 ");
        assertThat(answer("GET /" + "x".repeat(40_000))).startsWith("HTTP/1.1 431 ");
    }

    @Test
    void shouldTellOneTooManyToComeAgainAndServeWhenThereIsRoom() throws IOException
    {
        final List<Socket> waiting = new ArrayList<>();
        try
        {
            for (int i = 0; i < ConsoleServer.MAX_CONNECTIONS; i++)
            {
                waiting.add(connect());
                waiting.get(i).getOutputStream().write("GET ".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(answer("")).startsWith("HTTP/1.1 503 ");
        }
        finally
        {
            for (final Socket socket : waiting)
            {
                socket.close();
            }
        }
        awaitServed();
    }

    @Test
    void shouldLetOneTooManyReadItsAnswerWhenItsRequestComesLate() throws IOException
    {
        final List<Socket> waiting = new ArrayList<>();
        try (Socket late = fillAndConnect(waiting))
        {
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (0 == late.getInputStream().available())
            {
                assertThat(System.nanoTime() - deadlineNs).as("answered").isNegative();
                Thread.onSpinWait();
            }
            for (final String part : new String[]{"GET / HTTP/1.1\r\n", "Host: localhost\r\n", "\r\n"})
            {
                late.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(readAll(late)).startsWith("HTTP/1.1 503 ").endsWith("ask again\n");
        }
        finally
        {
            for (final Socket socket : waiting)
            {
                socket.close();
            }
        }
    }

    @Test
    void shouldLetWaitNoMoreThanItsLimitOfThoseThatAreTooMany() throws IOException
    {
        final List<Socket> waiting = new ArrayList<>();
        try
        {
            fillAndConnect(waiting).close();
            for (int i = 0; i < 4 * ConsoleServer.MAX_REFUSED; i++)
            {
                waiting.add(connect());
                assertThat(server.connections())
                    .as("with one that is just looked at")
                    .isLessThanOrEqualTo(ConsoleServer.MAX_CONNECTIONS + ConsoleServer.MAX_REFUSED + 1);
            }
            assertThat(readAll(waiting.get(waiting.size() - 1))).startsWith("HTTP/1.1 503 ");
        }
        finally
        {
            for (final Socket socket : waiting)
            {
                socket.close();
            }
        }
        awaitServed();
    }

    @Test
    void shouldGoOnAfterNoThreadCouldBeHad() throws IOException
    {
        server.close();
        final AtomicInteger asked = new AtomicInteger();
        server = ConsoleServer.start("127.0.0.1", 0, history, ConsoleServer.CONNECTION_TIMEOUT_NS, (task) ->
        {
            if (0 == asked.getAndIncrement())
            {
                throw new OutOfMemoryError("no thread for now");
            }
            return new Thread(task);
        });

        assertThat(answer("")).startsWith("HTTP/1.1 503 ");
        awaitServed();
    }

    @Test
    void shouldEndConnectionsThatTakeTooLong() throws IOException
    {
        server.close();
        server = ConsoleServer.start("127.0.0.1", 0, history, SHORT_NS, Thread::new);
        final List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < ConsoleServer.MAX_CONNECTIONS; i++)
        {
            waiting.add(connect());
        }
        for (final Socket socket : waiting)
        {
            assertThat(readAll(socket)).as("closed without an answer").isEmpty();
            socket.close();
        }
        awaitServed();
    }

    @Test
    void shouldSayThatAPortIsTaken()
    {
        assertThatThrownBy(() -> ConsoleServer.start("127.0.0.1", server.port(), history))
            .isInstanceOf(BindException.class);
    }

    @Test
    void shouldListenOnLoopbackOnlyAndNotAfterItWasClosed() throws IOException
    {
        assertThat(server.url()).isEqualTo("http://127.0.0.1:" + server.port() + "/");
        server.close();
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
    }

    /** As many as are served at a time, which say nothing yet, and one more. */
    private Socket fillAndConnect(final List<Socket> waiting) throws IOException
    {
        for (int i = 0; i < ConsoleServer.MAX_CONNECTIONS; i++)
        {
            waiting.add(connect());
        }
        return connect();
    }

    private void awaitServed() throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        String answer = "";
        while (!answer.startsWith("HTTP/1.1 200 "))
        {
            assertThat(System.nanoTime() - deadlineNs).as("served again: " + answer).isNegative();
            answer = answer("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
    }

    private HttpResponse<String> get(final HttpClient client, final String path) throws Exception
    {
        return client.send(java.net.http.HttpRequest.newBuilder(URI.create(server.url() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
    }

    private String answer(final String request) throws IOException
    {
        try (Socket socket = connect())
        {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return readAll(socket);
        }
    }

    private Socket connect() throws IOException
    {
        final Socket socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(SOCKET_TIMEOUT_MS);
        return socket;
    }

    private static String readAll(final Socket socket) throws IOException
    {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
