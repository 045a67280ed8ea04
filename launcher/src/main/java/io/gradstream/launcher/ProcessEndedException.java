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
package io.gradstream.launcher;

/**
 * A process of a local cluster ended by itself.
 */
public final class ProcessEndedException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /** Exit code of a process that says no more than that it failed. */
    static final int FAILED = 1;

    private final int exitCode;
    private final String lastErrors;

    ProcessEndedException(final String name, final int exitCode, final String lastErrors)
    {
        this(exitCode, lastErrors, name + " ended with exit code " + exitCode + ": see its errors above");
    }

    ProcessEndedException(final int exitCode, final String lastErrors, final String message)
    {
        super(message);
        this.exitCode = exitCode;
        this.lastErrors = lastErrors;
    }

    /** The last lines it wrote to its standard error. */
    public String lastErrors()
    {
        return lastErrors;
    }

    /** With which the process ended. */
    public int exitCode()
    {
        return exitCode;
    }
}
