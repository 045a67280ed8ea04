// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutageMeterTest
{
    private final OutageMeter meter = new OutageMeter(0);

    @Test
    void shouldCountFromWhenThePartitionWasLastHeardOf()
    {
        meter.onTick(false, false, 100, 110);
        meter.onTick(false, false, 100, 150);
        meter.onTick(true, true, 100, 200);
        meter.onTick(true, true, 100, 250);
        meter.onTick(false, false, 300, 300);
        meter.onTick(false, false, 390, 400);

        assertThat(meter.outages()).isEqualTo(1);
        assertThat(meter.outageNs()).isEqualTo(200);
        assertThat(meter.blockedNs()).isZero();
    }

    @Test
    void shouldCountWhatWasBlockedBeforeTheOutageWasNoticed()
    {
        meter.onTick(false, false, 90, 100);
        meter.onBlocked(true, 120);
        meter.onTick(false, false, 100, 130);
        meter.onTick(true, true, 100, 200);
        assertThat(meter.blockedNs()).isEqualTo(70);
        meter.onBlocked(false, 210);
        meter.onTick(true, true, 100, 300);
        meter.onBlocked(true, 340);
        meter.onTick(false, false, 350, 350);
        meter.onBlocked(false, 380);

        assertThat(meter.outageNs()).isEqualTo(250);
        assertThat(meter.blockedNs()).isEqualTo(70 + 10 + 10);
    }

    @Test
    void shouldNotCountWhatWasBlockedBeforeThePartitionWasLastHeardOf()
    {
        meter.onBlocked(true, 10);
        meter.onTick(false, false, 20, 50);
        meter.onBlocked(false, 60);
        meter.onTick(false, false, 70, 75);
        meter.onTick(true, true, 70, 100);

        assertThat(meter.blockedNs()).isZero();
        assertThat(meter.outageNs()).isEqualTo(30);
    }

    @Test
    void shouldNotCountWaitsForPartitionsWithinReachWhileAnotherIsAway()
    {
        meter.onTick(true, false, 0, 10);
        meter.onBlocked(true, 10);
        meter.onTick(true, false, 0, 50);
        assertThat(meter.blockedNs()).isZero();
        meter.onTick(true, true, 0, 60);
        meter.onTick(true, false, 0, 90);
        assertThat(meter.blockedNs()).isEqualTo(30);
        meter.onBlocked(false, 100);

        meter.onHeld(true, 200);
        meter.onHeld(false, 250);
        assertThat(meter.blockedNs()).isEqualTo(30 + 50);
    }

    @Test
    void shouldCountEachOutageOnce()
    {
        meter.onTick(true, true, 0, 10);
        meter.onTick(false, false, 20, 20);
        meter.onTick(false, false, 28, 30);
        meter.onTick(true, true, 28, 40);
        meter.onTick(false, false, 50, 50);

        assertThat(meter.outages()).isEqualTo(2);
        assertThat(meter.outageNs()).isEqualTo(20 + 22);
    }
}
