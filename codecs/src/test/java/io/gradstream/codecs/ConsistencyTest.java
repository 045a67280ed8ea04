// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ConsistencyTest
{
    @ParameterizedTest
    @CsvSource({
        "0, 5, 5, true", "0, 5, 4, false", "2, 5, 3, true", "2, 5, 2, false", "2, 1, 0, true", "-1, 1000, 0, true",
        "0, 9223372036854775807, 9223372036854775807, true", "3, 9223372036854775807, 1000, false"})
    void shouldAllowWhatIsAtMostAsStaleAsTheBound(
        final int staleness, final long clock, final long minClock, final boolean isAllowed)
    {
        assertThat(new Consistency(4, staleness).allows(clock, minClock)).isEqualTo(isAllowed);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, slots=0", "-1, 2, slots=-1", "1025, 2, slots=1025", "4, -2, staleness=-2",
        "4, 1000001, staleness"})
    void shouldRefuseWhatMeansNothing(final int slots, final int staleness, final String named)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> new Consistency(slots, staleness))
            .withMessageContaining("invalid " + named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "8", "1000000", "unbounded"})
    void shouldReadTheLabelItGives(final String label)
    {
        assertThat(new Consistency(1, Consistency.parseStaleness(label)).label()).isEqualTo(label);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "x", "1000001", "4294967295", "99999999999"})
    void shouldSayWhatAStalenessMayBe(final String label)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> Consistency.parseStaleness(label))
            .withMessage("invalid staleness=" + label + ": must be 0..1000000 or unbounded");
    }

    @Test
    void shouldNotBindWorkersThatGoOnWithoutServersInSequentialMode()
    {
        final JobSpec job = new JobSpec(1, 1, 1, 8, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.STATELESS);
        assertThat(job.with(new Consistency(2, 1)).consistency().staleness()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> job.with(new Consistency(2, 0)))
            .withMessageContaining("invalid staleness=0: in mode stateless");
    }
}
