// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Serves a history to browsers ({@code /}, {@code /data?since=SEQUENCE}) and to Prometheus ({@code /metrics}), by the
 * server of the JDK, on threads of its own.
 * <p>
 * Requests whose {@code Host} header is a name other than {@code localhost} or the bound name are rejected: otherwise a
 * page of another site could read what is served here (DNS rebinding).
 */
public final class ConsoleServer implements AutoCloseable
{
    /** Limits of the JDK's server: properties of the process, which a user may set otherwise by {@code -D}. */
    static final Map<String, String> LIMITS = Map.of(
        "jdk.httpserver.maxConnections", "32",
        "sun.net.httpserver.maxReqHeaderSize", "8192",
        "sun.net.httpserver.maxReqTime", "10",
        "sun.net.httpserver.maxRspTime", "10",
        "sun.net.httpserver.idleInterval", "10",
        "sun.net.httpserver.clockTick", "1000",
        "sun.net.httpserver.drainAmount", "8192",
        // head and body of an answer are two writes, and the second would wait for the client's delayed acknowledgement
        "sun.net.httpserver.nodelay", "true");

    /** Connections that wait to be accepted. */
    private static final int BACKLOG = 32;
    private static final int MAX_THREADS = 32;
    private static final long IDLE_THREAD_S = 10;
    private static final long CLOSE_TIMEOUT_S = 2;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int NO_BODY = -1;
    private static final Pattern SINCE = Pattern.compile("since=(\\d{1,18})");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\[\\]]+)(:\\d{1,5})?");
    private static final Pattern ADDRESS = Pattern.compile("\\[.*]|\\d{1,3}(\\.\\d{1,3}){3}");
    private static final String PLAIN = "text/plain; charset=utf-8";

    static
    {
        LIMITS.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
    }

    private final String boundName;
    private final RunHistory history;
    private final ConsolePage page = ConsolePage.load();
    private final ThreadPoolExecutor executor;
    private final HttpServer server;

    private ConsoleServer(final HttpServer server, final String boundName, final RunHistory history)
    {
        this.server = server;
        this.boundName = boundName;
        this.history = history;
        executor = new ThreadPoolExecutor(
            0, MAX_THREADS, IDLE_THREAD_S, TimeUnit.SECONDS, new SynchronousQueue<>(), ConsoleServer::daemon);
        server.setExecutor(executor);
        server.createContext("/", this::serve);
        server.start();
    }

    /**
     * Listen, and serve from now on.
     *
     * @param name    or address to listen at.
     * @param port    to listen at, 0 for a free one.
     * @param history to serve.
     * @return a server that serves until it is closed.
     * @throws IOException if the name is unknown, the address is not of this machine, or the port is taken.
     */
    public static ConsoleServer start(final String name, final int port, final RunHistory history) throws IOException
    {
        return new ConsoleServer(
            HttpServer.create(new InetSocketAddress(InetAddress.getByName(name), port), BACKLOG), name, history);
    }

    /** The port it listens at. */
    public int port()
    {
        return server.getAddress().getPort();
    }

    /** Where a browser of this machine finds the page. */
    public String url()
    {
        final InetAddress address = server.getAddress().getAddress();
        final String host = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress().getHostAddress() :
            address.getHostAddress();

        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    @Override
    public void close()
    {
        server.stop(0);
        executor.shutdownNow();
        try
        {
            executor.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            final URI uri = exchange.getRequestURI();
            final List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
            if (1 != hosts.size() || null != uri.getRawAuthority())
            {
                refuse(exchange, BAD_REQUEST, "a request is for a path, and has one Host header");
            }
            else if (!isOwnName(hosts.get(0)))
            {
                refuse(exchange, FORBIDDEN, "this host is not asked by that name: use its address");
            }
            else if (!"GET".equals(exchange.getRequestMethod()) && !"HEAD".equals(exchange.getRequestMethod()))
            {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                refuse(exchange, NOT_ALLOWED, "only GET and HEAD are answered");
            }
            else
            {
                answer(exchange, uri);
            }
        }
    }

    private void answer(final HttpExchange exchange, final URI uri) throws IOException
    {
        switch (uri.getRawPath())
        {
            case "/" ->
            {
                exchange.getResponseHeaders().set("Content-Security-Policy", page.policy());
                answer(exchange, OK, "text/html; charset=utf-8", page.bytes());
            }
            case "/data" ->
            {
                final Matcher since = SINCE.matcher(null == uri.getRawQuery() ? "" : uri.getRawQuery());
                if (since.matches())
                {
                    answer(exchange, OK, "application/json", bytes(HistoryJson.of(
                        history.since(Long.parseLong(since.group(1))), System.currentTimeMillis())));
                }
                else
                {
                    refuse(exchange, BAD_REQUEST, "say /data?since=SEQUENCE, 0 for all");
                }
            }
            case "/metrics" -> answer(exchange, OK, PrometheusText.CONTENT_TYPE,
                bytes(PrometheusText.of(history.since(0), System.currentTimeMillis())));
            default -> refuse(exchange, NOT_FOUND, "there are /, /data?since=SEQUENCE and /metrics");
        }
    }

    private boolean isOwnName(final String host)
    {
        final Matcher matcher = HOST.matcher(host);
        final String name = matcher.matches() ? matcher.group(1) : "";

        return ADDRESS.matcher(name).matches() || "localhost".equalsIgnoreCase(name) ||
            boundName.equalsIgnoreCase(name);
    }

    private static void refuse(final HttpExchange exchange, final int status, final String message) throws IOException
    {
        answer(exchange, status, PLAIN, bytes(message + "\n"));
    }

    private static void answer(final HttpExchange exchange, final int status, final String type, final byte[] body)
        throws IOException
    {
        final boolean isHead = "HEAD".equals(exchange.getRequestMethod());
        final Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        if (isHead)
        {
            headers.set("Content-Length", String.valueOf(body.length));
        }
        exchange.sendResponseHeaders(status, isHead ? NO_BODY : body.length);
        if (!isHead)
        {
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Thread daemon(final Runnable task)
    {
        final Thread thread = new Thread(task, "console-request");
        thread.setDaemon(true);
        return thread;
    }
}
