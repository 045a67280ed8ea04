// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

/** A process of a local cluster ended by itself. */
public final class ProcessEndedException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /** Exit code that says only that the process failed. */
    static final int FAILED = 1;

    /** Exit code of a process that was killed, and had no time to say why. */
    private static final int EXIT_SIGKILL = 128 + 9;
    private static final String KILLED = "it was killed, by somebody or by a system without memory";
    private static final String NO_ERROR = "it wrote no error";

    private final int exitCode;
    private final String lastErrors;

    ProcessEndedException(final String name, final int exitCode, final String lastErrors)
    {
        this(exitCode, lastErrors, name + " ended with exit code " + exitCode + ": " + told(exitCode, lastErrors));
    }

    ProcessEndedException(final int exitCode, final String lastErrors, final String message)
    {
        super(message);
        this.exitCode = exitCode;
        this.lastErrors = lastErrors;
    }

    /** The reason why a process ended, for people, by the last lines it wrote to its standard error, if any. */
    static String reason(final int exitCode, final String lastErrors)
    {
        return EXIT_SIGKILL == exitCode ? KILLED : lastErrors.isEmpty() ? NO_ERROR :
            lastErrors.substring(lastErrors.lastIndexOf('\n') + 1);
    }

    /** The reason, where the last lines were already printed above. */
    static String told(final int exitCode, final String lastErrors)
    {
        return EXIT_SIGKILL == exitCode || lastErrors.isEmpty() ? reason(exitCode, lastErrors) :
            "see its errors above";
    }

    /** The last lines it wrote to its standard error, empty if none. */
    public String lastErrors()
    {
        return lastErrors;
    }

    /** Exit code of the process. */
    public int exitCode()
    {
        return exitCode;
    }
}
