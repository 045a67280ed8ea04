// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RestartsTest
{
    private final List<String> told = new ArrayList<>();
    private final Restarts restarts = new Restarts(1, null);

    @BeforeEach
    void allow()
    {
        restarts.listen(new RestartListener()
        {
            @Override
            public void onRestart(final String text)
            {
                told.add(text);
            }

            @Override
            public void onWorkerRestarted(final int slot)
            {
            }
        });
        restarts.allow();
    }

    @Test
    void shouldNotCountAnEndAfterAStandstillThatWasMadeOnPurpose()
    {
        restarts.excuse("server-0", System.nanoTime() + TimeUnit.SECONDS.toNanos(1));

        for (int i = 0; i < 5; i++)
        {
            restarts.require("server-0", "with what it has kept");
        }
        assertThat(told).hasSize(5).allMatch((text) -> text.startsWith("server-0 ended by itself after its stand"));
        restarts.require("server-1", "with what it has kept");
        assertThatThrownBy(() -> restarts.require("server-1", "with what it has kept"))
            .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldCountAnEndLongAfterAStandstill()
    {
        restarts.excuse("server-0", System.nanoTime() - TimeUnit.SECONDS.toNanos(61));
        restarts.require("server-0", "with what it has kept");

        assertThat(told).first().asString().contains("(1 of at most 1 times within 10 minutes)");
    }
}
