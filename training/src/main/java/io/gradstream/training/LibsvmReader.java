// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.gradstream.training.form.LibsvmFormat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Reads data sets in LIBSVM format: a line is {@code label index:value index:value ... # comment}.
 * <p>
 * Labels are 0 and 1, or -1 and +1, throughout, unless the {@link LibsvmFormat} says otherwise. An index is in a line
 * once, and becomes a feature id as it is; values are finite. Blanks may stand on both sides of the colon. Blank lines
 * and lines with only a comment are skipped; lines end in LF or CRLF. Compressed files are read as {@link DataFile}
 * does.
 */
public final class LibsvmReader
{
    /** Longest line in bytes, without its end. */
    public static final int MAX_LINE_LENGTH = 16 * 1024 * 1024;

    private static final int BUFFER_LENGTH = 64 * 1024;
    private static final int INITIAL_LINE_LENGTH = 8 * 1024;

    private final Examples.Builder examples = new Examples.Builder();
    private final LibsvmLine parser;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private byte[] line = new byte[INITIAL_LINE_LENGTH];
    private int lineLength;
    private long lineNumber;

    private LibsvmReader(final LibsvmFormat format)
    {
        parser = new LibsvmLine(examples, format);
    }

    /**
     * Read files, one after the other, as one data set.
     *
     * @param files at least one, each with at least one example.
     * @throws MalformedDataException if a file is missing, not readable, empty or malformed; for a malformed line the
     *                                message is {@code FILE:LINE: what was wrong, got '...'}.
     */
    public static Examples read(final List<Path> files)
    {
        return read(files, LibsvmFormat.of(false));
    }

    /**
     * Read files of one format, one after the other, as one data set.
     *
     * @param files at least one, each with at least one example.
     * @throws MalformedDataException as {@link #read(List)}.
     */
    public static Examples read(final List<Path> files, final LibsvmFormat format)
    {
        if (files.isEmpty())
        {
            throw new MalformedDataException("no data file named: name at least one");
        }

        final LibsvmReader reader = new LibsvmReader(format);
        for (final Path file : files)
        {
            reader.readFile(file);
        }

        return reader.examples.build();
    }

    /**
     * Read one file.
     *
     * @param file with at least one example.
     * @throws MalformedDataException as {@link #read(List)}.
     */
    public static Examples read(final Path file)
    {
        return read(List.of(file));
    }

    private void readFile(final Path file)
    {
        final int before = examples.size();
        lineNumber = 0;
        lineLength = 0;
        try (DataFile content = DataFile.openText(file))
        {
            try
            {
                readLines(file, content);
            }
            catch (final MalformedDataException ex)
            {
                throw content.orDamaged(ex);
            }
        }

        if (examples.size() == before)
        {
            throw new MalformedDataException(file + ": holds no examples");
        }
    }

    private void readLines(final Path file, final DataFile in)
    {
        int length = in.read(buffer);
        while (length >= 0)
        {
            int begin = 0;
            for (int i = 0; i < length; i++)
            {
                if ('\n' == buffer[i])
                {
                    appendToLine(file, begin, i);
                    endLine(file);
                    begin = i + 1;
                }
            }

            appendToLine(file, begin, length);
            length = in.read(buffer);
        }

        if (lineLength > 0)
        {
            endLine(file);
        }
    }

    private void appendToLine(final Path file, final int begin, final int end)
    {
        final int added = end - begin;
        if (added > MAX_LINE_LENGTH - lineLength)
        {
            checkLineEnds(file);
            throw new MalformedDataException(file + ":" + (lineNumber + 1) + ": line is longer than " +
                MAX_LINE_LENGTH + " bytes: is this a text file in LIBSVM format?");
        }
        if (added > line.length - lineLength)
        {
            line = Arrays.copyOf(line, Math.max(line.length * 2, lineLength + added));
        }

        System.arraycopy(buffer, begin, line, lineLength, added);
        lineLength += added;
    }

    /** A file with the line ends of old Macs is one long line. */
    private void checkLineEnds(final Path file)
    {
        try
        {
            LibsvmLine.checkLineEnds(line, lineLength);
        }
        catch (final LibsvmLine.SyntaxException ex)
        {
            throw new MalformedDataException(file + ":" + (lineNumber + 1) + ": " + ex.getMessage(), ex);
        }
    }

    private void endLine(final Path file)
    {
        lineNumber++;
        try
        {
            parser.parse(line, lineLength);
        }
        catch (final LibsvmLine.SyntaxException ex)
        {
            throw new MalformedDataException(file + ":" + lineNumber + ": " + ex.getMessage(), ex);
        }
        catch (final IllegalStateException ex)
        {
            throw new MalformedDataException(file + ":" + lineNumber + ": too much data: " + ex.getMessage(), ex);
        }
        lineLength = 0;
    }
}
