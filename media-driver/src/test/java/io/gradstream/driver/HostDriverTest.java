// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.archive.client.AeronArchive;
import io.gradstream.driver.client.DriverDoorbell;
import io.gradstream.driver.client.HostDriverException;
import org.agrona.BufferUtil;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static io.gradstream.driver.client.HostDriverException.Reason.AERON_DIRECTORY_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.ARCHIVE_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.NO_SPACE;
import static io.gradstream.driver.client.HostDriverException.Reason.PORT_IN_USE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

@Timeout(20)
class HostDriverTest
{
    private static final long MIB = 1024 * 1024;

    private final Path aeronDirectory = AeronDirectory.newDefault();

    @TempDir
    private Path archiveDirectory;

    static HostDriver.Context context(final Path aeronDirectory, final Path archiveDirectory)
    {
        return new HostDriver.Context()
            .aeronDirectory(aeronDirectory)
            .archiveDirectory(archiveDirectory)
            .minFreeBytes(0);
    }

    @AfterEach
    void removeAeronDirectory()
    {
        IoUtil.delete(aeronDirectory.toFile(), true);
    }

    private HostDriverException refusal(final HostDriver.Context ctx)
    {
        return catchThrowableOfType(HostDriverException.class, () -> HostDriver.launch(ctx).close());
    }

