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
