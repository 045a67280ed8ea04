// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.LogRecords;
import io.gradstream.launcher.JsonText;
import io.gradstream.recovery.log.RecordReplay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordContent;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.recovery.recording.RecordingReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the records of a log, one line each, checking them on the way. */
@Command(name = "dump", description = "Print the records of a log, one line each.")
final class RecordingDumpCommand implements Callable<Integer>
{
    private static final JsonText JSON = new JsonText(6);
    private static final int BUFFER_LENGTH = 64 * 1024;
    /** Lines between two looks at whether somebody still reads them. */
    private static final int CHECK_LINES = 4096;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RecordingOptions options;

    @Mixin
    private RecordingChoice choice;

    @Option(names = "--from", paramLabel = "POSITION", defaultValue = "0",
        description = "Only records that end after this position. Default: ${DEFAULT-VALUE}.")
    private long from;

    @Option(names = "--to", paramLabel = "POSITION|end", defaultValue = "end",
        description = "Only records that end at this position or before. Default: ${DEFAULT-VALUE}.")
    private String to;

    @Option(names = "--json", description = "Print one JSON object a line.")
    private boolean isJson;

    private final RecordContent content = new RecordContent();

    @Override
    public Integer call() throws IOException
    {
        final long end = RecordingReplayCommand.position(to);
        CommonOptions.checkRange("from", from, 0, Long.MAX_VALUE);
        return options.read((directory) -> dump(directory, end));
    }

    private int dump(final RecordingDirectory directory, final long end)
    {
        final RecordingEntry entry = choice.of(directory);
        UsageException.refuseIf(Kind.LOG != entry.kind(),
            "recording " + entry.recordingId() + " is no log but " +
                RecordingText.title(entry) + ": describe says what is in it");
        final PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), BUFFER_LENGTH));
        try (RecordingReader reader = directory.read(entry))
        {
            print(reader, new RecordReplay(entry.startPosition()), end, out);
        }
        finally
        {
            out.flush();
        }

        return 0;
    }

    private void print(
        final RecordingReader reader, final RecordReplay replay, final long end, final PrintWriter out)
    {
        long lines = 0;
        while (reader.next() && reader.position() <= end)
        {
            final String problem = replay.replay(reader.buffer(), reader.offset(), reader.length(), reader.position());
            if (null != problem)
            {
                throw broken(reader.beginPosition(), problem);
            }
            if (reader.position() > from)
            {
                content.wrap(reader.buffer(), reader.offset(), reader.length());
                out.println(isJson ? json(reader) : text(reader));
                if (0 == ++lines % CHECK_LINES && out.checkError())
                {
                    return;
                }
            }
        }
        if (RecordingReader.End.BROKEN == reader.end())
        {
            throw broken(reader.position(), reader.problem());
        }
    }

    private static ReplayException broken(final long position, final String problem)
    {
        return new ReplayException("the log is broken at position=" + position + ": " + problem);
    }

    private String text(final RecordingReader reader)
    {
        final String parts = content.parts().isEmpty() ? "" : " parts=" + content.parts().stream()
            .map((part) -> part.slot() + ":" + part.sequence()).collect(Collectors.joining(","));

        return "position=" + reader.position() + " index=" + LogRecords.index(reader.buffer(), reader.offset()) +
            " epoch=" + LogRecords.epoch(reader.buffer(), reader.offset()) + " type=" + content.type() + parts +
            " rows=" + content.rows() + " bytes=" + reader.length() +
            (content.detail().isEmpty() ? "" : " " + content.detail());
    }

    private String json(final RecordingReader reader)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("position", reader.position());
        json.put("index", LogRecords.index(reader.buffer(), reader.offset()));
        json.put("epoch", LogRecords.epoch(reader.buffer(), reader.offset()));
        json.put("type", content.type());
        json.put("slots", content.parts().stream().map(RecordContent.Part::slot).toList());
        json.put("sequences", content.parts().stream().map(RecordContent.Part::sequence).toList());
        json.put("rows", content.rows());
        json.put("bytes", reader.length());
        json.put("detail", content.detail());

        return JSON.of(json);
    }
}
