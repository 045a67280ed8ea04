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

import java.io.IOException;

/**
 * Notices the end of standard input, which is how a child process learns that its parent has ended or wants it to.
 */
final class InputEnd
{
    private volatile boolean isReached;

    private InputEnd()
    {
    }

    static InputEnd watch()
    {
        final InputEnd inputEnd = new InputEnd();
        final Thread thread = new Thread(inputEnd::read, "input-end");
        thread.setDaemon(true);
        thread.start();

        return inputEnd;
    }

    boolean isReached()
    {
        return isReached;
    }

    private void read()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final IOException ignore)
        {
            // as good as its end
        }
        finally
        {
            isReached = true;
        }
    }
}
