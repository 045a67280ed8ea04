// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

/**
 * A kill of servers that counted.
 *
 * @param killedMs    {@link io.gradstream.driver.client.HostClock#monotonicMs()} of the kill.
 * @param gapMs       from then until the last partition that lost its primary acknowledged again.
 * @param outstanding pushes that were unacknowledged meanwhile.
 */
public record Outage(long killedMs, long gapMs, int outstanding)
{
}
