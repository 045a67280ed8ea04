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
