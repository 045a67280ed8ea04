// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.report.Measurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GoodputRunTest
{
    @Test
    void shouldKnowEachFaultByItsName()
    {
        assertThat(GoodputFault.parse("stopWorker")).isEqualTo(GoodputFault.STOP_WORKER);
        assertThat(GoodputFault.parse("killCoordinator").isKill()).isTrue();
        assertThat(GoodputFault.STOP_SERVER.isKill()).isFalse();
        assertThatCode(() -> Measurement.of(new GoodputRun(), "--faults=killServer,stopServer", "--modes=replay"))
            .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --faults=killAll   | invalid --faults=killAll: must be killServer, killWorker, killCoordinator
        --modes=raid       | raid
        --every=0          | invalid --every=0.0: must be 1..600
        --stop-seconds=0.5 | invalid --stop-seconds=0.5: must be 1..600
        """)
    void shouldSayWhatIsWrong(final String option, final String expected)
    {
        assertThatThrownBy(() -> Measurement.of(new GoodputRun(), option)).isInstanceOf(ParameterException.class)
            .hasMessageContaining(expected);
    }
}
