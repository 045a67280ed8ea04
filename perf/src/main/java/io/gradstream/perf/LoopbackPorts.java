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
package io.gradstream.perf;

import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses free UDP ports of the loopback address.
 */
final class LoopbackPorts
{
    private static final String LOOPBACK = "127.0.0.1";

    private LoopbackPorts()
    {
    }

    /**
     * Endpoints that are free now. All are held until the last is chosen, so that they differ.
     *
     * @return host:port of each.
     */
    static List<String> free(final int count) throws IOException
    {
        final List<DatagramSocket> sockets = new ArrayList<>();
        final List<String> endpoints = new ArrayList<>();
        try
        {
            for (int i = 0; i < count; i++)
            {
                final DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
                sockets.add(socket);
                endpoints.add(LOOPBACK + ":" + socket.getLocalPort());
            }
        }
        finally
        {
            CloseHelper.closeAll(sockets);
        }

        return endpoints;
    }
}
