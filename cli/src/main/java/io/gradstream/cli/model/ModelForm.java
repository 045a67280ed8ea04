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
