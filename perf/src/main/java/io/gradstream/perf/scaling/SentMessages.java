// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.aeron.cluster.ConsensusModule;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Counts the messages that the processes of a run send, by sender and kind, in the log buffers of their media drivers.
 * What the coordinators write into their log is counted as sent by "log". What stays within a process is not counted:
 * Aeron zeroes the log buffers of IPC as soon as they are read.
 */
final class SentMessages implements AutoCloseable
{
    /** Name in place of a sender's for the entries of the coordinators' log. */
    static final String LOG = "log";

    private static final String SUFFIX = ".logbuffer";
    private static final int LOG_STREAM = ConsensusModule.Configuration.logStreamId();

    private final Path directory;
    private final String prefix;
    private final Map<Path, SentStream> streams = new HashMap<>();
    /** By stream the count of its last message, which further frames may belong to. */
    private final Map<SentStream, Count> unfinished = new HashMap<>();
    private final Map<String, Count> counts = new TreeMap<>();

    /** Messages of one kind, the bytes of their frames, and the bytes of the longest one. */
    static final class Count
    {
        private long messages;
        private long bytes;
        private int length;
        private int longest;

        private Count()
        {
        }

        private Count(final Count other)
        {
            messages = other.messages;
            bytes = other.bytes;
            longest = other.longest;
        }

        long messages()
        {
            return messages;
        }

        long bytes()
        {
            return bytes;
        }

        /** Bytes of the longest message, without headers of frames. */
        int longest()
        {
            return longest;
        }

        private void onFrame(final boolean isBegun, final int frameBytes, final int messageBytes)
        {
            messages += isBegun ? 1 : 0;
            length = isBegun ? messageBytes : length + messageBytes;
            bytes += frameBytes;
            longest = Math.max(longest, length);
        }
    }

    /**
     * The log buffers of a driver: how many streams it sends and receives, and the bytes of their files.
     *
     * @param sent     publications.
     * @param received images.
     * @param bytes    of the files of both.
     */
    record Buffers(int sent, int received, long bytes)
    {
    }

    /**
     * Nothing is counted before the first {@link #read()}.
     *
     * @param aeronDirectory of one process of the run.
     * @param name           of that process, with which the name of the directory ends.
     */
    SentMessages(final Path aeronDirectory, final String name)
    {
        directory = aeronDirectory.getParent();
        final String file = aeronDirectory.getFileName().toString();
        prefix = file.substring(0, file.length() - name.length());
    }

    /**
     * Count what was sent since the last call. A stream that is found later counts from the beginning of its term on.
     *
     * @throws IOException if a directory cannot be read.
     */
    void read() throws IOException
    {
        final Set<Path> found = new HashSet<>();
        for (final String sender : senders())
        {
            for (final Path file : logBuffers(sender, "publications"))
            {
                found.add(file);
                final SentStream stream = streams.computeIfAbsent(file, SentMessages::open);
                if (null != stream)
                {
                    read(stream, sender);
                }
            }
        }
        streams.entrySet().removeIf((entry) ->
        {
            final boolean isGone = !found.contains(entry.getKey());
            if (isGone)
            {
                unfinished.remove(entry.getValue());
                entry.getValue().close();
            }
            return isGone;
        });
    }

    private void read(final SentStream stream, final String sender)
    {
        final boolean isLog = LOG_STREAM == stream.streamId() && role(sender).startsWith("coordinator");
        final String from = isLog ? LOG : role(sender);
        stream.read((kind, frameBytes, bytes) ->
        {
            if (null != kind)
            {
                unfinished.put(stream, MessageKind.LOCAL.equals(kind) ? null :
                    counts.computeIfAbsent(from + " " + kind, (name) -> new Count()));
            }
            final Count count = unfinished.get(stream);
            if (null != count)
            {
                count.onFrame(null != kind, frameBytes, bytes);
            }
        });
    }

    /** Null if it is not there any more, or not yet: then the next look finds it. */
    private static SentStream open(final Path file)
    {
        try
        {
            return new SentStream(file);
        }
        catch (final IOException | IllegalStateException ignore)
        {
            return null;
        }
    }

    /** The counts so far, by sender and kind. */
    Map<String, Count> counts()
    {
        final Map<String, Count> copy = new TreeMap<>();
        counts.forEach((kind, count) -> copy.put(kind, new Count(count)));

        return copy;
    }

    /**
     * The log buffers that are there now, by the name of their process.
     *
     * @throws IOException if a directory cannot be read.
     */
    Map<String, Buffers> buffers() throws IOException
    {
        final Map<String, Buffers> all = new TreeMap<>();
        for (final String name : senders())
        {
            final List<Path> sent = logBuffers(name, "publications");
            final List<Path> received = logBuffers(name, "images");
            all.put(name, new Buffers(sent.size(), received.size(),
                Stream.concat(sent.stream(), received.stream()).mapToLong((file) -> file.toFile().length()).sum()));
        }

        return all;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(streams.values());
    }

    /** The name without a number: "server" for all servers, "worker" for the driver of all workers. */
    static String role(final String name)
    {
        return "driver".equals(name) ? "worker" : name.replaceAll("-\\d+$", "");
    }

    private List<String> senders() throws IOException
    {
        try (Stream<Path> all = Files.list(directory))
        {
            return all.map((path) -> path.getFileName().toString()).filter((name) -> name.startsWith(prefix))
                .map((name) -> name.substring(prefix.length())).sorted().toList();
        }
    }

    private List<Path> logBuffers(final String sender, final String kind) throws IOException
    {
        final Path all = directory.resolve(prefix + sender).resolve(kind);
        if (!Files.isDirectory(all))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(all))
        {
            return files.filter((file) -> file.toString().endsWith(SUFFIX)).toList();
        }
    }
}
