// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** Finds update functions of users in jars. The only package that loads classes. */
package io.gradstream.server.plugin;
