// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
/** One log of records: claimed, sealed, replayed and kept, with the ports of the storage behind it. */
package io.gradstream.recovery.log;
