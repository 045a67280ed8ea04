// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.driver.client.AbandonedClients;
import io.gradstream.driver.client.DriverProbe;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.client.SystemProperty;
import io.gradstream.driver.files.RecordCheck;
import io.gradstream.driver.files.TailRepair.RepairReport;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NoOpLock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static io.gradstream.driver.client.HostDriverException.Reason.LAUNCH_FAILED;

/**
 * One host's Aeron media driver and, where it records, its Archive, in this process and with Gradstream's settings. The
 * driver may also be one that runs in another process: then this process has the Archive only, next to those of others.
 * <p>
 * {@link #launch(Context)} may follow a kill -9 at once: it proves the process before dead, removes what that process
 * left and repairs the torn ends of its recordings.
 */
public final class HostDriver implements AutoCloseable
{
    /** The channel on which clients on this host ask the Archive. */
    public static final String ARCHIVE_CONTROL_CHANNEL = "aeron:ipc?term-length=64k";
    /**
     * Of the Archive in its driver's process. The same for IPC and UDP: a cluster member asks other members' Archives
     * by the stream of its own.
     */
    public static final int ARCHIVE_CONTROL_STREAM_ID = 10;
    /**
     * For {@link Context#clientLivenessNs(long)}: driver and clients outlive a minute in which one of them, or all,
     * stand still.
     */
    public static final long PATIENT_NS = TimeUnit.SECONDS.toNanos(90);

    private final Context ctx;
    private final AgentTerminationMonitor watch;
    private final ProcessErrors errors;
    /** Null if it runs in another process. */
    private OwnDriver driver;
    /** Null where nothing is recorded. */
    private HostArchive archive;
    private boolean isClosed;

    private HostDriver(final Context ctx)
    {
        this.ctx = ctx;
        watch = new AgentTerminationMonitor(ctx.terminationHook);
        errors = new ProcessErrors(new CountedErrors("media driver", Throwable::toString, ctx.errorLog));
    }

    /**
     * Remove the directories of killed drivers that chose the names themselves, which takes 3 s if one was only begun.
     */
    public static void removeLeftovers()
    {
        AeronDirectory.awaitLeftovers();
    }

    /**
     * The least space that a driver with default settings takes in the file system of its Aeron directory.
     *
     * @param openLogs publications and images that are open soon in every cluster.
     */
    public static long leastSharedMemory(final int openLogs)
    {
        return SpaceCheck.leastAeronBytes(Configuration.TERM_LENGTH, openLogs);
    }

    /**
     * Go on only if several drivers that share a file system find room: each alone finds what others will take.
     *
     * @param directory  where their Aeron directories will be.
     * @param drivers    how many.
     * @param leastBytes sum of their {@link #leastSharedMemory}.
     * @param source     tells how much room there is.
     * @throws HostDriverException if there is less; says what to do.
     */
    public static void checkSharedMemory(
        final Path directory, final int drivers, final long leastBytes, final SpaceSource source)
    {
        new SpaceCheck(source).checkSharedMemory(directory, drivers, leastBytes);
    }

    /**
     * Start driver and Archive. If any part cannot start, whatever had started is stopped and removed again.
     *
     * @param ctx settings; concluded here.
     * @return the running host.
     * @throws IllegalArgumentException if a setting is wrong.
     * @throws HostDriverException      if the machine does not allow it: see its reason.
     */
    public static HostDriver launch(final Context ctx)
    {
        ctx.conclude();
        final HostDriver host = new HostDriver(ctx);
        try
        {
            host.start();
            return host;
        }
        catch (final HostDriverException | Error ex)
        {
            host.abandonStart();
            throw ex;
        }
        catch (final IOException | RuntimeException ex)
        {
            host.abandonStart();
            throw new HostDriverException(LAUNCH_FAILED, "cannot start driver and Archive: " + ex.getMessage(), ex);
        }
    }

    /** The directory by which clients find the driver, an absolute path. */
    public String aeronDirectoryName()
    {
        return ctx.aeronDirectory.toString();
    }

    /** The thread of an agent that works with driver and Archive. */
    public AgentThread agentThread()
    {
        return new AgentThread(ctx, driver);
    }

