// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import io.gradstream.recovery.log.SnapshotRetention.StoredSnapshot;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SnapshotRetentionTest
{
    private static final StoredSnapshot OLDEST = new StoredSnapshot(3, 640, 100, false);
    private static final StoredSnapshot OLDER = new StoredSnapshot(5, 640, 200, false);
    private static final StoredSnapshot NEWER = new StoredSnapshot(7, 640, 300, false);
    private static final StoredSnapshot NEW = new StoredSnapshot(9, 640, 400, true);
    /** Whatever may be kept, newest first. */
    private static final List<List<StoredSnapshot>> ALL_KEPT =
        List.of(List.of(), List.of(NEWER), List.of(NEWER, OLDER));

    @Test
    void shouldCountNoSnapshotAheadOfTheRecordedLog()
    {
        assertThat(SnapshotRetention.mayCount(199, 200)).isTrue();
        assertThat(SnapshotRetention.mayCount(200, 200)).isTrue();
        assertThat(SnapshotRetention.mayCount(201, 200)).isFalse();
        assertThat(SnapshotRetention.mayCount(0, 0)).isTrue();
        assertThat(SnapshotRetention.mayCount(1, 0)).isFalse();
        assertThat(SnapshotRetention.mayCount(Long.MAX_VALUE, SnapshotRetention.NO_LOG)).isTrue();
    }

    @Test
    void shouldKeepTheTwoNewestThatAreSoundWhicheverAreBroken()
    {
        for (final List<StoredSnapshot> kept : ALL_KEPT)
        {
            for (int broken = 0; broken < 1 << kept.size(); broken++)
            {
                final SnapshotRetention retention = retention(kept);
                retention.keep(judge(retention, broken));

                final List<StoredSnapshot> expected = new ArrayList<>(List.of(NEW));
                for (int i = 0; i < kept.size() && expected.size() < 2; i++)
                {
                    if (0 == (broken & 1 << i))
                    {
                        expected.add(kept.get(i));
                    }
                }
                assertThat(retention.kept()).as("kept=" + kept + " broken=" + broken).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldNotReadTheThirdOnceTwoAreSound()
    {
        final SnapshotRetention retention = retention(List.of(NEWER, OLDER));

        assertThat(retention.nextToJudge(List.of(NEW), 0)).isSameAs(NEWER);
        assertThat(retention.nextToJudge(List.of(NEW, NEWER), 1)).isNull();
        assertThat(retention.nextToJudge(List.of(NEW), 1)).as("the newer one is broken").isSameAs(OLDER);
        assertThat(retention.nextToJudge(List.of(NEW), 2)).as("both are broken").isNull();
    }

    @Test
    void shouldFindNoMoreThanTwo()
    {
        assertThat(SnapshotRetention.isEnough(List.of())).isFalse();
        assertThat(SnapshotRetention.isEnough(List.of(NEWER))).isFalse();
        assertThat(SnapshotRetention.isEnough(List.of(NEWER, OLDER))).isTrue();
        assertThat(SnapshotRetention.isEnough(List.of(NEWER, OLDER, OLDEST))).isTrue();
    }

    @Test
    void shouldTellRecordingsThatAreKept()
    {
        final SnapshotRetention retention = retention(List.of(NEWER, OLDER));

        assertThat(retention.isKept(NEWER.recordingId())).isTrue();
        assertThat(retention.isKept(OLDER.recordingId())).isTrue();
        assertThat(retention.isKept(OLDEST.recordingId())).isFalse();
    }

    @Test
    void shouldCoverAndLetGoOfTheLogOnlyUpToTheOlderOfTwo()
    {
        for (final List<StoredSnapshot> kept : ALL_KEPT)
        {
            final long expected = 2 == kept.size() ? OLDER.position() : 0;

            assertThat(retention(kept).olderPosition()).isEqualTo(expected);
            assertThat(retention(kept).logBase()).isEqualTo(expected);
        }
    }

    @Test
    void shouldKeepTheLogThatAFollowerLacks()
    {
        final SnapshotRetention retention = retention(List.of(NEWER, OLDER));
        retention.keepLogFrom(OLDER.position() - 1);
        assertThat(retention.logBase()).isEqualTo(OLDER.position() - 1);

        retention.keepLogFrom(OLDER.position() + 1);
        assertThat(retention.logBase()).isEqualTo(OLDER.position());

        retention.keepLogFrom(0);
        retention.keepLogFrom(ReplicaStorage.NOTHING_LACKED);
        assertThat(retention.logBase()).isEqualTo(OLDER.position());
    }

    @Test
    void shouldLetGoOfNoLogWhenAllOfItIsKept()
    {
        final SnapshotRetention retention = new SnapshotRetention(true);
        retention.keep(List.of(NEWER, OLDER));

        assertThat(retention.logBase()).isZero();
        assertThat(retention.olderPosition()).isEqualTo(OLDER.position());
    }

    @Test
    void shouldDropWhatStandsBehindACut()
    {
        assertThat(cut(300, 0).kept()).containsExactly(NEWER, OLDER);
        assertThat(cut(299, 0).kept()).containsExactly(OLDER);
        assertThat(cut(200, 0).kept()).containsExactly(OLDER);
        assertThat(cut(199, 0).kept()).isEmpty();
        assertThat(cut(299, 299).kept()).containsExactly(OLDER);
        assertThat(cut(299, 299).olderPosition()).as("one alone covers nothing").isZero();
        assertThat(cut(299, 0).lost(false)).containsExactly(5L, 3L);
    }

    @Test
    void shouldDropEverythingWhenTheLogBeginsBehindACut()
    {
        assertThat(cut(300, 301).kept()).isEmpty();
        assertThat(cut(300, 301).lost(false)).isEmpty();
        assertThat(cut(SnapshotRetention.EVERYTHING, 0).kept()).isEmpty();
        assertThat(cut(SnapshotRetention.EVERYTHING, 0).lost(false)).isEmpty();
    }

    @Test
    void shouldMissWhatCountedOnlyWhereNoLogTellsAndLossIsNotAccepted()
    {
        for (final boolean hasLog : new boolean[]{false, true})
        {
            for (final boolean isLossAccepted : new boolean[]{false, true})
            {
                for (final List<StoredSnapshot> kept : ALL_KEPT)
                {
                    final SnapshotRetention retention = new SnapshotRetention(false);
                    retention.onFound(kept, List.of(3L), hasLog);

                    final List<Long> expected = new ArrayList<>();
                    if (!hasLog && !isLossAccepted)
                    {
                        kept.forEach((snapshot) -> expected.add(snapshot.recordingId()));
                        expected.add(3L);
                    }
                    assertThat(retention.lost(isLossAccepted))
                        .as("hasLog=" + hasLog + " isLossAccepted=" + isLossAccepted).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void shouldMissNothingOnceALogIsOpened()
    {
        final SnapshotRetention retention = retention(List.of(NEWER));
        assertThat(retention.lost(false)).containsExactly(7L);

        retention.onLogOpened();

        assertThat(retention.lost(false)).isEmpty();
    }

    private static SnapshotRetention retention(final List<StoredSnapshot> kept)
    {
        final SnapshotRetention retention = new SnapshotRetention(false);
        retention.onFound(kept, List.of(), false);

        return retention;
    }

    private static SnapshotRetention cut(final long position, final long logStart)
    {
        final SnapshotRetention retention = new SnapshotRetention(false);
        retention.onFound(List.of(NEWER, OLDER), List.of(3L), false);
        retention.cut(position, logStart);

        return retention;
    }

    /** Read back what is asked for; a bit that is set means that the snapshot of that age is broken. */
    private static List<StoredSnapshot> judge(final SnapshotRetention retention, final int broken)
    {
        final List<StoredSnapshot> sound = new ArrayList<>(List.of(NEW));
        StoredSnapshot older = retention.nextToJudge(sound, 0);
        for (int judged = 0; null != older; older = retention.nextToJudge(sound, ++judged))
        {
            if (0 == (broken & 1 << judged))
            {
                sound.add(older);
            }
        }

        return sound;
    }
}
