// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.SnapshotEndedDecoder;
import io.gradstream.codecs.snapshot.SnapshotStartedDecoder;
import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.ReplayException;
import org.agrona.DirectBuffer;

/**
 * Reads the frames of a snapshot and judges whether it is whole: numbers without holes, checksums, a beginning and an
 * end. It does not look at rows.
 */
public final class SnapshotCheck implements RecordHandler
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SnapshotStartedDecoder started = new SnapshotStartedDecoder();
    private final SnapshotEndedDecoder ended = new SnapshotEndedDecoder();
    private int nextNumber;
    private long position;
    private boolean isEnded;

    @Override
    public void onRecord(final DirectBuffer buffer, final int offset, final int length, final long framePosition)
    {
        final String problem = SnapshotFrames.verify(buffer, offset, length, nextNumber);
        if (null != problem)
        {
            throw new ReplayException(problem + " before position=" + framePosition);
        }

        onFrame(buffer, offset);
        nextNumber++;
    }

    /** Position of the log that the snapshot stands for, 0 before the first frame. */
    public long position()
    {
        return position;
    }

    boolean isStarted()
    {
        return nextNumber > 0;
    }

    /** True if the last frame was the end of a whole snapshot. */
    public boolean isEnded()
    {
        return isEnded;
    }

    /**
     * True if a frame that stands at the end of a recording is sound, whatever its number, and is the end of a
     * snapshot.
     */
    static boolean isSoundEnd(final DirectBuffer buffer, final int offset, final int length)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, offset);
        if (SnapshotEndedDecoder.TEMPLATE_ID != header.templateId() ||
            SnapshotEndedDecoder.SCHEMA_ID != header.schemaId())
        {
            return false;
        }
        final SnapshotEndedDecoder ended = new SnapshotEndedDecoder().wrapAndApplyHeader(buffer, offset, header);

        return null == SnapshotFrames.verify(buffer, offset, length, ended.frames() - 1);
    }

    private void onFrame(final DirectBuffer buffer, final int offset)
    {
        header.wrap(buffer, offset);
        if (isEnded || (0 == nextNumber) != (SnapshotStartedDecoder.TEMPLATE_ID == header.templateId()))
        {
            throw new ReplayException("snapshot frame number=" + nextNumber + " templateId=" + header.templateId() +
                " is out of place");
        }
        if (0 == nextNumber)
        {
            position = started.wrapAndApplyHeader(buffer, offset, header).position();
        }
        else if (SnapshotEndedDecoder.TEMPLATE_ID == header.templateId())
        {
            final int frames = ended.wrapAndApplyHeader(buffer, offset, header).frames();
            if (frames != nextNumber + 1)
            {
                throw new ReplayException("snapshot has frames=" + (nextNumber + 1) + " but says frames=" + frames);
            }
            isEnded = true;
        }
    }
}