    /** The threads of this process that hand each other work, for those that use driver and Archive to join. */
    public WakeupGroup wakeupGroup()
    {
        return ctx.wakeupGroup;
    }

    /**
     * The clock of the driver and of all its clients, which no change of the wall clock moves.
     *
     * @return the clock, to be given to whatever judges by Unix time whether another part lives.
     */
    public EpochClock clock()
    {
        return ctx.clock;
    }

    /**
     * An error handler of a part of this process whose errors the driver's error log keeps too, where anybody can read
     * them while the process lives, and after it was killed.
     *
     * @param errorHandler of the part, told of each error.
     * @return handler to be used in its place.
     */
    public ErrorHandler keepingErrors(final ErrorHandler errorHandler)
    {
        return errors.keep(errorHandler);
    }

    /**
     * Check that there is room to record. To be called when a recording has died: the Archive says so to nobody else.
     *
     * @throws HostDriverException if less is free than has to be kept free; says where, and what to do.
     */
    public void checkSpaceToRecord()
    {
        if (null != archive)
        {
            archive.checkSpace();
        }
    }

    /**
     * Settings for a client of the driver in this process, which survives as long a pause of the process as the driver
     * does. Each call gives new ones.
     *
     * @return settings not yet concluded.
     */
    public Aeron.Context aeronContext()
    {
        return AeronSettings.aeronContext(ctx);
    }

    /**
     * A client for a part of Aeron in this process, as that part would make it, but one that survives such a pause.
     *
     * @param isInvoked    whether the part runs its conductor.
     * @param errorHandler of the part.
     * @return the client, to be owned by the part.
     */
    public Aeron connectPart(final boolean isInvoked, final ErrorHandler errorHandler)
    {
        final Aeron.Context client = aeronContext()
            .errorHandler(errorHandler)
            .subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)
            .useConductorAgentInvoker(isInvoked);

