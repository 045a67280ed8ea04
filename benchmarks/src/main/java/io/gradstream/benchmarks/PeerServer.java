// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import io.gradstream.launcher.process.ParentLink;
import io.gradstream.launcher.process.StatusLine;

import java.lang.management.ManagementFactory;

/** The other process of a peer in Java: one service, and a few commands of the parent. */
public final class PeerServer
{
    /** Command: never sleep from now on, if the profile is latency. */
    static final String BUSY = "busy";
    /** Command: sleep when there is nothing to do. */
    static final String REST = "rest";
    /** Command: tell how long the compiler was at work, as {@link #COMPILED_MS} of a line of progress. */
    static final String COMPILED = "compiled";
    static final String COMPILED_MS = "compiledMs";
    static final String PORT = "port";

    private static final int ARGUMENTS = 2;

    private final boolean maySpin;
    private boolean isBusy;

    private PeerServer(final DriverProfile profile)
    {
        maySpin = DriverProfile.LATENCY == profile;
    }

    /**
     * Serve until standard input ends.
     *
     * @param args name of a {@link Peer} in Java, and profile.
     */
    public static void main(final String[] args)
    {
        if (ARGUMENTS != args.length)
        {
            throw new IllegalArgumentException("invalid arguments=" + args.length + ": must be peer and profile; " +
                "PeersCommand starts this process");
        }
        final Peer peer = Peer.valueOf(args[0]);
        final DriverProfile profile = DriverProfile.parse(args[1]);
        try (ParentLink parent = ParentLink.open(true); PeerService service = peer.serve(new PeerRows()))
        {
            System.out.println(new StatusLine(StatusLine.READY).with(PORT, service.port()));
            new PeerServer(profile).run(service, parent);
        }
    }

    /** Milliseconds that this process's compiler was at work. */
    static long compiledMs()
    {
        return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    }

    private void run(final PeerService service, final ParentLink parent)
    {
        while (!parent.isStopped())
        {
            final String command = parent.pollCommand();
            if (null != command)
            {
                onCommand(command);
            }
            service.doWork(isBusy);
        }
    }

    private void onCommand(final String command)
    {
        switch (command)
        {
            case BUSY -> isBusy = maySpin;
            case REST -> isBusy = false;
            case COMPILED -> System.out.println(new StatusLine(StatusLine.PROGRESS).with(COMPILED_MS, compiledMs()));
            default -> throw new IllegalArgumentException("invalid command=" + command);
        }
    }
}
