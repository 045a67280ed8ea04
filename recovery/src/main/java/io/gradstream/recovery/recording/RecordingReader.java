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
package io.gradstream.recovery.recording;

import org.agrona.DirectBuffer;

/**
 * Walks the frames of a recording in order and judges each, padding left out; then says how the recording ends.
 * <p>
 * The process that wrote it may have been killed in the middle of a write. Then the catalog does not know the end: it
 * is behind the last sound frame, and what follows is a torn tail, which nobody was told is recorded: part of one frame
 * and nothing behind it. Where anything else follows that was written, the recording is broken there.
 */
public final class RecordingReader implements AutoCloseable
{
    /**
     * How a recording ends.
     */
    public enum End
    {
        /** Every frame up to its end is sound. */
        COMPLETE,
        /** Its process was killed while it wrote the last frame, which does not count. */
        TORN,
        /** Bytes that were recorded are damaged or missing. */
        BROKEN
    }

    private final SegmentFiles files;
    private final RecordingEntry entry;
    private final FrameCheck frames;
    private long position;
    private long beginPosition;
    private int offset;
    private int length;
    private End end;
    private String problem;

    RecordingReader(final SegmentFiles files, final RecordingEntry entry, final long fromPosition)
    {
        this.files = files;
        this.entry = entry;
        frames = new FrameCheck(entry);
        position = fromPosition;
        beginPosition = fromPosition;
    }

    /**
     * Go to the next frame that is not padding.
     *
     * @return false if there is none: {@link #end()} says why.
     */
    public boolean next()
    {
        while (null == end)
        {
            final String wrong = problemAt(position);
            if (null != wrong)
            {
                finish(wrong);
            }
            else if (null == end && step())
            {
                return true;
            }
        }

        return false;
    }

    /**
     * How the recording ends.
     *
     * @return the end, or null while there may be more frames.
     */
    public End end()
    {
        return end;
    }

    /**
     * What is wrong at {@link #position()}.
     *
     * @return one line, or null if the end is complete or not reached.
     */
    public String problem()
    {
        return problem;
    }

    /**
     * Where the current frame ends, padding to its alignment included. At the end, where sound frames end.
     *
     * @return position.
     */
    public long position()
    {
        return position;
    }

    /**
     * Where the current frame begins.
     *
     * @return position.
     */
    public long beginPosition()
    {
        return beginPosition;
    }

    /**
     * Buffer that holds the current frame's body until the next one is asked for.
     *
     * @return buffer off heap.
     */
    public DirectBuffer buffer()
    {
        return files.term();
    }

    /**
     * Where the body begins in the buffer.
     *
     * @return offset.
     */
    public int offset()
    {
        return offset;
    }

    /**
     * Bytes of the body.
     *
     * @return length.
     */
    public int length()
    {
        return length;
    }

    @Override
    public void close()
    {
        files.close();
    }

    private String problemAt(final long at)
    {
        if (entry.isStopped() && at >= entry.stopPosition())
        {
            end = End.COMPLETE;
            return null;
        }
        if (!files.load(at))
        {
            return "segment file " + entry.segmentName(at) + " is missing";
        }
        final String wrong = frames.problem(files.term(), at);
        if (null == wrong && entry.isStopped() && at + alignedLength(at) > entry.stopPosition())
        {
            return "its frame goes beyond the recording's end at " + entry.stopPosition();
        }

        return wrong;
    }

    private boolean step()
    {
        final int frame = frames.offset(position);
        final boolean isPadding = frames.isPadding(files.term(), frame);
        beginPosition = position;
        offset = frame + FrameCheck.HEADER_LENGTH;
        length = FrameCheck.length(files.term(), frame) - FrameCheck.HEADER_LENGTH;
        position += FrameCheck.alignedLength(files.term(), frame);

        return !isPadding;
    }

    private long alignedLength(final long at)
    {
        return FrameCheck.alignedLength(files.term(), frames.offset(at));
    }

    private void finish(final String wrong)
    {
        if (entry.isStopped())
        {
            end = End.BROKEN;
            problem = wrong;
            return;
        }

        final long sound = nextSoundFrame();
        final long writtenEnd = writtenEnd();
        if (sound >= 0)
        {
            end = End.BROKEN;
            problem = wrong + ", yet a sound frame follows at position=" + sound;
        }
        else if (writtenEnd == position)
        {
            end = End.COMPLETE;
        }
        else
        {
            final boolean isTorn = files.load(position) && frames.isTorn(files.term(), position, writtenEnd);
            end = isTorn ? End.TORN : End.BROKEN;
            problem = isTorn ? wrong : wrong + ", and it is not the rest of a write: something is written up to " +
                "position=" + writtenEnd;
        }
    }

    /** Where the last byte ends that is not zero, in the files that are there, or the position. */
    private long writtenEnd()
    {
        final long filesEnd = files.filesEnd();
        long written = position;
        for (long base = files.termBase(position); base < filesEnd; base += entry.geometry().termLength())
        {
            if (files.load(base))
            {
                final int from = base < position ? frames.offset(position) : 0;
                int at = entry.geometry().termLength();
                while (at > from && 0 == files.term().getByte(at - 1))
                {
                    at--;
                }
                written = at > from ? base + at : written;
            }
        }

        return written;
    }

    /** The next sound frame in the files that are there, or -1. */
    private long nextSoundFrame()
    {
        final int termLength = entry.geometry().termLength();
        final long filesEnd = files.filesEnd();
        long at = position + FrameCheck.HEADER_LENGTH;
        while (at < filesEnd)
        {
            final long termEnd = files.termBase(at) + termLength;
            if (files.load(at))
            {
                for (long candidate = at; candidate < termEnd; candidate += FrameCheck.HEADER_LENGTH)
                {
                    if (frames.isOf(files.term(), candidate) && null == frames.problem(files.term(), candidate))
                    {
                        return candidate;
                    }
                }
            }
            at = termEnd;
        }

        return -1;
    }
}
