// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.filter.PushFilter;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The limit of what filters hold back, and counts of filters that a handle no longer has. */
@Timeout(60)
class FilteredPushesTest
{
    private static final TableSpec WEIGHTS = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");

    private final EchoRig rig = new EchoRig();
    private final GradstreamClient client = rig.connect(new ClientContext(), Consistency.EVENTUAL);
    private final Table weights = client.createTable(WEIGHTS).pushFilter(PushFilter.significant(0.5, 1000));

    @AfterEach
    void after()
    {
        CloseHelper.close(rig);
    }

    @Test
    void shouldPushARowBeyondThoseThatItMayHoldBack()
    {
        weights.maxHeld(2).pullAndAwait(new long[]{50}, 1, new float[2]);
        final long before = client.pushesSent();
        push(50, 51);
        assertThat(client.stats().rowsHeldNow()).as("as many as the limit").isEqualTo(2);
        assertThat(client.pushesSent()).isEqualTo(before);
        push(52);
        assertThat(client.stats().rowsHeldNow()).isEqualTo(2);
        assertThat(client.pushesSent()).as("one more than the limit").isEqualTo(before + 1);
        push(50, 51);
        assertThat(client.pushesSent()).as("they have their place").isEqualTo(before + 1);
        client.pushHeld();
        final long released = client.pushesSent();
        push(52, 53, 54);
        assertThat(client.stats().rowsHeldNow()).as("of one push, too").isEqualTo(2);
        assertThat(client.pushesSent()).isEqualTo(released + 1);
        client.awaitAll();
    }

    @Test
    void shouldKeepTheCountsOfFiltersThatAHandleHadBefore()
    {
        weights.pullAndAwait(new long[]{50}, 1, new float[2]);
        push(50);
        push(51);
        client.pushHeld();
        final long pushes = client.pushesSent() + client.pushesFiltered();
        weights.pushFilter();
        assertThat(client.stats().filtered().rowsHeld()).isEqualTo(2);
        weights.pushFilter(PushFilter.significant(0.5, 1000));
        push(52);
        assertThat(client.stats().filtered().rowsHeld()).isEqualTo(3);
        assertThat(client.stats().filtered().heldBytesSaved()).isEqualTo(8);
        assertThat(client.pushesSent() + client.pushesFiltered()).isEqualTo(pushes + 1);
    }

    private void push(final long... keys)
    {
        final float[] gradients = new float[2 * keys.length];
        gradients[0] = 1;
        weights.push(keys, gradients);
    }
}
