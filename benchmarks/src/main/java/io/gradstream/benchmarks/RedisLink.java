// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.perf.measure.InterruptedRunException;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.params.SetParams;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A connection to Redis through Jedis: each range of rows is the value of one key, which a push replaces.
 * <p>
 * What was started goes out together, and all its answers are awaited, as a pipeline of Jedis does.
 */
final class RedisLink extends PeerLink
{
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Queue<Response<?>> answers = new ArrayDeque<>();
    private final Jedis jedis;
    private final Pipeline pipeline;

    RedisLink(final int port)
    {
        jedis = connect(new HostAndPort("127.0.0.1", port));
        pipeline = jedis.pipelined();
    }

    @Override
    void prepare(final int rows)
    {
        final byte[] zeros = new byte[rows * PeerRows.ROW_BYTES];
        for (int row = 0; row <= PeerRows.COUNT - rows; row += rows)
        {
            jedis.set(key(row, rows), zeros, SetParams.setParams().nx());
        }
    }

    @Override
    void send(final PeerMessage message, final float[] values)
    {
        final byte[] key = key(message.firstRow(), message.rows());
        if (PeerMeasure.PULL == message.measure())
        {
            answers.add(pipeline.get(key));
        }
        else
        {
            final byte[] bytes = new byte[message.valueBytes()];
            PeerMessage.wrap(bytes).asFloatBuffer().put(values);
            answers.add(pipeline.set(key, bytes));
        }
    }

    @Override
    int doPoll(final boolean mayWait)
    {
        if (!mayWait || answers.isEmpty())
        {
            return 0;
        }
        pipeline.sync();
        final int count = answers.size();
        while (!answers.isEmpty())
        {
            // throws what Redis has refused; null is the value of a key that is not there
            final Object answer = Objects.requireNonNull(answers.remove().get(), "no such rows in Redis");
            if (answer instanceof final byte[] values)
            {
                PeerMessage.wrap(values).asFloatBuffer().get(nextTarget());
            }
            onAnswer();
        }

        return count;
    }

    @Override
    public void close()
    {
        pipeline.close();
        jedis.close();
    }

    private static byte[] key(final int firstRow, final int rows)
    {
        return ("rows:" + rows + ":" + firstRow).getBytes(StandardCharsets.US_ASCII);
    }

    private static Jedis connect(final HostAndPort address)
    {
        final long beginNs = System.nanoTime();
        while (true)
        {
            try
            {
                final Jedis connected = new Jedis(address);
                connected.ping();
                return connected;
            }
            catch (final JedisConnectionException ex)
            {
                if (System.nanoTime() - beginNs > TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS))
                {
                    throw new IllegalStateException("redis-server does not answer within " + CONNECT_TIMEOUT_MS +
                        " ms: see its messages above", ex);
                }
            }
            if (Thread.interrupted())
            {
                throw new InterruptedRunException();
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
    }
}
