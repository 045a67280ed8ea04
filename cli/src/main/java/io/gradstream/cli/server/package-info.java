// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** The commands that run a server, a coordinator or a media driver. */
package io.gradstream.cli.server;