        return Aeron.connect(isInvoked ? client.clientLock(NoOpLock.INSTANCE) : client);
    }

    /**
     * Settings for a client of the Archive on this host, over IPC. Each call gives new ones, so that each thread has
     * a client of its own; replace the Aeron client, lock and so on as needed.
     *
     * @return settings not yet concluded.
     * @throws IllegalStateException if this host has no Archive.
     */
    public AeronArchive.Context archiveContext()
    {
        if (null == ctx.archiveDirectory)
        {
            throw new IllegalStateException("archiveDirectory=null: this host has no Archive");
        }

        return AeronSettings.clientContext(ctx);
    }

    /** The findings in the archive directory at start. */
    public RepairReport repairReport()
    {
        return null == archive ? RepairReport.NOT_NEEDED : archive.repairReport();
    }

    /**
     * True once driver or Archive has ended without {@link #close()}. What is sent afterwards is not recorded: the
     * owner must stop.
     */
    public boolean isTerminated()
    {
        return watch.isTerminated();
    }

    /**
     * Stop Archive and driver, remove the Aeron directory, and note that the archive directory is in order. Clients
     * should be closed before.
     */
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }

        isClosed = true;
        watch.closing();
        try
        {
            if (null != archive)
            {
                archive.stop(!watch.isTerminated());
            }
        }
        finally
        {
            CloseHelper.closeAll(driver, archive);
        }
    }

    private void start() throws IOException
    {
        archive = null == ctx.archiveDirectory ? null : HostArchive.hold(ctx);
        if (ctx.isDriverExternal)
        {
            DriverProbe.awaitDriver(aeronDirectoryName());
            ctx.clientName = archive.clientName();
            AbandonedClients.close(aeronDirectoryName(), ctx.clientName);
        }
        else
        {
            AeronDirectory.deleteIfDead(ctx.aeronDirectory, MediaDriver.Context.DRIVER_TIMEOUT_MS);
            AeronDirectory.deleteLeftovers();
            new SpaceCheck(ctx.spaceSource).checkAeronDirectory(ctx.aeronDirectory, ctx.termLength, ctx.maxLogs);
        }
        if (null != archive)
        {
            archive.prepare();
        }
        if (!ctx.isDriverExternal)
        {
            startDriver();
        }
        if (null != archive)
        {
            archive.start(
                connectPart(true, keepingErrors(new CountedErrors("archive", Throwable::toString, ctx.errorLog))),
                watch);
        }
    }

    private void startDriver() throws IOException
    {
        driver = OwnDriver.launch(ctx, watch, errors);
        repairReport().damaged().forEach((line) ->
            errors.record(new IllegalStateException(HostArchive.DAMAGED + line)));
    }

    OwnDriver driver()
    {
        return driver;
    }

    private void abandonStart()
    {
        watch.closing();
        CloseHelper.quietCloseAll(null == archive ? null : () -> archive.stop(false), driver, archive);
        isClosed = true;
    }

    /** The system properties that a host's settings begin with, and their defaults. */
    public static final class Configuration
    {
        /** How threads idle, and how soon a silent peer is given up, also of a server and a coordinator. */
        public static final String PROFILE_PROP_NAME = "gradstream.driver.profile";
        /** Default of {@link #PROFILE_PROP_NAME}; the other one is {@code latency}. */
        public static final String PROFILE_DEFAULT = "dev";
        /** Longest datagram in bytes, also of a server and a coordinator. */
        public static final String MTU_LENGTH_PROP_NAME = "gradstream.driver.mtu.length";
        /** Default of {@link #MTU_LENGTH_PROP_NAME}: what fits the interface. */
        public static final int MTU_LENGTH_DEFAULT = ChannelMtu.OF_INTERFACE;
        static final int TERM_LENGTH = 1024 * 1024;
        /** Publications and images expected at once, for the check of free space. */
        public static final String MAX_LOGS_PROP_NAME = "gradstream.driver.max.logs";
        /** Default of {@link #MAX_LOGS_PROP_NAME}. */
        public static final int MAX_LOGS_DEFAULT = 32;
        /** 1 or 2: what is recorded survives a loss of power. */
        public static final String FILE_SYNC_LEVEL_PROP_NAME = "gradstream.driver.file.sync.level";
        /** Default of {@link #FILE_SYNC_LEVEL_PROP_NAME}: it survives the end of the process. */
        public static final int FILE_SYNC_LEVEL_DEFAULT = 0;
        /** Free bytes below which nothing new is recorded. */
        public static final String MIN_FREE_BYTES_PROP_NAME = "gradstream.driver.min.free.bytes";
        /** Default of {@link #MIN_FREE_BYTES_PROP_NAME}. */
        public static final long MIN_FREE_BYTES_DEFAULT = 256L * 1024 * 1024;
        /** Bytes asked for each socket's buffers. */
        public static final String SOCKET_BUFFER_LENGTH_PROP_NAME = "gradstream.driver.socket.buffer.length";
        /** Default of {@link #SOCKET_BUFFER_LENGTH_PROP_NAME}. */
        public static final int SOCKET_BUFFER_LENGTH_DEFAULT = ChannelMtu.SOCKET_BUFFER_LENGTH;

        private Configuration()
        {
        }

        /** The value of {@link #PROFILE_PROP_NAME}. */
        public static DriverProfile profile()
        {
            return DriverProfile.parse(SystemProperty.word(PROFILE_PROP_NAME, PROFILE_DEFAULT, "dev", "latency"));
        }

        /** The value of {@link #MTU_LENGTH_PROP_NAME}. */
        public static int mtuLength()
        {
            return SystemProperty.mtuLength(MTU_LENGTH_PROP_NAME, MTU_LENGTH_DEFAULT);
        }

        static int maxLogs()
        {
            return (int)SystemProperty.number(MAX_LOGS_PROP_NAME, MAX_LOGS_DEFAULT, 1, ContextCheck.MAX_LOGS);
        }

        static int fileSyncLevel()
        {
            return (int)SystemProperty.number(FILE_SYNC_LEVEL_PROP_NAME, FILE_SYNC_LEVEL_DEFAULT, 0, 2);
        }

        static long minFreeBytes()
        {
            return SystemProperty.number(MIN_FREE_BYTES_PROP_NAME, MIN_FREE_BYTES_DEFAULT, 0, Long.MAX_VALUE);
        }

        static int socketBufferLength()
        {
            return (int)SystemProperty.number(SOCKET_BUFFER_LENGTH_PROP_NAME, SOCKET_BUFFER_LENGTH_DEFAULT,
                ChannelMtu.MAX_LENGTH, ContextCheck.MAX_SOCKET_BUFFER_LENGTH);
        }
    }

    /**
     * The settings of a host: setters only set, {@link #conclude()} checks them all before anything opens. They
     * begin as {@link Configuration} says.
     */
    public static final class Context
    {
        Path aeronDirectory;
        Path archiveDirectory;
        int archiveControlStreamId = ARCHIVE_CONTROL_STREAM_ID;
        String archiveControlHost = "127.0.0.1";
        int archiveControlPort = 0;
        long archiveId = 1;
        DriverProfile profile = Configuration.profile();
        long maxSleepNs = 0;
        long clientLivenessNs = 0;
        int mtuLength = Configuration.mtuLength();
        int termLength = Configuration.TERM_LENGTH;
        int maxLogs = Configuration.maxLogs();
        int segmentFileLength = 16 * 1024 * 1024;
        int fileSyncLevel = Configuration.fileSyncLevel();
        long minFreeBytes = Configuration.minFreeBytes();
        int maxConcurrentRecordings = 128;
        int socketBufferLength = Configuration.socketBufferLength();
        Runnable terminationHook = () -> {};
        Consumer<String> errorLog = (line) -> System.err.println(line);
        HostClock clock;
        RecordCheck recordCheck = RecordCheck.NONE;
        SpaceSource spaceSource = (directory) -> Files.getFileStore(directory).getUsableSpace();
        boolean isDriverExternal;
        boolean isForThisProcess;
        /** Of this process's clients at a driver of another process. */
        String clientName = "";
        final WakeupGroup wakeupGroup = new WakeupGroup();
        private boolean isConcluded;

        /**
         * Check every setting, and choose those left open. Called by {@link HostDriver#launch(Context)}.
         *
         * @return this.
         * @throws IllegalArgumentException naming the setting, its value and what is allowed.
         * @throws IllegalStateException    if called twice.
         */
        public Context conclude()
        {
            if (isConcluded)
            {
                throw new IllegalStateException("isConcluded=true: each launch needs a Context of its own");
            }

            isConcluded = true;
            if (null == aeronDirectory)
            {
                aeronDirectory = null == archiveDirectory ?
                    AeronDirectory.newDefault() : AeronDirectory.defaultFor(archiveDirectory);
            }
            aeronDirectory = aeronDirectory.toAbsolutePath().normalize();
            if (null == clock)
            {
                clock = isDriverExternal ?
                    HostClock.of(aeronDirectory.toString()) : HostClock.start(aeronDirectory);
            }
            ContextCheck.check(this);
            clientLivenessNs = 0 == clientLivenessNs ? profile.timeouts().clientLivenessNs() : clientLivenessNs;
            wakeupGroup.watchFor(0 == maxSleepNs ? ParkingIdleStrategy.WATCH_NS : WakeupGroup.SHORT_WATCH_NS);

            return this;
        }

        /**
         * Directory the driver shares with its clients; by default one in /dev/shm, or else in the temporary directory,
         * whose name follows from that of the Archive's directory where there is one.
         */
        public Context aeronDirectory(final Path aeronDirectory)
        {
            this.aeronDirectory = aeronDirectory;
            return this;
        }

        /**
         * Directory of a driver that runs in another process and stays its own: only an Archive is started here. Its
         * clients ask it by {@link HostDriver#archiveContext()}; other Archives may use the same driver.
         */
        public Context externalDriver(final Path driverDirectory)
        {
            isDriverExternal = true;
            return aeronDirectory(driverDirectory);
        }

        /** True if this process alone gives them work, by {@link HostDriver#agentThread()} or others that join it. */
        public Context isForThisProcess(final boolean isForThisProcess)
        {
            this.isForThisProcess = isForThisProcess;
            return this;
        }

        /** Directory of the recordings, or null (the default) for a host without an Archive. */
        public Context archiveDirectory(final Path archiveDirectory)
        {
            this.archiveDirectory = archiveDirectory;
            return this;
        }

        /** Address on which the Archive listens for other hosts. */
        public Context archiveControlHost(final String archiveControlHost)
        {
            this.archiveControlHost = archiveControlHost;
            return this;
        }

        /**
         * UDP port on which the Archive listens for other hosts, 0 (the default) for none: this host's own clients
         * use IPC.
         */
        public Context archiveControlPort(final int archiveControlPort)
        {
            this.archiveControlPort = archiveControlPort;
            return this;
        }

        /** Identity of the Archive among those of a cluster; on an external driver a new one with each start. */
        public Context archiveId(final long archiveId)
        {
            this.archiveId = archiveId;
            return this;
        }

        /** How driver and Archive idle, and how soon a silent peer is given up. */
        public Context profile(final DriverProfile profile)
        {
            this.profile = profile;
            return this;
        }

        /**
         * Longest sleep of an idle driver or Archive in nanoseconds, up to 100 ms, after a short watch, not as the
         * profile idles; 0 (the default) for the profile's way.
         */
        public Context maxSleepNs(final long maxSleepNs)
        {
            this.maxSleepNs = maxSleepNs;
            return this;
        }

        /**
         * Silence in nanoseconds after which driver and clients give each other up, 1 s to 1 h; 0 (the default) as the
         * profile says. Streams of a killed client stay for so long.
         */
        public Context clientLivenessNs(final long clientLivenessNs)
        {
            this.clientLivenessNs = clientLivenessNs;
            return this;
        }

        /**
         * Longest datagram in bytes of UDP channels that do not say it themselves, a multiple of 32, forever part of
         * what is recorded of them; by default what fits all interfaces that lead out of this machine.
         */
        public Context mtuLength(final int mtuLength)
        {
            this.mtuLength = mtuLength;
            return this;
        }

        /** Default term length in bytes, a power of two: small enough that a log stays in the processor's cache. */
        public Context termLength(final int termLength)
        {
            this.termLength = termLength;
            return this;
        }

        /** Publications and images expected at once, for the check of free space. */
        public Context maxLogs(final int maxLogs)
        {
            this.maxLogs = maxLogs;
            return this;
        }

        /** Length of one file of a recording in bytes, a power of two and at least the term length. */
        public Context segmentFileLength(final int segmentFileLength)
        {
            this.segmentFileLength = segmentFileLength;
            return this;
        }

        /**
         * 0: a recorded position survives a crash of the process; 1, 2: also a loss of power (data, data and
         * metadata).
         */
        public Context fileSyncLevel(final int fileSyncLevel)
        {
            this.fileSyncLevel = fileSyncLevel;
            return this;
        }

        /** Free bytes below which the Archive does not start and takes no new recording. */
        public Context minFreeBytes(final long minFreeBytes)
        {
            this.minFreeBytes = minFreeBytes;
            return this;
        }

        /** Recordings at once, and replays at once. */
        public Context maxConcurrentRecordings(final int maxConcurrentRecordings)
        {
            this.maxConcurrentRecordings = maxConcurrentRecordings;
            return this;
        }

        /**
         * Socket buffers in bytes; lowered to what the kernel grants. Each stream that comes in may take a sixteenth.
         */
        public Context socketBufferLength(final int socketBufferLength)
        {
            this.socketBufferLength = socketBufferLength;
            return this;
        }

        /** Called once, on a thread of its own, when driver or Archive ends without being closed. */
        public Context terminationHook(final Runnable terminationHook)
        {
            this.terminationHook = terminationHook;
            return this;
        }

        /** Takes a line for what goes wrong and does not end driver or Archive; standard error unless set. */
        public Context errorLog(final Consumer<String> errorLog)
        {
            this.errorLog = errorLog;
            return this;
        }

        /** Tells whether a recorded message is whole by what it says of itself; by default nothing does. */
        public Context recordCheck(final RecordCheck recordCheck)
        {
            this.recordCheck = recordCheck;
            return this;
        }

        /** Tells how much room a file system has. */
        public Context spaceSource(final SpaceSource spaceSource)
        {
            this.spaceSource = spaceSource;
            return this;
        }
    }
}
