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
package io.gradstream.worker;

/**
 * What a client has counted and timed since it was made.
 *
 * @param degradedNs     time in which at least one partition last said that its chain is shorter than it should be.
 * @param spoolPeakBytes most bytes that pushes ever took in the spools: the sum of each partition's own peak.
 * @param pushesRefused  pushes of which a part was refused by a server for its content.
 */
public record ClientStats(long degradedNs, long spoolPeakBytes, long pushesRefused)
{
}
