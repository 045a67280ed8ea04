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
