/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.driver;

import io.gradstream.driver.DriverProfile.DriverTimeouts;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.files.RecordCheck;
import org.agrona.concurrent.IdleStrategy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The values of a host's settings, as {@link HostDriver.Context} sets and documents them.
 */
class HostSettings
{
    private static final long NAMES_MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    Path aeronDirectory;
    Path archiveDirectory;
    String archiveControlHost = "127.0.0.1";
    int archiveControlPort = 0;
    long archiveId = 1;
    DriverProfile profile = DriverProfile.DEV;
    long maxSleepNs = 0;
    int mtuLength = ChannelMtu.OF_INTERFACE;
    int termLength = 1024 * 1024;
    int maxLogs = 32;
    int segmentFileLength = 16 * 1024 * 1024;
    int fileSyncLevel = 0;
    long minFreeBytes = 256L * 1024 * 1024;
    int maxConcurrentRecordings = 128;
    int socketBufferLength = 2 * 1024 * 1024;
    Runnable terminationHook = () -> {};
    HostClock clock;
    RecordCheck recordCheck = RecordCheck.NONE;
    SpaceSource spaceSource = (directory) -> Files.getFileStore(directory).getUsableSpace();

    final Path aeronDirectory()
    {
        return aeronDirectory;
    }

    final HostClock clock()
    {
        return clock;
    }

    final Path archiveDirectory()
    {
        return archiveDirectory;
    }

    final String archiveControlHost()
    {
        return archiveControlHost;
    }

    final int archiveControlPort()
    {
        return archiveControlPort;
    }

    final long archiveId()
    {
        return archiveId;
    }

    final DriverProfile profile()
    {
        return profile;
    }

    final long maxSleepNs()
    {
        return maxSleepNs;
    }

    final IdleStrategy newIdleStrategy()
    {
        return 0 == maxSleepNs ? profile.newIdleStrategy() : DriverProfile.newSleepingIdleStrategy(maxSleepNs);
    }

    // Of the thread that only looks up names: it sleeps even where the driver does not.
    final IdleStrategy newNamesIdleStrategy()
    {
        return DriverProfile.newSleepingIdleStrategy(Math.max(maxSleepNs, NAMES_MAX_SLEEP_NS));
    }

    final int mtuLength()
    {
        return mtuLength;
    }

    final int termLength()
    {
        return termLength;
    }

    final int maxLogs()
    {
        return maxLogs;
    }

    final int segmentFileLength()
    {
        return segmentFileLength;
    }

    final int fileSyncLevel()
    {
        return fileSyncLevel;
    }

    final long minFreeBytes()
    {
        return minFreeBytes;
    }

    final int maxConcurrentRecordings()
    {
        return maxConcurrentRecordings;
    }

    final int socketBufferLength()
    {
        return socketBufferLength;
    }

    final Runnable terminationHook()
    {
        return terminationHook;
    }

    final RecordCheck recordCheck()
    {
        return recordCheck;
    }

    final SpaceSource spaceSource()
    {
        return spaceSource;
    }

    final DriverTimeouts timeouts()
    {
        return profile.timeouts();
    }
}
