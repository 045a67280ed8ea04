// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OwnAddressTest
{
    @Test
    void shouldFindTheLoopbackAddressTowardsServersOfThisMachine()
    {
        assertThat(OwnAddress.facing(List.of("127.0.0.1:9", "127.0.0.3:9"))).isEqualTo("127.0.0.1:0");
        assertThatThrownBy(() -> OwnAddress.facing(List.of("nowhere.invalid:9")))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("nowhere.invalid:9").hasMessageContaining("responseEndpoint");
    }
}
