// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecoveryModeTest
{
    @Test
    void shouldBeFoundByItsName()
    {
        for (final RecoveryMode mode : RecoveryMode.values())
        {
            assertThat(RecoveryMode.of(mode.label())).isSameAs(mode);
            assertThat(mode.offers(mode.ackLevel())).isTrue();
        }
        assertThatThrownBy(() -> RecoveryMode.of("chained"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("invalid mode=chained: must be checkpoint, replay, chain, stateless, chain+stateless");
    }

    @Test
    void shouldNotOfferWhatItDoesNotKeep()
    {
        assertThat(RecoveryMode.CHECKPOINT.offers("recorded")).isFalse();
        assertThat(RecoveryMode.STATELESS.offers("recorded")).isFalse();
        assertThat(RecoveryMode.STATELESS.offers("applied")).isFalse();
        assertThat(RecoveryMode.CHAIN_STATELESS.offers("replicated")).isFalse();
        assertThat(RecoveryMode.CHAIN.offers("recorded")).isTrue();
        assertThat(RecoveryMode.REPLAY.offers("durable")).isFalse();
    }
}
