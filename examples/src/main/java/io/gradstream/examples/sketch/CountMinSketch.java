// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples.sketch;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.examples.WorkerPlace;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * A count-min sketch that workers share: how often each of any number of items was seen, in a fixed number of counters.
 * An estimate is never too low, and with a probability of 1 - e^-depth not too high by more than e / width of all that
 * was counted. Source: Cormode and Muthukrishnan, "An Improved Data Stream Summary: The Count-Min Sketch and its
 * Applications", Journal of Algorithms, 2005.
 * <p>
 * Row d * width + h is counter h of hash function d. Servers need {@link SketchFunction}: see docs/FUNCTIONS.md.
 */
public final class CountMinSketch
{
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    private static final int TABLE = 20;
    private static final int ITEMS = 100_000;

    private final GradstreamClient client;
    private final Table table;
    private final int depth;
    private final int width;
    private final long[] keys;
    private final long[] counts;

    /**
     * The sketch of a cluster; the first to come makes its table.
     *
     * @param depth of it: hash functions.
     * @param width of it: counters of each.
     */
    public CountMinSketch(final GradstreamClient client, final int depth, final int width)
    {
        this.client = client;
        this.depth = depth;
        this.width = width;
        keys = new long[depth];
        counts = new long[depth];
        table = client.createTable(new TableSpec(TABLE, "sketch", 1, ElementType.INT64, (long)depth * width,
            TableSpec.ZEROS, 0, 0f, "sketch/1"));
    }

    /** An item was seen so many times more. */
    public void add(final long item, final long count)
    {
        hash(item);
        Arrays.fill(counts, count);
        table.push(keys, 0, depth, counts);
    }

    /** How often an item was seen, or somewhat more. */
    public long estimate(final long item)
    {
        hash(item);
        client.await(table.pull(keys, depth, counts));

        return Arrays.stream(counts).min().orElseThrow();
    }

    private void hash(final long item)
    {
        for (int d = 0; d < depth; d++)
        {
            keys[d] = (long)d * width + Long.remainderUnsigned(mix(item + (d + 1) * GOLDEN_RATIO), width);
        }
    }

    /** SplitMix64 by Steele, Lea and Flood, 2014. */
    private static long mix(final long value)
    {
        long mixed = value;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;

        return mixed ^ mixed >>> 31;
    }

    /**
     * Count items of which the first are frequent, and tell what became of some.
     *
     * @param arguments as {@link WorkerPlace#parse(String...)} reads them.
     */
    public static void main(final String... arguments)
    {
        final WorkerPlace place = WorkerPlace.parse(arguments);
        final Random random = new Random(place.slot());
        final long[] seen = new long[100];
        try (GradstreamClient client = GradstreamClient.connect(place.context()))
        {
            final CountMinSketch sketch = new CountMinSketch(client, 4, 1_000);
            for (int i = 0; i < ITEMS; i++)
            {
                final int item = (int)(seen.length * random.nextDouble() * random.nextDouble());
                sketch.add(item, 1);
                seen[item]++;
            }
            client.awaitAll();
            for (int item = 0; item < seen.length; item += 20)
            {
                System.out.printf(Locale.ROOT, "item %d: seen %d times here, estimate %d%n", item, seen[item],
                    sketch.estimate(item));
            }
        }
    }
}
