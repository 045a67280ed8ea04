// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.SlotRole;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerIdentityTest
{
    @ParameterizedTest
    @CsvSource({"1000,1", "1000,2", "1001,1", "1001,2"})
    void shouldRaiseHolderAndBackupToNumbersThatDiffer(final long newest, final int step)
    {
        final WorkerIdentity holder = identity(SlotRole.backedUp(1), step);
        final WorkerIdentity backup = identity(SlotRole.backup(1), step);

        assertThat(holder.raiseAbove(newest)).isTrue();
        assertThat(backup.raiseAbove(newest)).isTrue();

        assertThat(holder.incarnation()).isGreaterThan(newest).isEven();
        assertThat(backup.incarnation()).isGreaterThan(newest).isOdd();
    }

    private static WorkerIdentity identity(final SlotRole role, final int step)
    {
        return new WorkerIdentity(1, 0, 10, role, new WorkerIdentity.Numbering(() -> 10, step));
    }
}
