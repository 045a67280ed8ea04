// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

/** A host's driver or Archive cannot start; the message is one line for the user and says what to do. */
public final class HostDriverException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** The obstacle to the start. */
    public enum Reason
    {
        /** Another living process uses the archive directory. */
        ARCHIVE_IN_USE,

        /** Another living media driver uses the Aeron directory. */
        AERON_DIRECTORY_IN_USE,

        /** The Archive's control port is taken. */
        PORT_IN_USE,

        /** A file system has less room than the settings need. */
        NO_SPACE,

        /** A directory cannot be created, read or written. */
        DIRECTORY_UNUSABLE,

        /** No media driver, or none with an Archive, runs where one should. */
        NOT_RUNNING,

        /** The driver or the Archive refused to start for another reason, given as the cause. */
        LAUNCH_FAILED
    }

    private final Reason reason;

    /**
     * Say what stood in the way, without a cause.
     *
     * @param reason  its kind.
     * @param message one line for the user, which says what to do.
     */
    public HostDriverException(final Reason reason, final String message)
    {
        this(reason, message, null);
    }

    /**
     * Say what stood in the way.
     *
     * @param reason  its kind.
     * @param message one line for the user, which says what to do.
     * @param cause   or null.
     */
    public HostDriverException(final Reason reason, final String message, final Throwable cause)
    {
        super(message, cause);
        this.reason = reason;
    }

    /** The kind of obstacle, for a caller that decides by it. */
    public Reason reason()
    {
        return reason;
    }
}
