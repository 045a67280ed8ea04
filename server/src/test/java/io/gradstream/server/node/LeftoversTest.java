// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.recovery.log.ReplicaStorage;
import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which partitions are deleted from a node that other nodes keep in place of it, and when.
 */
class LeftoversTest
{
    private final List<Integer> opened = new ArrayList<>();
    private final List<Integer> wiped = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    private final List<Integer> told = new ArrayList<>();
    private final List<Integer> deleted = new ArrayList<>();
    private final Set<Integer> broken = new HashSet<>();
    private boolean isReady = true;
    private boolean isWiped = true;
    private boolean isAllKept;
    private long nowNs = -1_000_000_000_000L;
    private final NodeHost host = port(NodeHost.class, (proxy, method, arguments) -> switch (method.getName())
    {
        case "leftover" -> open((Integer)arguments[1]);
        case "onNotDeleted" -> told.add((Integer)arguments[1]);
        case "onDeleted" -> onDeleted((Integer)arguments[1]);
        default -> throw new AssertionError(method);
    });
    private final Leftovers leftovers = new Leftovers(host);

    @Test
    void shouldDeleteEachPartitionOnceAndOneAfterTheOther()
    {
        leftovers.delete(1, 3);
        leftovers.delete(1, 1);
        isReady = false;
        work(3);
        assertThat(opened).containsExactly(3);
        isReady = true;
        isWiped = false;
        work(3);
        assertThat(opened).containsExactly(3);
        assertThat(closed).isEmpty();

        isWiped = true;
        work(5);
        leftovers.delete(1, 3);
        work(5);
        assertThat(opened).containsExactly(3, 1);
        assertThat(wiped).containsOnlyOnce(1).contains(3);
        assertThat(closed).containsExactly(3, 1);
    }

    @Test
    void shouldTellAgainThatNothingIsLeftWhenItIsAskedAgain()
    {
        leftovers.delete(1, 3);
        leftovers.delete(1, 3);
        assertThat(deleted).as("it waits").isEmpty();
        work(1);
        assertThat(deleted).containsExactly(3);

        leftovers.delete(1, 3);
        assertThat(deleted).as("its job was deleted after it had moved away").containsExactly(3, 3);
        work(1);
        assertThat(opened).containsExactly(3);
    }

    @Test
    void shouldUseWhatIsLeftOfAPlaceThatComesBackBeforeItsDeletionHasBegun()
    {
        leftovers.delete(1, 3);
        leftovers.delete(1, 1);
        isWiped = false;
        work(1);

        assertThat(leftovers.keep(1, 1)).isTrue();
        assertThat(leftovers.keep(1, 2)).as("never given up").isTrue();
        isWiped = true;
        work(5);
        assertThat(opened).containsExactly(3);

        leftovers.delete(1, 1);
        work(5);
        assertThat(opened).as("moved away once more").containsExactly(3, 1);
    }

    @Test
    void shouldGiveAPlaceBackOnlyAfterADeletionThatHasBegun()
    {
        leftovers.delete(1, 3);
        isWiped = false;
        work(2);
        assertThat(leftovers.keep(1, 3)).isFalse();

        isWiped = true;
        work(1);
        assertThat(closed).containsExactly(3);
        assertThat(leftovers.keep(1, 3)).isTrue();
    }

    @Test
    void shouldTryAgainLaterAndLetOthersGoFirstWhenADeletionFails()
    {
        broken.add(3);
        leftovers.delete(1, 3);
        leftovers.delete(1, 1);
        work(1);
        assertThat(told).containsExactly(3);
        assertThat(leftovers.keep(1, 3)).as("a place that comes back does not wait").isTrue();
        leftovers.delete(1, 3);
        work(5);
        assertThat(opened).containsExactly(3);

        nowNs += Leftovers.RETRY_NS;
        work(2);
        assertThat(wiped).containsExactly(1);
        nowNs += Leftovers.RETRY_NS;
        work(1);
        assertThat(told).as("told once").containsExactly(3);

        broken.clear();
        nowNs += Leftovers.RETRY_NS;
        work(1);
        assertThat(wiped).containsExactly(1, 3);
        assertThat(closed).containsExactly(3, 1, 3, 3, 3);
    }

    @Test
    void shouldKeepEverythingWhereTheWholeLogIsKept()
    {
        isAllKept = true;
        leftovers.delete(1, 3);
        leftovers.delete(1, 1);
        work(5);

        assertThat(opened).containsExactly(3, 1);
        assertThat(wiped).isEmpty();
        assertThat(leftovers.keep(1, 3)).isTrue();
    }

    @Test
    void shouldBeginAgainInTheNextProcessAfterACrashInTheMiddle()
    {
        leftovers.delete(1, 3);
        isWiped = false;
        work(2);
        leftovers.close();
        assertThat(closed).containsExactly(3);

        final Leftovers next = new Leftovers(host);
        next.delete(1, 3);
        isWiped = true;
        next.doWork(nowNs);
        assertThat(opened).containsExactly(3, 3);
        assertThat(closed).containsExactly(3, 3);
    }

    private void work(final int cycles)
    {
        for (int i = 0; i < cycles; i++)
        {
            leftovers.doWork(nowNs);
        }
    }

    private ReplicaStorage open(final int partition)
    {
        opened.add(partition);
        return isAllKept ? null : port(ReplicaStorage.class, (proxy, method, arguments) -> switch (method.getName())
        {
            case "isReady" -> isReady;
            case "wipe" -> wipe(partition);
            case "close" -> onClosed(partition);
            default -> throw new AssertionError(method);
        });
    }

    private Void onDeleted(final int partition)
    {
        deleted.add(partition);
        return null;
    }

    private Void onClosed(final int partition)
    {
        closed.add(partition);
        return null;
    }

    private boolean wipe(final int partition)
    {
        if (broken.contains(partition))
        {
            throw new IllegalStateException("it cannot be deleted");
        }
        wiped.add(partition);

        return isWiped;
    }

    private static <T> T port(final Class<T> type, final InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
