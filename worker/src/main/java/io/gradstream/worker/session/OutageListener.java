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
package io.gradstream.worker.session;

/**
 * Told when a partition that changed its primary acknowledges again.
 */
@FunctionalInterface
public interface OutageListener
{
    /**
     * A part that was outstanding when the new epoch began is acknowledged (or none was outstanding).
     *
     * @param partition   that is back.
     * @param epoch       of its new primary.
     * @param outstanding parts not acknowledged when the new primary said welcome.
     * @param lostNs      when this worker lost the old primary.
     * @param nowNs       when the first outstanding part was acknowledged.
     */
    void onServiceBack(int partition, long epoch, int outstanding, long lostNs, long nowNs);
}
