// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.gradstream.launcher.Audit;
import io.gradstream.cli.Gradstream;

/**
 * A slot on a host of its own: a media driver in one process, a {@link PushingWorker} in another. Either may be killed;
 * the next life then takes the slot over.
 */
final class HostLoad implements SlotLoad
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * What a worker has said.
     */
    private static final class Worker
    {
        private final AtomicReference<String> lastWord = new AtomicReference<>("");
        private volatile long pushed;
        private volatile long acknowledged;
        private TestProcess process;

        private void onLine(final String line)
        {
            if (line.startsWith(PushingWorker.COUNTS))
            {
                final String[] words = line.split(" ");
                acknowledged = Long.parseLong(words[2]);
                pushed = Long.parseLong(words[1]);
            }
            else
            {
                lastWord.set(line);
            }
        }
    }

    private final int slot;
    private final FaultCluster cluster;
    private final List<Life> dead = new ArrayList<>();
    private Path aeronDirectory;
    private TestProcess driver;
    private volatile Worker worker;
    private int drivers;
    private boolean isSlow;
    private boolean isDraining;

    private HostLoad(final int slot, final FaultCluster cluster)
    {
        this.slot = slot;
        this.cluster = cluster;
    }

    /** Start driver and worker. */
    static HostLoad start(final int slot, final FaultCluster cluster)
    {
        final HostLoad load = new HostLoad(slot, cluster);
        load.startDriver();
        load.startWorker();
        return load;
    }

    @Override
    public int slot()
    {
        return slot;
    }

    @Override
    public long outstanding()
    {
        final Worker now = worker;
        return now.pushed - now.acknowledged;
    }

    @Override
    public long acknowledged()
    {
        return worker.acknowledged;
    }

    @Override
    public long pushed()
    {
        return worker.pushed;
    }

    @Override
    public List<Life> lives()
    {
        final List<Life> lives = new ArrayList<>(dead);
        lives.add(new Life(dead.size(), worker.pushed, worker.acknowledged));
        return lives;
    }

    @Override
    public List<Audit.Sums> sent()
    {
        return null;
    }

    @Override
    public void check()
    {
        final Worker now = worker;
        if (!now.process.isAlive())
        {
            throw new AssertionError("the worker of slot " + slot + " ended by itself: " + now.lastWord.get());
        }
    }

    @Override
    public void slow(final boolean isWanted)
    {
        if (isSlow != isWanted)
        {
            isSlow = isWanted;
            worker.process.send(isWanted ? PushingWorker.SLOW : PushingWorker.FLAT_OUT);
        }
    }

    @Override
    public void drain()
    {
        isDraining = true;
        worker.process.send(PushingWorker.DRAIN);
    }

    @Override
    public boolean isDrained()
    {
        return isDraining && PushingWorker.DRAINED.equals(worker.lastWord.get());
    }

    @Override
    public void close()
    {
        worker.process.close();
        driver.close();
    }

    /** SIGKILL the worker in the middle of its pushes and let another process take the slot over. */
    long killWorker()
    {
        worker.process.kill();
        final long outstanding = outstanding();
        bury(worker);
        startWorker();
        return outstanding;
    }

    /**
     * Pause the worker, let another process take the slot over, wake the first: it must find itself fenced.
     *
     * @return pushes outstanding when it was paused.
     */
    long pauseWorkerUntilReplaced()
    {
        final Worker zombie = worker;
        OwnProcess.pause(zombie.process.pid());
        final long outstanding = outstanding();
        try
        {
            final int life = dead.size();
            dead.add(new Life(life, Life.UNKNOWN, 0));
            startWorker();
            await("the successor of slot " + slot + " pushes", () -> worker.acknowledged > 0);
            OwnProcess.goOn(zombie.process.pid());
            await("the woken worker of slot " + slot + " ends", zombie.process::isReadToTheEnd);
            dead.set(life, new Life(life, Life.UNKNOWN, zombie.acknowledged));
            if (!PushingWorker.FENCED.equals(zombie.lastWord.get()))
            {
                throw new AssertionError("the woken worker should be fenced, but said: " + zombie.lastWord.get());
            }
        }
        finally
        {
            OwnProcess.goOn(zombie.process.pid());
            zombie.process.close();
        }

        return outstanding;
    }

    /**
     * SIGKILL the media driver: the worker must say so and end. Then start over with both.
     *
     * @return pushes outstanding when the driver was killed.
     */
    long killDriver()
    {
        final Worker blind = worker;
        driver.kill();
        final long outstanding = outstanding();
        await("the worker of slot " + slot + " says that its driver is gone", blind.process::isReadToTheEnd);
        final String word = blind.lastWord.get();
        if (!word.startsWith(PushingWorker.FAILED) || !word.contains("media driver"))
        {
            throw new AssertionError("a worker without media driver should say so, but said: " + word);
        }
        bury(blind);
        blind.process.close();
        startDriver();
        startWorker();

        return outstanding;
    }

    private void bury(final Worker gone)
    {
        dead.add(new Life(dead.size(), Life.UNKNOWN, gone.acknowledged));
    }

    private void startDriver()
    {
        final String name = "driver-of-slot-" + slot + "-" + drivers++;
        final AtomicReference<String> ready = new AtomicReference<>("");
        aeronDirectory = cluster.aeronDirectory(name);
        driver = TestProcess.start(name, cluster.logs(), ready::set, Gradstream.class.getName(),
            List.of("media-driver", "--profile=dev", "--aeron-dir=" + aeronDirectory, "--stop-on-eof"));
        await(name + " is ready", () -> ready.get().startsWith("READY"));
    }

    private void startWorker()
    {
        final Worker next = new Worker();
        final int life = dead.size();
        next.process = TestProcess.start("slot-" + slot + "-life-" + life, cluster.logs(), next::onLine,
            PushingWorker.class.getName(), List.of(aeronDirectory.toString(), String.join(",", cluster.coordinators()),
            Integer.toString(slot), Integer.toString(life),
            cluster.mode().ack().name(), Integer.toString(cluster.mode().maxInFlight())));
        worker = next;
        isSlow = false;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            cluster.poll();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not within " + TIMEOUT_NS / 1_000_000_000 + " s: " + what);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
