// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import io.aeron.protocol.DataHeaderFlyweight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class SegmentTailScanTest
{
    private static final int PAGE_LENGTH = 4096;
    private static final int HEADER_LENGTH = SegmentFile.HEADER_LENGTH;

    @TempDir
    private Path directory;
    private SegmentFile segment;
    private final SegmentTailScan tailScan = new SegmentTailScan(SegmentFile::wholeLength);

    @BeforeEach
    void setUp() throws IOException
    {
        segment = new SegmentFile(directory.resolve("0-3145728.rec"));
    }

    @AfterEach
    void tearDown() throws IOException
    {
        segment.close();
    }

    @Test
    void shouldCutNothingThatWasRecordedWhicheverBitOfAHeaderFlips() throws IOException
    {
        fill();

        assertNoBitCuts();
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 100, PAGE_LENGTH, 20_000 })
    void shouldCutNothingThatWasRecordedWhicheverBitFlipsAndTheLastRecordEndsInZeroes(final int zeroes)
        throws IOException
    {
        for (int i = 0; i < 8; i++)
        {
            segment.append(30_000 - i, zeroes);
        }

        assertNoBitCuts();
    }

    @Test
    void shouldCutNothingThatWasRecordedWhicheverBitFlipsAndPaddingIsLast() throws IOException
    {
        segment.append(60_000, 0);
        segment.append(60_000, 0);
        segment.append(60_000, 0);
        segment.append(60_000, 0);
        segment.padToTermEnd();

        assertNoBitCuts();
    }

    /** A record of which the last values are zero over a page's begin, and one bit of its body rotted. */
    @Test
    void shouldCutNoRecordOfWhichOneBitFlippedAndWhichEndsInZeroes() throws IOException
    {
        segment.append(9000, 0);
        segment.append(8 * PAGE_LENGTH, 0);
        segment.append(30_000, PAGE_LENGTH);
        final int frame = segment.frames.get(2);
        segment.flip(frame + HEADER_LENGTH + 100, 3);

        final SegmentTailScan.Findings findings = segment.read(tailScan);
        assertThat(findings.tornLength()).as(findings.toString()).isZero();
        assertThat(findings.damage()).isNotNull();
    }

    @Test
    void shouldCutNoRecordOfWhichOneBitOfTheChecksumFlippedAndWhichEndsInZeroes() throws IOException
    {
        segment.append(8 * PAGE_LENGTH, 0);
        segment.append(30_000, PAGE_LENGTH);
        final int checksum = segment.frames.get(1) + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET;
        final SegmentTailScan unaided = new SegmentTailScan(RecordCheck.NONE);
        for (int bit = 0; bit < Integer.SIZE; bit++)
        {
            segment.flip(checksum + bit / Byte.SIZE, bit % Byte.SIZE);
            final SegmentTailScan.Findings findings = segment.read(unaided);
            assertThat(findings.tornLength()).as("bit=%d %s", bit, findings).isZero();
            assertThat(findings.damage()).isNotNull();
            segment.flip(checksum + bit / Byte.SIZE, bit % Byte.SIZE);
        }
    }

    @Test
    void shouldCallNoRecordTornThatEndsInBlankSpaceByItsLengthAlone() throws IOException
    {
        for (int i = 0; i < 20; i++)
        {
            segment.append(9000, 0);
        }
        final int frame = segment.frames.get(10);
        segment.flip(frame + 1, 6);
        segment.flip(frame + 2, 1);

        final SegmentTailScan.Findings findings = segment.read(tailScan);
        assertThat(findings.tornLength()).isZero();
        assertThat(findings.damage()).contains("offset=" + frame);
    }

    /** Its wrong length reaches over the records behind it into blank space, and its body is broken in two places. */
    @Test
    void shouldCutNoRecordsThatABrokenLengthTakesIntoAFrameWhoseBodyIsBrokenToo() throws IOException
    {
        for (int i = 0; i < 20; i++)
        {
            segment.append(9000, 0);
        }
        final int frame = segment.frames.get(17);
        segment.flip(frame + 1, 7);
        segment.flip(frame + HEADER_LENGTH + 100, 3);
        segment.flip(frame + HEADER_LENGTH + 5000, 6);

        final SegmentTailScan.Findings findings = segment.read(tailScan);
        assertThat(findings.tornLength()).as(findings.toString()).isZero();
        assertThat(findings.damage()).contains("checksum failed at offset=" + frame);
    }

    @Test
    void shouldCutALastFrameOfWhichPagesAreMissing() throws IOException
    {
        segment.append(9000, 0);
        segment.append(30_000, 0);
        final int frame = segment.frames.get(1);
        for (int page = (frame / PAGE_LENGTH + 1) * PAGE_LENGTH; page < segment.end(); page += PAGE_LENGTH)
        {
            segment.blank(page, segment.end());

            assertThat(segment.read(tailScan)).as("page=%d", page).isEqualTo(
                new SegmentTailScan.Findings(frame, 30_048, false, null));
            segment.close();
            segment = new SegmentFile(directory.resolve(page + ".rec"));
            segment.append(9000, 0);
            segment.append(30_000, 0);
        }
    }

    /** What a kill has left out differs by one bit from what is there instead: nothing. */
    @Test
    void shouldCutALastFrameOfWhichTheMissingPageHoldsOneBit() throws IOException
    {
        segment.append(9000, 0);
        final int frame = segment.end();
        final int page = 4 * PAGE_LENGTH;
        final int zeroes = 500;
        for (int bit = 0; bit < Byte.SIZE; bit++)
        {
            segment.append(page - frame - HEADER_LENGTH + 1 + zeroes, zeroes, 1 << bit);
            segment.blank(page, segment.end());

            assertThat(segment.read(tailScan).tornLength()).as("bit=%d", bit).isEqualTo(segment.end() - frame);
            segment.close();
            segment = new SegmentFile(directory.resolve("one-" + bit + ".rec"));
            segment.append(9000, 0);
        }
    }

    /** The last byte that is not zero holds one bit, which rots; behind it a page of zeroes was recorded. */
    @Test
    void shouldCutNoRecordOfWhichTheLastBitThatIsSetRotted() throws IOException
    {
        final int written = 1000;
        final int zeroes = 3 * PAGE_LENGTH;
        for (int bit = 0; bit < Byte.SIZE; bit++)
        {
            segment.append(9000, 0);
            final int frame = segment.end();
            segment.append(written + zeroes, zeroes, 1 << bit);
            segment.flip(frame + HEADER_LENGTH + written - 1, bit);

            final SegmentTailScan.Findings findings = segment.read(tailScan);
            assertThat(findings.tornLength()).as("bit=%d %s", bit, findings).isZero();
            assertThat(findings.damage()).isNotNull();
            segment.close();
            segment = new SegmentFile(directory.resolve("rot-" + bit + ".rec"));
        }
    }

    @Test
    void shouldReportBytesBehindABlankHeader() throws IOException
    {
        segment.append(9000, 0);
        segment.append(9000, 0);
        final int frame = segment.frames.get(1);
        segment.blank(frame, frame + HEADER_LENGTH);

        final SegmentTailScan.Findings findings = segment.read(tailScan);
        assertThat(findings.tornLength()).isZero();
        assertThat(findings.damage()).contains("nothing is written at offset=" + frame);
    }

    @Test
    void shouldNotCallAFrameTornWhenSomethingIsWrittenBehindIt() throws IOException
    {
        segment.append(30_000, 0);
        segment.append(9000, 0);
        final int lastPage = (segment.frames.get(1) - 1) / PAGE_LENGTH * PAGE_LENGTH;
        segment.blank(lastPage - PAGE_LENGTH, segment.frames.get(1));
        segment.blank(segment.frames.get(1), segment.frames.get(1) + HEADER_LENGTH);

        final SegmentTailScan.Findings findings = segment.read(tailScan);
        assertThat(findings.tornLength()).isZero();
        assertThat(findings.damage()).contains("checksum failed at offset=0");
    }

    /** Frames of many lengths over the whole mebibyte. */
    private void fill() throws IOException
    {
        final int[] lengths = { 41, 60_000, 333, 9000, 65_472, 64, 30_001, 12_345, 96, 5000 };
        for (int i = 0; segment.end() < SegmentFile.SEGMENT_LENGTH - 2 * SegmentFile.MTU_LENGTH; i++)
        {
            segment.append(lengths[i % lengths.length], 0);
        }
    }

    private void assertNoBitCuts() throws IOException
    {
        final SegmentTailScan.Findings sound = new SegmentTailScan.Findings(segment.end(), 0, false, null);
        assertThat(segment.read(tailScan)).isEqualTo(sound);
        final List<String> cuts = new ArrayList<>();
        final List<String> unseen = new ArrayList<>();
        for (final int frame : segment.frames)
        {
            for (int bit = 0; bit < HEADER_LENGTH * Byte.SIZE; bit++)
            {
                final int field = bit / Byte.SIZE;
                segment.flip(frame + field, bit % Byte.SIZE);
                final SegmentTailScan.Findings findings = segment.read(tailScan);
                segment.flip(frame + field, bit % Byte.SIZE);
                final String flip = "frame=" + frame + " byte=" + field + " bit=" + bit % Byte.SIZE;
                final boolean isSound = null == findings.damage();
                if (findings.tornLength() > 0 || isSound && findings.endOffset() < segment.recordsEnd())
                {
                    cuts.add(flip + " " + findings);
                }
                if (isSound && !isMeaningless(frame, field))
                {
                    unseen.add(flip);
                }
            }
        }
        assertThat(cuts).as("cut").isEmpty();
        assertThat(unseen).as("not reported").isEmpty();
        assertThat(segment.read(tailScan)).isEqualTo(sound);
    }

    /**
     * Flags and reserved value mean nothing to a reader of a recording, nor does the session of padding. What pads at
     * the end may be shorter or longer, as that which a dying writer leaves is: no record is in it.
     */
    private boolean isMeaningless(final int frame, final int field)
    {
        final boolean isLastPadding = segment.isPadding(frame) && frame >= segment.recordsEnd();
        final boolean isLength = field < DataHeaderFlyweight.VERSION_FIELD_OFFSET;
        final boolean isSession = field >= DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET &&
            field < DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET;

        return DataHeaderFlyweight.FLAGS_FIELD_OFFSET == field || field >= DataHeaderFlyweight.RESERVED_VALUE_OFFSET ||
            isLastPadding && isLength || segment.isPadding(frame) && isSession;
    }
}
