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
package io.gradstream.training.read;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

class XxHash64Test
{
    /** Known values of XXH64 with seed 0, of lengths that take each of its ways. */
    @ParameterizedTest
    @CsvSource({
        "'', EF46DB3751D8E999",
        "a, D24EC4F1A98C6E5B",
        "abc, 44BC2CF5AD770999",
        "Nobody inspects the spammish repetition, FBCEA83C8A378BF1",
    })
    void shouldGiveKnownValues(final String text, final String hash)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(Long.toHexString(XxHash64.hash(bytes, bytes.length))).isEqualToIgnoringCase(hash);
    }
}
