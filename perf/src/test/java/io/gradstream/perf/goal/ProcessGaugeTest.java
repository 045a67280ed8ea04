// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ProcessGaugeTest
{
    private static final int KIB = 1024;
    private static final int ALLOCATED = 32 * KIB * KIB;

    private final ProcessGauge own = new ProcessGauge(ProcessHandle.current().pid());

    @Test
    void shouldAddYoungAndOldObjectsWhenReadByAnyJdk()
    {
        final String jdk17 = " def new generation   total 78656K, used 2097K [0x1, 0x2, 0x3)\n" +
            "  eden space 69952K,   3% used [0x1, 0x2, 0x3)\n" +
            " tenured generation   total 174784K, used 100K [0x1, 0x2, 0x3)\n" +
            " Metaspace       used 15K, committed 64K, reserved 1114112K\n";
        final String jdk25 = " DefNew     total 78656K, used 7K [0x1, 0x2, 0x3)\n" +
            " Tenured    total 174784K, used 5K [0x1, 0x2, 0x3)\n";

        assertThat(ProcessGauge.heapUsedBytes(jdk17)).isEqualTo(2197L * KIB);
        assertThat(ProcessGauge.heapUsedBytes(jdk25)).isEqualTo(12L * KIB);
        assertThatIllegalStateException().isThrownBy(() -> ProcessGauge.heapUsedBytes("garbage-first heap"))
            .withMessageContaining("no serial collector");
    }

    @Test
    void shouldAddAllThreadsWhenUnitsDiffer()
    {
        final String threads = "\"main\" #1 cpu=1.00ms elapsed=2.00s allocated=512B defined_classes=1 tid=0x1\n" +
            "\"node\" #2 cpu=1.00ms elapsed=2.00s allocated=3K defined_classes=1 tid=0x1\n" +
            "\"old\" #3 cpu=1.00ms elapsed=2.00s allocated=101M defined_classes=1 tid=0x1\n" +
            "\"GC Thread\" os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x1\n";

        assertThat(ProcessGauge.allocatedBytes(threads)).isEqualTo(512 + 3L * KIB + 101L * KIB * KIB);
        assertThatIllegalStateException().isThrownBy(() -> ProcessGauge.allocatedBytes("no such process"));
    }

    @Test
    void shouldSayWhatIsMissingWhenTheSystemDoesNotTell()
    {
        assertThat(ProcessGauge.statusBytes(Pattern.compile("VmRSS:\\s+(\\d+) kB"), "VmRSS:\t  12 kB\n"))
            .isEqualTo(12L * KIB);
        assertThatIllegalStateException()
            .isThrownBy(() -> ProcessGauge.statusBytes(Pattern.compile("VmRSS"), "Name: x"))
            .withMessageContaining("VmRSS").withMessageContaining("needs Linux");
    }

    @Test
    void shouldTellWhatAThreadHasAllocatedWhenAskedOfALivingProcess() throws IOException
    {
        final long before = own.allocatedBytes();
        final byte[] bytes = new byte[ALLOCATED];

        // of what is above 100 MiB only whole MiB are told
        assertThat(own.allocatedBytes() - before).isBetween(bytes.length - (2L << 20), 4L * bytes.length);
        assertThat(own.residentBytes()).isGreaterThan(own.anonymousBytes() / 2);
        assertThat(own.descriptors()).isPositive();
    }
}
