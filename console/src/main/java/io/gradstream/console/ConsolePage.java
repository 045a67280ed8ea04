// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The one page, with the policy that lets a browser run its script and style and nothing else. */
final class ConsolePage
{
    private static final String RESOURCE = "console.html";

    private final byte[] bytes;
    private final String policy;

    private ConsolePage(final byte[] bytes, final String policy)
    {
        this.bytes = bytes;
        this.policy = policy;
    }

    static ConsolePage load()
    {
        try (InputStream in = ConsolePage.class.getResourceAsStream(RESOURCE))
        {
            if (null == in)
            {
                throw new IllegalStateException("no resource " + RESOURCE + " in the jar of the console");
            }
            final byte[] bytes = in.readAllBytes();
            final String html = new String(bytes, StandardCharsets.UTF_8);
            return new ConsolePage(bytes, "default-src 'none'; connect-src 'self'; img-src data:; script-src " +
                hash(html, "script") + "; style-src " + hash(html, "style") +
                "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    byte[] bytes()
    {
        return bytes;
    }

    /** Value of the header Content-Security-Policy. */
    String policy()
    {
        return policy;
    }

    private static String hash(final String html, final String element)
    {
        final String begin = "<" + element + ">";
        final int from = html.indexOf(begin) + begin.length();
        final String content = html.substring(from, html.indexOf("</" + element + ">", from));
        try
        {
            final byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every JDK has SHA-256", ex);
        }
    }
}
