// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves a history to browsers ({@code /}, {@code /data?since=SEQUENCE}) and to Prometheus ({@code /metrics}): a
 * connection, one request of limited length, one answer, within limited time. The JDK's server is not used, because it
 * reads a request's first line whatever its length, and takes its limits from properties of the whole process.
 * <p>
 * Requests whose {@code Host} header is a name other than {@code localhost} or the bound name are rejected: otherwise a
 * page of another site could read what is served here (DNS rebinding).
 */
public final class ConsoleServer implements AutoCloseable
{
    /** Connections that are served at one time; further ones are answered with 503 and asked to come again. */
    static final int MAX_CONNECTIONS = 16;
    /** Longest time for a connection, from its first byte to its last. */
    static final long CONNECTION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    /** Refused connections that stay open a moment to read the answer; further ones may lose the answer. */
    static final int MAX_REFUSED = 32;

    /** Connections that wait to be accepted. */
    private static final int BACKLOG = 32;
    private static final int SWEEP_INTERVAL_MS = 250;
    private static final long REFUSED_LINGER_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int DRAIN_TIMEOUT_MS = 100;
    private static final int MAX_DRAINED = 64 * 1024;
    private static final long IDLE_THREAD_S = 10;
    private static final long CLOSE_TIMEOUT_MS = 2_000;
    private static final Pattern SINCE = Pattern.compile("since=(\\d{1,18})");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\[\\]]+)(:\\d{1,5})?");
    private static final Pattern ADDRESS = Pattern.compile("\\[.*]|\\d{1,3}(\\.\\d{1,3}){3}");
    private static final String HTML = "text/html; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final ServerSocket socket;
    private final String boundName;
    private final RunHistory history;
    private final ConsolePage page = ConsolePage.load();
    private final long timeoutNs;
    private final Map<Socket, Long> deadlinesNs = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor executor;
    private final Thread acceptor;
    private volatile boolean isClosed;

    private ConsoleServer(
        final ServerSocket socket,
        final String boundName,
        final RunHistory history,
        final long timeoutNs,
        final ThreadFactory threads)
    {
        this.socket = socket;
        this.boundName = boundName;
        this.history = history;
        this.timeoutNs = timeoutNs;
        executor = new ThreadPoolExecutor(0, MAX_CONNECTIONS, IDLE_THREAD_S, TimeUnit.SECONDS, new SynchronousQueue<>(),
            threads);
        acceptor = daemon(this::acceptAll, "console-accept");
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
        return start(name, port, history, CONNECTION_TIMEOUT_NS, (task) -> daemon(task, "console-request"));
    }

    static ConsoleServer start(
        final String name,
        final int port,
        final RunHistory history,
        final long timeoutNs,
        final ThreadFactory threads)
        throws IOException
    {
        final ServerSocket socket = new ServerSocket();
        try
        {
            socket.bind(new InetSocketAddress(InetAddress.getByName(name), port), BACKLOG);
            socket.setSoTimeout(SWEEP_INTERVAL_MS);
            final ConsoleServer server = new ConsoleServer(socket, name, history, timeoutNs, threads);
            server.acceptor.start();
            return server;
        }
        catch (final IOException | RuntimeException ex)
        {
            socket.close();
            throw ex;
        }
    }

    /** The port it listens at. */
    public int port()
    {
        return socket.getLocalPort();
    }

    /** Where a browser of this machine finds the page. */
    public String url()
    {
        final InetAddress address = socket.getInetAddress();
        final String host = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress().getHostAddress() :
            address.getHostAddress();

        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    /** Connections that are open. */
    int connections()
    {
        return deadlinesNs.size();
    }

    @Override
    public void close()
    {
        isClosed = true;
        closeQuietly(socket);
        executor.shutdownNow();
        deadlinesNs.keySet().forEach(ConsoleServer::closeQuietly);
        try
        {
            acceptor.join(CLOSE_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void acceptAll()
    {
        while (!isClosed)
        {
            try
            {
                closeOverdue();
                final Socket connection = socket.accept();
                deadlinesNs.put(connection, System.nanoTime() + timeoutNs);
                hand(connection);
            }
            catch (final SocketTimeoutException ex)
            {
                // nobody came: a moment to look at the clock
            }
            catch (final IOException | OutOfMemoryError ex)
            {
                // closed, or out of file descriptors or memory for now: overdue connections give theirs back
                if (!isClosed)
                {
                    pause();
                }
            }
        }
    }

    private void hand(final Socket connection)
    {
        try
        {
            executor.execute(() -> serve(connection));
        }
        catch (final RejectedExecutionException | OutOfMemoryError ex)
        {
            // the system may give no thread, too
            refuse(connection);
        }
    }

    /** Answers 503 and closes later: if the request came after the close, the client could lose the answer. */
    private void refuse(final Socket connection)
    {
        boolean isAnswered = false;
        try
        {
            // fits the socket's empty buffer, so that it does not wait
            answer(connection, "503 Service Unavailable", PLAIN, "",
                bytes("at most " + MAX_CONNECTIONS + " requests at a time: ask again\n"));
            isAnswered = true;
        }
        catch (final IOException ex)
        {
            // it has gone
        }
        if (isAnswered && deadlinesNs.size() <= MAX_CONNECTIONS + MAX_REFUSED)
        {
            deadlinesNs.put(connection, System.nanoTime() + REFUSED_LINGER_NS);
        }
        else
        {
            end(connection);
        }
    }

    private void closeOverdue()
    {
        final long nowNs = System.nanoTime();
        deadlinesNs.forEach((connection, deadlineNs) ->
        {
            if (nowNs - deadlineNs >= 0)
            {
                end(connection);
            }
        });
    }

    private void serve(final Socket connection)
    {
        try
        {
            try
            {
                answer(connection, HttpRequest.read(connection.getInputStream()));
            }
            catch (final HttpRefusal refusal)
            {
                final String allow = refusal.status().startsWith("405") ? "Allow: GET\r\n" : "";
                answer(connection, refusal.status(), PLAIN, allow, bytes(refusal.getMessage() + "\n"));
                drain(connection);
            }
        }
        catch (final IOException ex)
        {
            // the reader has gone, or was too slow
        }
        finally
        {
            end(connection);
        }
    }

    private void answer(final Socket connection, final HttpRequest request) throws IOException, HttpRefusal
    {
        checkHost(request.host());
        if (!"GET".equals(request.method()))
        {
            throw new HttpRefusal("405 Method Not Allowed", "only GET is answered");
        }
        switch (request.path())
        {
            case "/" -> answer(connection, "200 OK", HTML,
                "Content-Security-Policy: " + page.policy() + "\r\n", page.bytes());
            case "/data" -> answer(connection, "200 OK", JSON, "",
                bytes(HistoryJson.of(history.since(since(request.query())), System.currentTimeMillis())));
            case "/metrics" -> answer(connection, "200 OK", PrometheusText.CONTENT_TYPE, "",
                bytes(PrometheusText.of(history.since(0), System.currentTimeMillis())));
            default -> throw new HttpRefusal("404 Not Found", "there are /, /data?since=SEQUENCE and /metrics");
        }
    }

    private void checkHost(final String host) throws HttpRefusal
    {
        final Matcher matcher = HOST.matcher(host);
        final String name = matcher.matches() ? matcher.group(1) : "";
        if (!ADDRESS.matcher(name).matches() && !"localhost".equalsIgnoreCase(name) &&
            !boundName.equalsIgnoreCase(name))
        {
            throw new HttpRefusal("403 Forbidden", "this host is not asked by that name: use its address");
        }
    }

    private static long since(final String query) throws HttpRefusal
    {
        final Matcher matcher = SINCE.matcher(query);
        if (!matcher.matches())
        {
            throw new HttpRefusal("400 Bad Request", "say /data?since=SEQUENCE, 0 for all");
        }

        return Long.parseLong(matcher.group(1));
    }

    private static void answer(
        final Socket connection, final String status, final String type, final String headers, final byte[] body)
        throws IOException
    {
        final OutputStream out = connection.getOutputStream();
        out.write(bytes("HTTP/1.1 " + status + "\r\n" +
            "Content-Type: " + type + "\r\n" +
            "Content-Length: " + body.length + "\r\n" +
            "Cache-Control: no-store\r\n" +
            "X-Content-Type-Options: nosniff\r\n" +
            "Referrer-Policy: no-referrer\r\n" +
            "Cross-Origin-Resource-Policy: same-origin\r\n" +
            headers +
            "Connection: close\r\n\r\n"));
        out.write(body);
        out.flush();
        connection.shutdownOutput();
    }

    /** Reads the rest of a request: the system drops the answer if a connection is closed with unread bytes. */
    private static void drain(final Socket connection) throws IOException
    {
        connection.setSoTimeout(DRAIN_TIMEOUT_MS);
        connection.getInputStream().readNBytes(MAX_DRAINED);
    }

    private void end(final Socket connection)
    {
        deadlinesNs.remove(connection);
        closeQuietly(connection);
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void pause()
    {
        try
        {
            Thread.sleep(SWEEP_INTERVAL_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(final Runnable task, final String name)
    {
        final Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private static void closeQuietly(final AutoCloseable closeable)
    {
        try
        {
            closeable.close();
        }
        catch (final Exception ignore)
        {
            // it is given up anyway
        }
    }
}
