// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
