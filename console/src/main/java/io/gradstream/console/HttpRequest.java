// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The head of a request, read up to a limit; a body is neither expected nor read.
 *
 * @param method as it was sent.
 * @param path   of the target, not decoded.
 * @param query  of the target, not decoded; empty if there is none.
 * @param host   that was asked for, with its port if one was sent.
 */
record HttpRequest(String method, String path, String query, String host)
{
    /** Longest head, in bytes. */
    static final int MAX_HEAD_LENGTH = 8 * 1024;

    private static final String HEAD_END = "\r\n\r\n";
    private static final String HOST = "host:";
    private static final int REQUEST_LINE_WORDS = 3;

    /**
     * Read a request.
     *
     * @throws HttpRefusal if it is none that is understood, or too long.
     * @throws IOException if the connection breaks, or ends before the head does.
     */
    static HttpRequest read(final InputStream in) throws IOException, HttpRefusal
    {
        final byte[] head = new byte[MAX_HEAD_LENGTH];
        int length = 0;
        while (!isComplete(head, length))
        {
            if (length == head.length)
            {
                throw new HttpRefusal("431 Request Header Fields Too Large",
                    "a request's head has at most " + MAX_HEAD_LENGTH + " bytes");
            }
            final int read = in.read(head, length, head.length - length);
            if (read < 0)
            {
                throw new IOException("ended within a request's head");
            }
            length += read;
        }

        return parse(new String(head, 0, length, StandardCharsets.ISO_8859_1));
    }

    private static HttpRequest parse(final String head) throws HttpRefusal
    {
        final String[] lines = head.substring(0, head.indexOf(HEAD_END)).split("\r\n", -1);
        final String[] words = lines[0].split(" ", -1);
        if (REQUEST_LINE_WORDS != words.length || !words[1].startsWith("/") || !words[2].startsWith("HTTP/1."))
        {
            throw new HttpRefusal("400 Bad Request", "not a request of HTTP/1.1 for a path");
        }
        String host = null;
        for (int i = 1; i < lines.length; i++)
        {
            if (lines[i].toLowerCase(Locale.ROOT).startsWith(HOST))
            {
                if (null != host)
                {
                    throw new HttpRefusal("400 Bad Request", "more than one Host header");
                }
                host = lines[i].substring(HOST.length()).trim();
            }
        }
        if (null == host)
        {
            throw new HttpRefusal("400 Bad Request", "no Host header");
        }
        final int mark = words[1].indexOf('?');

        return new HttpRequest(words[0], mark < 0 ? words[1] : words[1].substring(0, mark),
            mark < 0 ? "" : words[1].substring(mark + 1), host);
    }

    private static boolean isComplete(final byte[] head, final int length)
    {
        final int end = HEAD_END.length();
        for (int i = end; i <= length; i++)
        {
            int matched = 0;
            while (matched < end && head[i - end + matched] == HEAD_END.charAt(matched))
            {
                matched++;
            }
            if (matched == end)
            {
                return true;
            }
        }

        return false;
    }
}
