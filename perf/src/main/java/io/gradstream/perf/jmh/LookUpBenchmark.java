// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.jmh;

import io.gradstream.codecs.TableSpec;
import io.gradstream.server.store.ChronicleRowStore;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.concurrent.TimeUnit;

/** Measures the cost of finding the row of a random key and of looking at it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LookUpBenchmark
{
    private static final int ROW_LENGTH = 64;

    /** Rows in the table. */
    @Param({"10000", "1000000"})
    public int rows;

    /** Keys spread over all 64 bits, as hashes are, or the small ones, as ids of features are. */
    @Param({"spread", "small"})
    public String form;

    private final RandomKeys keys = new RandomKeys();
    private boolean isSpread;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private ChronicleRowStore store;

    /** Make the rows. */
    @Setup
    public void setUp()
    {
        isSpread = "spread".equals(form);
        store = new ChronicleRowStore(0, TableSpec.sparse(0, "rows", 1, "add/1"), ROW_LENGTH, rows);
        for (int i = 0; i < rows; i++)
        {
            store.create(key(i));
        }
    }

    @TearDown
    public void tearDown()
    {
        store.close();
    }

    /** Key to number of the row. */
    @Benchmark
    public int find()
    {
        return store.find(key(keys.next(rows)));
    }

    /** Key to bytes of the row. */
    @Benchmark
    public long findAndRead()
    {
        store.wrap(store.find(key(keys.next(rows))), view);
        return view.getLong(0);
    }

    private long key(final int i)
    {
        return isSpread ? i * 0x9E3779B97F4A7C15L : i;
    }
}
