// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.codecs.TableSpec;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.model.ModelCsv;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelFileWriter;
import io.gradstream.model.ModelHandler;
import io.gradstream.model.ModelNpz;
import io.gradstream.model.ModelOrigin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Forms of a file with a model.
 */
enum ModelForm
{
    /** All of it, checksummed. */
    MODEL,
    /** Text: values alone. */
    CSV,
    /** Arrays of NumPy: values alone. */
    NPZ;

    /** Write a model in this form. */
    void write(final ModelFile model, final Path file, final boolean overwrite) throws IOException
    {
        switch (this)
        {
            case CSV -> ModelCsv.write(model, file, overwrite);
            case NPZ -> ModelNpz.write(model, file, overwrite);
            case MODEL -> throw new IllegalStateException("it is one");
        }
    }

    /**
     * Write what is in this form as a model file. The state of update functions is zero, as in new rows.
     *
     * @param specs     of tables, where the form does not have them.
     * @param functions that tables may have.
     * @throws IllegalArgumentException if one has another.
     */
    void read(final Path file, final List<TableSpec> specs, final UpdateFunctions functions, final Path model)
        throws IOException
    {
        try (ModelFileWriter writer = ModelFileWriter.create(model, true))
        {
            final ModelHandler handler = new ZeroState(writer, functions);
            switch (this)
            {
                case CSV -> ModelCsv.read(file, specs, handler);
                case NPZ -> ModelNpz.read(file, specs, handler);
                case MODEL -> throw new IllegalStateException("it is one");
            }
            writer.finish(new ModelOrigin(0, ModelOrigin.NO_CLOCK, 0, 0, System.currentTimeMillis()));
        }
    }
}