    @Test
    void shouldLeaveNoAeronDirectoryWhenClosed()
    {
        try (HostDriver host = HostDriver.launch(context(aeronDirectory, archiveDirectory));
            AeronArchive first = AeronArchive.connect(host.archiveContext());
            AeronArchive second = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(aeronDirectory).exists();
            assertThat(first.controlSessionId()).isNotEqualTo(second.controlSessionId());
        }

        assertThat(aeronDirectory).doesNotExist();
        assertThat(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE)).exists();
    }

    @Test
    void shouldLeaveABellByWhichWorkersWakeItsDriver()
    {
        try (HostDriver host = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory)))
        {
            assertThat(Path.of(host.aeronDirectoryName(), DriverDoorbell.FILE)).exists();
        }
    }

    @Test
    void shouldKeepErrorsOfOtherPartsOfItsProcessUntilItIsClosed()
    {
        final List<Throwable> told = new ArrayList<>();
        final ErrorHandler ofPart;
        try (HostDriver host = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory)))
        {
            ofPart = host.keepingErrors(told::add);
            ofPart.onError(new IllegalStateException("partition=1 has no room"));
            final MappedByteBuffer cnc = new CommonContext()
                .aeronDirectoryName(host.aeronDirectoryName()).conclude().mapExistingCncFile(null);
            final List<String> kept = new ArrayList<>();
            ErrorLogReader.read(CommonContext.errorLogBuffer((ByteBuffer)cnc), (count, firstMs, lastMs, text) ->
                kept.add(text));
            BufferUtil.free(cnc);
            assertThat(kept).hasSize(1);
            assertThat(kept.get(0)).contains("IllegalStateException: partition=1 has no room");
        }
        ofPart.onError(new IllegalStateException("too late"));
        assertThat(told).hasSize(2);
    }

    @Test
    void shouldServeClientsWithoutAnArchiveWhenNoArchiveDirectoryIsSet()
    {
        try (HostDriver host = HostDriver.launch(
            new HostDriver.Context().aeronDirectory(aeronDirectory).profile(DriverProfile.LATENCY));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(host.aeronDirectoryName())))
        {
            assertThat(aeron.isClosed()).isFalse();
            assertThat(catchThrowableOfType(IllegalStateException.class, host::archiveContext))
                .hasMessageContaining("has no Archive");
        }
    }

    @Test
    void shouldFindItsOwnDirectoryAgainWhenKilled()
    {
        final Path named = AeronDirectory.defaultFor(archiveDirectory);

        assertThat(AeronDirectory.defaultFor(archiveDirectory.resolve("..").resolve(archiveDirectory.getFileName())))
            .isEqualTo(named);
        assertThat(AeronDirectory.defaultFor(archiveDirectory.resolveSibling("other"))).isNotEqualTo(named);
        try (HostDriver host = HostDriver.launch(context(null, archiveDirectory)))
        {
            assertThat(host.aeronDirectoryName()).isEqualTo(named.toString());
        }
        assertThat(named).doesNotExist();
    }

    @Test
    void shouldRemoveADirectoryNamedAfterADeadProcess() throws Exception
    {
        final String own = ProcessToken.own();
        final Path dead = aeronDirectory.resolveSibling(
            "gradstream-" + own.substring(0, own.lastIndexOf('-')) + "-1-server-0");
        final Path strange = aeronDirectory.resolveSibling(
            "gradstream-" + own.substring(0, own.lastIndexOf('-')) + "-1-home");
        Files.createDirectories(dead.resolve("images"));
        Files.createDirectories(strange.resolve("photographs"));
        try
        {
            AeronDirectory.deleteLeftovers();
            assertThat(dead).as("a driver may just be making it, on behalf of one that died").exists();

            HostDriver.removeLeftovers();

            assertThat(dead).doesNotExist();
            assertThat(strange.resolve("photographs")).exists();
        }
        finally
        {
            IoUtil.delete(dead.toFile(), true);
            IoUtil.delete(strange.toFile(), true);
        }
    }

    @Test
    void shouldRefuseASecondStartWhenTheArchiveDirectoryIsInUse()
    {
        final Path otherAeronDirectory = AeronDirectory.newDefault();
        try (HostDriver host = HostDriver.launch(context(aeronDirectory, archiveDirectory)))
        {
            final HostDriverException refusal = refusal(context(otherAeronDirectory, archiveDirectory));

            assertThat(refusal.reason()).isEqualTo(ARCHIVE_IN_USE);
            assertThat(refusal).hasMessage("another process (pid " + ProcessHandle.current().pid() +
                ") uses archiveDirectory=" + archiveDirectory + "; stop it or choose another --dir");
            assertThat(otherAeronDirectory).doesNotExist();
            assertThat(host.isTerminated()).isFalse();
        }
    }

    @Test
    void shouldRefuseWhenALivingDriverUsesTheAeronDirectory()
    {
        try (HostDriver host = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory)))
        {
            final HostDriverException refusal = refusal(context(aeronDirectory, archiveDirectory));

            assertThat(refusal.reason()).isEqualTo(AERON_DIRECTORY_IN_USE);
            assertThat(Path.of(host.aeronDirectoryName())).exists();
        }

        HostDriver.launch(context(aeronDirectory, archiveDirectory)).close();
    }

    @Test
    void shouldNameThePortWhenItIsTaken() throws Exception
    {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            final HostDriverException refusal = refusal(
                context(aeronDirectory, archiveDirectory).archiveControlPort(taken.getLocalPort()));

            assertThat(refusal.reason()).isEqualTo(PORT_IN_USE);
            assertThat(refusal).hasMessageContaining("UDP 127.0.0.1:" + taken.getLocalPort());
            assertThat(aeronDirectory).doesNotExist();
        }
    }

    @Test
    void shouldListenForOtherHostsWhenAControlPortIsSet() throws Exception
    {
        final int port;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            port = free.getLocalPort();
        }

        try (HostDriver host = HostDriver.launch(
            context(aeronDirectory, archiveDirectory).archiveControlPort(port).archiveId(42));
            AeronArchive client = AeronArchive.connect(new AeronArchive.Context()
                .aeronDirectoryName(host.aeronDirectoryName())
                .controlRequestChannel("aeron:udp?endpoint=127.0.0.1:" + port)
                .controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0")))
        {
            assertThat(client.archiveId()).isEqualTo(42);
        }
    }

    @Test
    void shouldSayWhatToDoWhenSharedMemoryIsTooSmall()
    {
        final HostDriverException refusal = refusal(
            context(aeronDirectory, archiveDirectory).spaceSource((directory) -> 64 * MIB));

        assertThat(refusal.reason()).isEqualTo(NO_SPACE);
        assertThat(refusal).hasMessage("not enough room for aeronDirectory=" + aeronDirectory +
            ": needs 112 MiB (maxLogs=32, termLength=1048576), has 64 MiB; enlarge the file system (in a container " +
            "--shm-size), or choose another directory (--aeron-dir)");
        assertThat(aeronDirectory).doesNotExist();
    }

    @Test
    void shouldSayWhatToDoWhenTheArchiveDiskIsTooFull()
    {
        final HostDriverException refusal = refusal(context(aeronDirectory, archiveDirectory)
            .minFreeBytes(200 * MIB)
            .spaceSource((directory) -> directory.startsWith(archiveDirectory) ? 199 * MIB : 1024 * MIB));

        assertThat(refusal.reason()).isEqualTo(NO_SPACE);
        assertThat(refusal).hasMessageContaining("archiveDirectory=" + archiveDirectory)
            .hasMessageContaining("needs 200 MiB (minFreeBytes=209715200), has 199 MiB");
    }

    @Test
    void shouldSayWhatToDoWhenTheArchiveDiskHasBecomeTooFull()
    {
        final AtomicLong usable = new AtomicLong(1024 * MIB);
        try (HostDriver host = HostDriver.launch(context(aeronDirectory, archiveDirectory)
            .minFreeBytes(200 * MIB).spaceSource((directory) -> usable.get())))
        {
            host.checkSpaceToRecord();
            usable.set(MIB);

            assertThat(catchThrowableOfType(HostDriverException.class, host::checkSpaceToRecord))
                .hasMessageContaining("has 1 MiB; free some, choose another --dir")
                .hasMessageContaining("or lower gradstream.driver.min.free.bytes")
                .extracting(HostDriverException::reason).isEqualTo(NO_SPACE);
        }
    }

    @Test
    void shouldTellTheOwnerOnceWhenTheDriverIsGone() throws Exception
    {
        final CountDownLatch told = new CountDownLatch(1);
        final HostDriver host = HostDriver.launch(
            context(aeronDirectory, archiveDirectory).terminationHook(told::countDown));
        host.driver().close();

        assertThat(told.await(15, TimeUnit.SECONDS)).isTrue();
        assertThat(host.isTerminated()).isTrue();
        host.close();
        assertThat(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE)).doesNotExist();
    }
}
